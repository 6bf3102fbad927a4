#include "app/views/array/array_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/commands/cell_commands.h"
#include "app/commands/file_commands.h"
#include "app/session/selection.h"
#include "render/scene/easing.h"
#include "render/scene/rings/describe.h"
#include "sim/report/sentence.h"
#include "sim/report/table.h"

namespace whorl::app {

namespace {

using sim::grouped;
using sim::LayoutChange;

constexpr std::size_t kListedArrays = 100;
constexpr std::int64_t kTile = 4;  ///< rows of a tile, if the blocks of memory hold fewer elements

/// The elements that are picked, by address; those of an array of which only a part is picked.
std::vector<std::uint64_t> pickedIn(const sim::ArrayShape& shape, const RunContext& context) {
    std::vector<std::uint64_t> picked;
    const auto& place = context.viewSettings.place;
    if (!place || place->kind != sim::Place::Kind::memory || place->bytes >= shape.now().size) return picked;
    const sim::ByteAddress from = std::max(place->from, shape.now().base);
    const sim::ByteAddress last = std::min(place->last(), shape.now().last());
    if (from <= last) shape.forEachIn(from, last, [&](std::uint64_t element) { picked.push_back(element); });
    std::sort(picked.begin(), picked.end());
    return picked;
}

/// The layouts that a program could give an array of rows and columns, with the changes that do so.
struct ArrayLayout {
    std::string words;
    std::optional<LayoutChange> change;
};
std::vector<ArrayLayout> layoutsOf(const sim::ArrayShape& shape, const sim::MachineConfig& machine) {
    const sim::Region& region = shape.declared();
    const auto block = static_cast<std::int64_t>(machine.blockBytes());
    const auto row = static_cast<std::int64_t>(shape.columns() * shape.elementSize());
    const auto tile = std::max(kTile, block / static_cast<std::int64_t>(shape.elementSize()));
    return {
        {"by rows", std::nullopt},
        {"by columns", LayoutChange{.kind = LayoutChange::Kind::transpose, .thing = region.name}},
        {fmt::format("in tiles of {0} x {0}", tile),
         LayoutChange{.kind = LayoutChange::Kind::block, .thing = region.name, .bytes = tile}},
        {fmt::format("rows padded by {} bytes", block), LayoutChange{.kind = LayoutChange::Kind::spread,
                                                                     .thing = region.name,
                                                                     .bytes = row + block,
                                                                     .element = static_cast<std::uint64_t>(row)}},
    };
}

/// Which of the layouts a run has; their number: another one.
std::size_t layoutNow(const std::vector<ArrayLayout>& layouts, const std::string& name, const OpenRequest& request) {
    std::vector<LayoutChange> own;
    for (const LayoutChange& change : request.changes) {
        if (change.thing == name) own.push_back(change);
    }
    if (own.empty()) return 0;
    const auto known = std::find_if(layouts.begin(), layouts.end(),
                                    [&](const ArrayLayout& l) { return own.size() == 1 && l.change == own.front(); });
    return static_cast<std::size_t>(known - layouts.begin());
}

}  // namespace

struct ArrayViews::View {
    std::optional<sim::ArrayShape> shape;
    std::optional<sim::ElementTouches> touches;

    // What the picture shows.
    struct Key {
        std::size_t region = 0;
        scene::ArrayLook look;
        app::Picture::Time time;
        bool operator==(const Key&) const = default;
    };
    std::optional<Key> key;
    Picture picture;
};

ArrayViews::ArrayViews(const ViewSources& sources) : opened_(sources.opened), rings_(sources.rings) {}

ArrayViews::~ArrayViews() = default;

ArrayViews::View& ArrayViews::at(const ViewId& view) {
    std::unique_ptr<View>& v = views_[view.withoutRun()];
    if (!v) v = std::make_unique<View>();
    return *v;
}

bool ArrayViews::choose(View& v, const ViewQuery& query) const {
    const auto region = arrayOf(query.context, query.view);
    if (!region) return false;
    if (v.shape && v.shape->region() == *region) return true;
    v.touches.reset();
    v.shape = sim::ArrayShape::of(trace(), *region);
    v.touches.emplace(trace(), *v.shape);
    v.key.reset();
    return true;
}

scene::ArraySubject ArrayViews::subjectOf(const View& v) const {
    return {*v.shape, opened_.run->machine()};
}

/// "access 3 915 reads B[10][4] = 0.5".
std::string ArrayViews::accessInWords(const View& v, const sim::Step& step) const {
    const auto touched = v.shape->touchedNow(step.access.address, step.access.size);
    const std::string what =
        touched ? v.shape->nameOf(touched->first) : trace().placeOf(step.access.address, step.tick);
    std::string words =
        fmt::format("access {} {} {}", grouped(step.tick.value), step.access.isWrite() ? "writes" : "reads", what);
    if (const auto value = trace().valueAt(step.tick)) words += " = " + sim::valueInText(*value);
    return words;
}

const ArrayViews::Picture& ArrayViews::of(const ViewQuery& query) {
    View& v = at(query.view);
    scene::ArrayLook look{chartLook(query.context, query.size, query.scale)};
    if (!choose(v, query)) {
        v = View();
        v.picture.scene =
            wordsScene("No region of this trace is an array of known shape.", query.size, look.ground, look.text);
        return v.picture;
    }
    const app::Picture& rings = *rings_.picture();
    const sim::Snapshot& snapshot = rings.snapshot;
    v.touches->moveTo(snapshot.begun());
    if (v.touches->latest()) look.latest = v.touches->latestElement();
    look.picked = pickedIn(*v.shape, query.context);
    look.hasValues = trace().hasValues();
    if (snapshot.current() != nullptr) look.note = accessInWords(v, *snapshot.current());
    View::Key key{v.shape->region(), std::move(look), rings.time()};
    if (v.key == key) return v.picture;
    v.key = std::move(key);
    const scene::ArraySubject subject = subjectOf(v);
    v.picture.frame = scene::arrayFrame(subject, v.key->look);
    const auto ageOf = [&](const sim::Step& step) {
        const double age = rings.ageOf(step);
        return age < scene::kFlashMoves ? std::optional(age) : std::nullopt;
    };
    const sim::ArrayMoment moment =
        sim::arrayAt(snapshot, *v.shape, v.picture.frame.grid, v.picture.frame.inStrip(), ageOf);
    v.picture.scene = scene::arrayScene(subject, v.key->look, v.picture.frame, moment, [&](std::uint64_t element) {
        const auto last = v.touches->last(element);
        return last ? trace().valueAt(*last) : std::nullopt;
    });
    return v.picture;
}

std::vector<std::string> ArrayViews::describe(const ViewQuery& query, const scene::ArrayUnder& under) {
    View& v = at(query.view);
    const sim::ArrayShape& shape = *v.shape;
    if (under.rows * under.columns > 1) {
        const std::uint64_t row = v.picture.frame.grid.rowOf(under.element);
        const std::uint64_t column = v.picture.frame.grid.columnOf(under.element);
        return {fmt::format("{} of {}", sim::counted(under.rows * under.columns, "element", "elements"),
                            shape.declared().name),
                fmt::format("rows {} to {}, columns {} to {}", grouped(row), grouped(row + under.rows - 1),
                            grouped(column), grouped(column + under.columns - 1)),
                "click to pick the first"};
    }
    const sim::Snapshot& snapshot = rings_.picture()->snapshot;
    std::vector<std::string> lines = scene::describeByte(shape.addressOf(under.element), snapshot, rings_.subject());
    lines.front() = shape.nameOf(under.element);
    v.touches->moveTo(snapshot.begun());
    if (const auto last = v.touches->last(under.element)) {
        const sim::Access access = sim::CursorLoan(trace()).cursor().at(*last);
        std::string words =
            fmt::format("last access: {}, {}", grouped(last->value), access.isWrite() ? "write" : "read");
        if (const auto value = trace().valueAt(*last)) words += ", value " + sim::valueInText(*value);
        lines.push_back(std::move(words));
    } else if (shape.elements() <= sim::ElementTouches::kMostElements) {
        const bool isAll = snapshot.begun().value <= sim::ElementTouches::kReach;
        lines.push_back(isAll ? "not accessed yet"
                              : fmt::format("not in the last {} accesses", grouped(sim::ElementTouches::kReach)));
    }
    lines.emplace_back("click to pick it");
    return lines;
}

scene::PixelBox ArrayViews::mouseArea(const ViewQuery& query) {
    const Picture& picture = of(query);
    if (!at(query.view).shape) return {};
    const scene::ArrayFrame& frame = picture.frame;
    if (frame.strip.isEmpty()) return frame.cells;
    return {glm::min(frame.cells.low, frame.strip.low), glm::max(frame.cells.high, frame.strip.high)};
}

std::optional<Hit> ArrayViews::hitAt(const ViewQuery& query, glm::ivec2 at) {
    const Picture& picture = of(query);
    const View& v = this->at(query.view);
    if (!v.shape) return std::nullopt;
    const auto under = scene::arrayUnder(subjectOf(v), picture.frame, at);
    if (!under) return std::nullopt;
    const Command pick = command::PickMemory{v.shape->addressOf(under->element), v.shape->elementSize()};
    return Hit{.box = under->box,
               .click = {pick},
               .shift = Commands{pick, command::HistoryShow{}},
               .describe = [this, query, under = *under] { return describe(query, under); }};
}

ViewControls ArrayViews::controls(const ViewQuery& query) {
    ViewControls controls;
    const ViewId view = query.view.withoutRun();
    const auto region = arrayOf(query.context, view);
    if (!region) return controls;
    ViewControl::Choice arrays{.width = 110, .options = {}, .now = 0};
    for (std::size_t r = 0; r < trace().regions().size() && arrays.options.size() < kListedArrays; ++r) {
        if (r != *region && !sim::ArrayShape::of(trace(), r)) continue;
        if (r == *region) arrays.now = arrays.options.size();
        const std::string& name = trace().regions()[r].name;
        arrays.options.push_back({name, command::ArrayOf{view, name}});
    }
    controls.choose("array", "which array is shown", std::move(arrays));
    const auto shape = sim::ArrayShape::of(trace(), *region);
    if (shape && shape->hasRows()) {
        const std::string& name = shape->declared().name;
        const std::vector<ArrayLayout> layouts = layoutsOf(*shape, opened_.run->machine());
        controls.choose(
            "stored", "how memory has the array: another layout runs beside that of the program",
            {.width = 150,
             .options = optionsOf(layouts,
                                  [&](const ArrayLayout& l) {
                                      return ViewControl::Option{l.words, command::ChangeOnly{name, l.change}};
                                  }),
             .now = layoutNow(layouts, name, query.context.opened.request)});
    }
    controls.toggle("+ array", false, command::PaneAdd{view, {}}, "another view of an array");
    return controls;
}

}  // namespace whorl::app
