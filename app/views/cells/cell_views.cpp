#include "app/views/cells/cell_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <utility>

#include "app/commands/cell_commands.h"
#include "app/session/selection.h"
#include "app/views/cells/cell_tables.h"
#include "app/views/cells/cell_words.h"
#include "app/views/views.h"
#include "render/scene/cells/cell_scene.h"
#include "render/scene/cells/treemap.h"
#include "render/scene/palette.h"
#include "sim/analysis/causes.h"
#include "sim/analysis/place_history.h"
#include "sim/report/table.h"

namespace whorl::app {

namespace {

/// Least number of accesses that live views look back: cells last touched before that look like cells never touched.
constexpr std::uint64_t kLookback = 100'000;
constexpr std::size_t kMaxMoving = 200'000;  ///< cells that move when ways are interleaved

bool isLive(const ViewId& view) {
    return scene::isLive(*view.cells());
}
bool isMemory(const ViewId& view) {
    return scene::isOfMemory(*view.cells());
}

std::uint64_t cellBytes(const CellChoice& choice, const sim::MachineConfig& machine) {
    const std::uint64_t wanted = choice.cell == 0 ? machine.blockBytes() : choice.cell;
    return std::clamp(wanted, scene::kMinCell, scene::kMaxCell);
}

/// The parameters of sim::causesOf.
struct CausesRequest {
    sim::Range range;
    sim::ByteAddress victim;
    std::uint64_t bytes = 0;
    std::uint64_t group = 0;
    bool operator==(const CausesRequest&) const = default;
};
using SharedCauses = std::shared_ptr<const sim::Causes>;

/// The source lines that used a cell in a range.
struct LinesRequest {
    sim::Place cell;
    sim::Range range;
    bool operator==(const LinesRequest&) const = default;
};
struct UsedBy {
    LinesRequest what;
    std::vector<std::string> lines;
};

/// Says what a pixel shows where cells are small.
void noteScale(scene::CellKey& key, const scene::CellScale& scale) {
    const int side = 1 << scale.fold;
    if (scale.fold > 0) addNote(key, fmt::format("a pixel shows the largest of {} x {} cells", side, side));
    if (hasHalos(key.scaling, scale)) addNote(key, "with a rim");
}

}  // namespace

struct CellViews::View {
    View(TaskRunner& runner, const Opened& opened)
        : memoryTables(runner, sim::cellsOf),
          cacheTables(runner, sim::cacheCellsOf),
          causes(runner),
          lines(runner),
          activity(opened.run) {}

    MemoryTables memoryTables;
    CacheTables cacheTables;
    LatestTask<CausesRequest, SharedCauses> causes;
    LatestTask<LinesRequest, UsedBy> lines;
    sim::ActivityReader activity;

    /// The parameters of an arrangement of cells. `shape.columns` 0: automatic.
    struct Arranged {
        scene::MemoryShape shape;
        scene::FlowLook flow;
        bool operator==(const Arranged&) const = default;
    };
    std::optional<Arranged> arranged;
    std::optional<scene::MemoryCells> memory;
    std::optional<scene::CacheArray> array;
    scene::CellFit fit;
    scene::FlowLook flowLook;
    /// The order of the groups, empty for that of addresses, and what it depends on.
    struct Ordered {
        CellOrder order = CellOrder::address;
        Shared numbers;
        Arranged arranged;
        bool operator==(const Ordered&) const = default;
    };
    std::optional<Ordered> orderedBy;
    std::vector<std::uint32_t> order;
    std::optional<scene::CellFlow> flow;
    CellSight sight;
    scene::PixelBox area;
    std::optional<scene::CellInset> inset;
    std::optional<scene::Treemap> tree;
    std::vector<float> treeValues;  ///< by box of the tree; below 0: none

    /// What the numbers of a static view are of.
    struct ValuesOf {
        Shared table;
        scene::CellQuantity quantity;
        std::optional<scene::MemoryShape> shape;
        std::optional<scene::CacheArrayShape> arrayShape;
        bool operator==(const ValuesOf&) const = default;
    };
    std::optional<ValuesOf> valuesOf;
    std::optional<scene::FoldedValues> values;

    /// What the numbers were made for, and the look of their picture, but for the key.
    std::optional<Key> key;
    scene::CellLook look;
    std::optional<scene::CommonScale> common;
    bool isPainted = false;
    scene::FlatScene picture;
    std::uint8_t level = 0;
    std::uint8_t cache = 0;

    float most() const {
        return tree ? std::max(0.0f, *std::max_element(treeValues.begin(), treeValues.end())) : values->first().most();
    }
    const scene::CellGroups& groups() const { return memory ? memory->groups() : array->groups(); }
    scene::CellWindow window() const { return {area, sight.scroll}; }
    /// A scroll that shows nothing beyond the content of a flow.
    glm::ivec2 kept(glm::ivec2 scroll, const scene::CellFlow& of) const {
        return glm::clamp(scroll, glm::ivec2(0), glm::max(glm::ivec2(0), of.size() - flowLook.room));
    }
    bool isZoomed() const { return flow->size().x > flowLook.room.x || flow->size().y > flowLook.room.y; }
};

CellViews::CellViews(Opened opened, TaskRunner& runner) : opened_(std::move(opened)), runner_(runner) {}

CellViews::~CellViews() = default;

CellViews::View& CellViews::at(const ViewId& view) {
    std::unique_ptr<View>& v = views_[view.withoutRun()];
    if (v) return *v;
    v = std::make_unique<View>(runner_, opened_);
    for (BackgroundWork* const work :
         std::initializer_list<BackgroundWork*>{&v->memoryTables, &v->cacheTables, &v->causes, &v->lines}) {
        keep(*work);
    }
    return *v;
}

const CellViews::View* CellViews::find(const ViewId& view) const {
    const auto known = views_.find(view.withoutRun());
    return known == views_.end() ? nullptr : known->second.get();
}

scene::CellQuantity CellViews::quantityOf(const ViewId& view, const CellChoice& choice) const {
    scene::CellQuantity quantity = choice.quantity.value_or(scene::usualQuantity(*view.cells(), machine()));
    if (!isMemory(view)) quantity.level = view.level;
    if (quantity.level >= machine().levels.size()) quantity.level = 0;
    return quantity;
}

sim::Range CellViews::rangeOf(const CellChoice& choice, const RunContext& context) const {
    if (choice.range) return *choice.range;
    return context.range.value_or(sim::Range{sim::Tick{0}, sim::Tick{trace().size()}});
}

void CellViews::update(const RunContext& context) {
    // Hovering asks for the lines of a cell; their answer is taken wherever the mouse is by then.
    for (const auto& [id, view] : views_) view->lines.update();
    for (const ViewId& view : context.viewSettings.shown) {
        if (!view.cells() || isLive(view) || !has(view)) continue;
        const CellChoice& choice = context.viewSettings.cellsOf(view);
        const sim::Range range = rangeOf(choice, context);
        const bool isThere =
            opened_.run->complete() || (range.to <= opened_.run->built() && range.size() < trace().size());
        if (!isThere || range.size() == 0) continue;
        View& v = at(view);
        if (isMemory(view)) {
            v.memoryTables.ask(opened_.run, {.range = range, .grain = cellBytes(choice, machine())});
            if (choice.order == CellOrder::caused) askCauses(v, choice, range);
        } else {
            v.cacheTables.ask(opened_.run, {.range = range, .level = view.level});
        }
    }
}

/// The misses in the group that holds the victim, by the block whose access caused them.
void CellViews::askCauses(View& v, const CellChoice& choice, const sim::Range& range) const {
    sim::ByteAddress first = choice.victim;
    std::uint64_t bytes = machine().blockBytes();
    if (choice.groups == scene::MemoryGroups::pieces) {
        bytes = choice.piece;
        first = sim::ByteAddress{choice.victim.value / bytes * bytes};
    } else if (const std::size_t region = trace().regionAt(choice.victim); region < trace().regions().size()) {
        first = trace().regions()[region].base;
        bytes = std::max<std::uint64_t>(1, trace().regions()[region].size);
    }
    const CausesRequest request{range, first, bytes, machine().blockBytes()};
    v.causes.ask(request, [run = opened_.run, request](sim::Progress& progress) -> sim::Expected<SharedCauses> {
        auto causes = sim::causesOf(*run, request.range, 0, request.victim, request.bytes, request.group, progress);
        if (!causes) return tl::unexpected(sim::Error::byUser());
        return std::make_shared<const sim::Causes>(*std::move(causes));
    });
    v.causes.update();
}

double CellViews::fraction(const ViewId& view) const {
    const View* const v = find(view);
    if (v == nullptr) return -1;
    return std::max(v->memoryTables.fraction(), v->cacheTables.fraction());
}

CellViews::Key CellViews::keyOf(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) const {
    const View* const v = find(view);
    Key key{.choice = context.viewSettings.cellsOf(view),
            .size = size,
            .scale = scale,
            .ground = context.ground,
            .controls = context.panels,
            .marks = {.object = context.viewSettings.object,
                      .place = context.viewSettings.place,
                      .marked = context.marked(),
                      .watched = context.watched},
            .hues = context.ringView.hues,
            .runs = v->common ? v->common->runs : 0};
    if (isLive(view)) {
        key.t = std::min(context.player.position(), static_cast<double>(opened_.run->built().value));
    } else {
        key.choice.range = rangeOf(key.choice, context);
        key.table = isMemory(view) ? Shared(v->memoryTables.table()) : Shared(v->cacheTables.table());
        if (v->causes.answer()) key.causes = *v->causes.answer();
    }
    return key;
}

scene::CellLook CellViews::lookOf(const ViewId& view, const RunContext& context, const Key& key) const {
    const scene::CellQuantity quantity = quantityOf(view, key.choice);
    scene::CellLook look{chartLook(context, key.size, key.scale)};
    const bool named = isMemory(view) && scene::kindOf(quantity.metric).ofLevel;
    look.title = fmt::format("{}: {}", titleOf(view.withoutRun(), machine()),
                             named ? inWords(quantity, machine()) : std::string(scene::kindOf(quantity.metric).words));
    if (isLive(view)) {
        look.note = fmt::format("after {} accesses", sim::grouped(static_cast<std::uint64_t>(std::ceil(key.t))));
    } else {
        look.note = inWords(*key.choice.range);
    }
    return look;
}

std::optional<double> CellViews::largest(const ViewQuery& query) {
    if (!has(query.view)) return 0;
    View& v = at(query.view);
    prepare(v, query.view, query.context, query.size, query.scale);
    return v.most();
}

void CellViews::setCommon(const ViewId& view, const std::optional<scene::CommonScale>& common) {
    View& v = at(view);
    if (v.common == common) return;
    v.common = common;
    v.isPainted = false;
}

const scene::FlatScene& CellViews::scene(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) {
    View& v = at(view);
    if (!has(view)) {
        const std::string words =
            fmt::format("{} has no such level.", machine().name.empty() ? "The machine" : machine().name);
        v.picture = wordsScene(words, size, context.ground, viewText(scale));
        return v.picture;
    }
    prepare(v, view, context, size, scale);
    if (!v.isPainted) paint(v, view);
    return v.picture;
}

/// Where the cells are, and their numbers: all that a picture needs but its colours.
void CellViews::prepare(View& v, const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) const {
    Key key = keyOf(view, context, size, scale);
    if (v.key == key) return;
    v.look = lookOf(view, context, key);
    layOut(v, view, key, v.look);
    if (isMemory(view)) {
        makeMemoryNumbers(v, view, key, v.look);
    } else {
        makeCacheNumbers(v, view, key, v.look);
    }
    v.key = std::move(key);
    v.isPainted = false;
}

void CellViews::paint(View& v, const ViewId& view) const {
    Colouring colouring = colouringFor(view, *v.key, v.common ? static_cast<float>(v.common->most) : v.most(), &v);
    v.look.key = colouring.key;
    if (!v.tree) noteScale(v.look.key, v.sight.scale);
    v.picture = v.tree           ? treePicture(v, std::move(colouring))
                : isMemory(view) ? memoryPicture(v, view, std::move(colouring))
                                 : cachePicture(v, view, std::move(colouring));
    v.isPainted = true;
}

void CellViews::arrangeMemory(View& v, const Key& key, const scene::FlowLook& look) const {
    const CellChoice& choice = key.choice;
    std::uint64_t cell = cellBytes(choice, machine());
    // A table of a very large memory has larger cells than requested.
    if (key.table) cell = std::max(cell, v.memoryTables.table()->grain());
    const View::Arranged wanted{
        {.cell = cell,
         .columns = choice.columns,
         .groups = choice.groups,
         .curve = choice.curve == scene::MemoryCurve::hilbert ? choice.curve : scene::MemoryCurve::linear,
         .piece = std::max(choice.piece, cell)},
        look};
    if (v.arranged != wanted) {
        v.arranged = wanted;
        const auto& levels = machine().levels;
        const std::uint64_t width = levels.empty() ? machine().pageBytes() : levels[0].wayBytes();
        scene::ArrangedMemory made = arrangedMemory(trace(), wanted.shape, width, look);
        v.memory.emplace(std::move(made.cells));
        v.fit = made.fit;
    }
    const View::Ordered by{choice.order, choice.order == CellOrder::caused ? key.causes : key.table, *v.arranged};
    if (v.orderedBy == by) return;
    v.orderedBy = by;
    v.order = groupOrder(choice.order, *v.memory, v.memoryTables.table().get(),
                         static_cast<const sim::Causes*>(key.causes.get()));
}

void CellViews::arrangeCache(View& v, const ViewId& view, const Key& key, const scene::FlowLook& look) const {
    const sim::LevelConfig& level = machine().levels[view.level];
    const std::uint64_t nearer = view.level == 0 ? 0 : machine().levels[view.level - 1u].sets();
    scene::ArrangedCache made = arrangedCache({.sets = level.sets(),
                                               .ways = level.ways,
                                               .columns = key.choice.columns,
                                               .interleaved = key.choice.interleaved},
                                              nearer, look);
    v.array.emplace(std::move(made.array));
    v.fit = made.fit;
    v.level = view.level;
    v.cache = static_cast<std::uint8_t>(
        machine().cacheOf(view.level, std::min<std::uint32_t>(view.part, machine().cpus - 1)));
}

/// Chooses which part of the cells is seen: the one chosen by hand, kept within them, or all.
void CellViews::place(View& v, const Key& key, const scene::CellLook& look) {
    v.flowLook = flowLookOf(look);
    v.flowLook.fit = v.fit;
    v.sight = key.choice.sight.value_or(CellSight{v.fit.scale, {0, 0}});
    v.flow.emplace(v.groups(), v.order, v.sight.scale, v.flowLook);
    while (!key.choice.sight && v.isZoomed() && v.sight.scale.smaller() != v.sight.scale) {
        v.sight.scale = v.sight.scale.smaller();
        v.flow.emplace(v.groups(), v.order, v.sight.scale, v.flowLook);
    }
    v.sight.scroll = v.kept(v.sight.scroll, *v.flow);
    v.area = cellArea(look);
}

/// The numbers of a static view, made anew when the sums, the metric or the places change.
void CellViews::makeValues(View& v, const scene::CellQuantity& quantity, bool isOfMemory) const {
    const View::ValuesOf wanted{.table = isOfMemory ? Shared(v.memoryTables.table()) : Shared(v.cacheTables.table()),
                                .quantity = quantity,
                                .shape = isOfMemory ? std::optional(v.memory->shape()) : std::nullopt,
                                .arrayShape = isOfMemory ? std::nullopt : std::optional(v.array->shape())};
    if (v.valuesOf == wanted) return;
    v.valuesOf = wanted;
    if (wanted.table == nullptr) {
        v.values.emplace(scene::CellValues(v.groups().groups.size()));
    } else if (isOfMemory) {
        v.values.emplace(memoryValues(quantity, *v.memoryTables.table(), *v.memory, machine()));
    } else {
        v.values.emplace(cacheValues(quantity.metric, *v.cacheTables.table(), v.cache, *v.array));
    }
}

/// Adds a note if the sums are those of another range, or estimates.
template <class Table>
void CellViews::noteState(scene::CellLook& look, const std::shared_ptr<const Table>& table, const Key& key) {
    if (!table || table->range() != *key.choice.range) {
        look.note += ", being computed";
    } else if (table->share() < 1) {
        look.note += fmt::format(", estimated from {:.1f} % of them", 100 * table->share());
    }
}

/// The key, as far as it does not depend on the numbers if there are none yet.
Colouring CellViews::colouringFor(const ViewId& view, const Key& key, float most, const View* laidOut) const {
    const bool areAllUsed =
        laidOut != nullptr && laidOut->array && laidOut->values &&
        laidOut->values->first().size() == std::size_t{laidOut->array->shape().sets} * laidOut->array->shape().ways;
    Colouring colouring = colouringOf({.quantity = quantityOf(view, key.choice),
                                       .display = *view.cells(),
                                       .choice = key.choice,
                                       .machine = machine(),
                                       .trace = trace(),
                                       .ground = key.ground,
                                       .looks = *opened_.regionLooks,
                                       .hues = key.hues,
                                       .least = areAllUsed ? laidOut->values->first().least() : 0,
                                       .most = most,
                                       .runs = key.runs});
    if (!isMemory(view)) return colouring;
    if (isTreemap(view, key)) {
        colouring.key.signs.push_back({"region", scene::paletteFor(key.ground).outline, true});
        if (!trace().objects().empty()) addNote(colouring.key, "boxes in it: allocations");
        return colouring;
    }
    const scene::MemoryShape shape = laidOut == nullptr ? scene::MemoryShape{} : laidOut->memory->shape();
    const auto signs = MemoryOverlays(trace(), machine(), key.choice, key.ground, isLive(view))
                           .signs(laidOut == nullptr ? nullptr : &*laidOut->flow, shape, key.marks);
    colouring.key.signs.insert(colouring.key.signs.end(), signs.begin(), signs.end());
    return colouring;
}

/// Arranges the cells in what the key leaves them: its height does not depend on the numbers, so that nothing moves
/// while they change, but on whether cells are folded, which is known only then: the arrangement does not.
void CellViews::layOut(View& v, const ViewId& view, const Key& key, scene::CellLook& look) const {
    constexpr float kWide = 1e6f;  // its text is about as wide as the number at the end of the ramp
    scene::CellKey usual = colouringFor(view, key, kWide, nullptr).key;
    look.keyRoom = keyHeight(usual, static_cast<int>(look.widthInside()), look.text);
    if (isMemory(view)) {
        arrangeMemory(v, key, flowLookOf(look));
    } else {
        arrangeCache(v, view, key, flowLookOf(look));
    }
    place(v, key, look);
    v.tree.reset();
    if (isTreemap(view, key)) return;
    noteScale(usual, v.sight.scale);
    const int room = keyHeight(usual, static_cast<int>(look.widthInside()), look.text);
    if (room == look.keyRoom) return;
    look.keyRoom = room;
    place(v, key, look);
}

bool CellViews::isTreemap(const ViewId& view, const Key& key) {
    return isMemory(view) && !isLive(view) && key.choice.curve == scene::MemoryCurve::treemap;
}

/// The boxes of a treemap, and their numbers.
void CellViews::makeTreemap(View& v, const Key& key, const scene::CellLook& look) const {
    v.tree.emplace(trace(), cellArea(look), flowLookOf(look).title);
    v.inset.reset();
    v.treeValues.assign(v.tree->boxes().size() + 1, -1);
    const auto& table = v.memoryTables.table();
    for (std::size_t i = 0; table && i < v.tree->boxes().size(); ++i) {
        const scene::Treemap::Box& box = v.tree->boxes()[i];
        if (box.isDivided || box.isRest) continue;
        const auto value =
            valueOf(quantityOf({ViewId::Kind::memory}, key.choice), *table, box.from, box.bytes, machine());
        const bool isIdle = table->sums(box.from, box.bytes) == sim::CellSums{};
        if (value && !isIdle) v.treeValues[i] = static_cast<float>(*value);
    }
}

/// What the last accesses did, for a live view; null for others.
const sim::Activity* CellViews::activityFor(View& v, const ViewId& view, const Key& key) const {
    if (!isLive(view)) return nullptr;
    const bool glows = quantityOf(view, key.choice).metric == scene::CellMetric::glow;
    const std::uint64_t reach = std::max(sim::reachOf(key.choice.halfLife), glows ? 0 : kLookback);
    const auto level = isMemory(view) ? std::nullopt : std::optional(view.level);
    return &v.activity.at(key.t, {.lookback = reach, .cacheLevel = level});
}

void CellViews::makeMemoryNumbers(View& v, const ViewId& view, const Key& key, scene::CellLook& look) const {
    const scene::CellQuantity quantity = quantityOf(view, key.choice);
    if (const sim::Activity* const activity = activityFor(v, view, key)) {
        v.values.emplace(memoryNow(quantity, *activity, *v.memory, {key.t, key.choice.halfLife}));
        return;
    }
    if (isTreemap(view, key)) makeTreemap(v, key, look);
    makeValues(v, quantity, true);
    noteState(look, v.memoryTables.table(), key);
    if (const std::uint64_t cells = v.values->at(0).leftOut().cells; cells > 0) {
        look.note += fmt::format("; {} only prefetched, and not shown", sim::counted(cells, "more cell", "more cells"));
    }
}

void CellViews::makeCacheNumbers(View& v, const ViewId& view, const Key& key, scene::CellLook& look) const {
    const scene::CellQuantity quantity = quantityOf(view, key.choice);
    if (const sim::Activity* const activity = activityFor(v, view, key)) {
        v.values.emplace(
            cacheNow(quantity.metric, *activity, view.level, v.cache, *v.array, trace(), {key.t, key.choice.halfLife}));
        return;
    }
    makeValues(v, quantity, false);
    noteState(look, v.cacheTables.table(), key);
}

scene::FlatScene CellViews::memoryPicture(View& v, const ViewId& view, Colouring colouring) const {
    const Key& key = *v.key;
    const scene::CellMoment moment{key.t, key.choice.halfLife};
    scene::MemoryPicture picture{.cells = *v.memory,
                                 .flow = *v.flow,
                                 .values = v.values->at(v.sight.scale.fold),
                                 .colourOf = std::move(colouring.colourOf),
                                 .scroll = v.sight.scroll};
    MemoryOverlays(trace(), machine(), key.choice, key.ground, isLive(view), isLive(view) ? v.activity.last() : nullptr)
        .addTo(picture, moment, key.marks);
    scene::FlatScene scene = memoryScene(picture, v.look);
    addInset(v, scene, picture.colourOf, v.memory->shape().curve);
    return scene;
}

scene::FlatScene CellViews::treePicture(View& v, Colouring colouring) const {
    const Key& key = *v.key;
    scene::TreemapPicture picture{
        .map = *v.tree, .values = v.treeValues, .colourOf = std::move(colouring.colourOf), .marks = {}};
    const auto& place = key.marks.place;
    if (place && place->kind == sim::Place::Kind::memory) {
        picture.marks.push_back({place->from,
                                 sim::ByteAddress{place->from.value + (place->bytes - 1)},
                                 {},
                                 scene::paletteFor(key.ground).mark});
    }
    return treemapScene(picture, v.look);
}

/// While not all cells are seen, all of them small in a corner.
void CellViews::addInset(View& v, scene::FlatScene& scene, const scene::EntryColour& colourOf,
                         scene::MemoryCurve curve) {
    v.inset.reset();
    if (!v.isZoomed() || !scene::CellInset::fits(v.area)) return;
    v.inset.emplace(v.groups(), v.order, v.area);
    v.inset->paint(scene, *v.values, colourOf, curve, *v.flow, v.window());
}

scene::FlatScene CellViews::cachePicture(View& v, const ViewId& view, Colouring colouring) const {
    const Key& key = *v.key;
    scene::CachePicture picture{.array = *v.array,
                                .flow = *v.flow,
                                .values = v.values->at(v.sight.scale.fold),
                                .colourOf = std::move(colouring.colourOf),
                                .scroll = v.sight.scroll,
                                .mark = scene::paletteFor(key.ground).mark};
    addCacheMarks(picture, v, key, isLive(view) ? v.activity.last() : nullptr);
    const float towards = key.choice.interleaved ? key.choice.interleavedShare : 1 - key.choice.interleavedShare;
    if (towards >= 1 || v.values->at(0).size() > kMaxMoving || v.sight.scale.fold > 0) {
        scene::FlatScene scene = cacheScene(picture, v.look);
        addInset(v, scene, picture.colourOf, scene::MemoryCurve::linear);
        return scene;
    }
    // The cells are moving from the other arrangement.
    scene::CacheArrayShape other = v.array->shape();
    other.interleaved = !other.interleaved;
    const scene::CacheArray before(other);
    const scene::CellFlow flowBefore(before.groups(), {}, v.sight.scale, v.flowLook);
    picture.before = &before;
    picture.flowBefore = &flowBefore;
    picture.share = towards * towards * (3 - 2 * towards);
    v.inset.reset();
    return cacheScene(picture, v.look);
}

/// The cell that was picked as a set and way; and in a live view the one that the selected block is in now.
void CellViews::addCacheMarks(scene::CachePicture& picture, const View& v, const Key& key,
                              const sim::Activity* activity) const {
    const auto& place = key.marks.place;
    if (place && place->kind == sim::Place::Kind::cache) {
        if (place->level == v.level && place->cache == v.cache) {
            picture.marks.push_back(v.array->placeOf({place->set, place->way}));
        }
        return;
    }
    if (!key.marks.marked || activity == nullptr) return;
    const sim::Cache& cache = activity->now.hierarchy().cache(v.level, v.cache);
    const sim::BlockAddress block = cache.blockOf(*key.marks.marked);
    const std::uint32_t way = cache.find(block);
    if (way != sim::Cache::kNoWay) picture.marks.push_back(v.array->placeOf({cache.setOf(block), sim::WayIndex{way}}));
}

std::optional<CellUnder> CellViews::under(const ViewId& view, glm::ivec2 at) const {
    const View* const v = find(view);
    if (v == nullptr || !v->flow || !v->area.contains(at) || isInset(view, at)) return std::nullopt;
    if (v->tree) {
        const scene::Treemap::Box* const box = v->tree->at(at);
        if (box == nullptr) return std::nullopt;
        return CellUnder{.place = {}, .box = box->box, .cell = {.from = box->from, .bytes = box->bytes}};
    }
    const auto place = v->flow->at(v->window().toContent(at));
    const auto box = place ? v->flow->boxOf(*place) : std::nullopt;
    if (!box) return std::nullopt;
    CellUnder under{.place = *place, .box = v->window().toPicture(*box)};
    if (isMemory(view)) {
        const auto from = v->memory->addressAt(*place);
        if (!from) return std::nullopt;
        under.cell = {.from = *from, .bytes = v->memory->shape().cell};
    } else {
        const auto cell = v->array->at(*place);
        if (!cell) return std::nullopt;
        under.cell = {
            .kind = sim::Place::Kind::cache, .level = v->level, .cache = v->cache, .set = cell->set, .way = cell->way};
    }
    return under;
}

std::vector<std::string> CellViews::describe(const ViewId& view, const RunContext& context, const sim::Place& cell) {
    if (find(view) == nullptr) return {};
    View& v = at(view);
    const CellChoice& choice = context.viewSettings.cellsOf(view);
    if (isLive(view)) {
        const sim::Activity* const activity = v.activity.last();
        if (activity == nullptr) return {};
        std::vector<std::string> lines = describeNow(cell, *activity, {trace(), machine()});
        if (isMemory(view) && choice.conflictLevel) {
            const std::string conflicts = describeConflicts(cell, *activity, *choice.conflictLevel,
                                                            {trace(), machine()}, {v.key->t, choice.halfLife});
            if (!conflicts.empty()) lines.push_back(conflicts);
        }
        return lines;
    }
    if (isMemory(view)) {
        const auto& table = v.memoryTables.table();
        if (!table) return {};
        const sim::Range range = rangeOf(choice, context);
        std::vector<std::string> lines = describeMemory(cell, *table, {trace(), machine()}, range);
        for (std::string& line : linesOf(v, cell, range)) lines.push_back(std::move(line));
        return lines;
    }
    const auto& table = v.cacheTables.table();
    return table ? describeCache(cell, *table, {trace(), machine()}) : std::vector<std::string>{};
}

/// What lived in a cell, and the source lines that used it, the dearest first; computed in the background.
std::vector<std::string> CellViews::linesOf(View& v, const sim::Place& cell, const sim::Range& range) const {
    const LinesRequest request{cell, range};
    v.lines.ask(request, [run = opened_.run, request](sim::Progress& progress) -> sim::Expected<UsedBy> {
        constexpr std::size_t kMost = 100'000;  // accesses
        const auto history = sim::placeHistoryOf(*run, request.cell, request.range, progress, kMost);
        if (history == nullptr) return tl::unexpected(sim::Error::byUser());
        return UsedBy{request, describeUse(*history, run->trace())};
    });
    const auto& answer = v.lines.answer();
    return answer && answer->what == request ? answer->lines : std::vector<std::string>{};
}

CellSight CellViews::zoomed(const ViewId& view, glm::ivec2 at, int steps) const {
    const View* const v = find(view);
    if (v == nullptr || !v->flow) return {};
    CellSight sight = v->sight;
    at = glm::clamp(at, v->area.low, v->area.high - 1);
    const auto place = v->flow->at(v->window().toContent(at));
    for (int i = 0; i < std::abs(steps); ++i) sight.scale = steps > 0 ? sight.scale.larger() : sight.scale.smaller();
    const scene::CellFlow flow(v->groups(), v->order, sight.scale, v->flowLook);
    const auto box = place ? flow.boxOf(*place) : std::nullopt;
    if (box) {
        // The cell stays under the pointer.
        sight.scroll = (box->low + box->high) / 2 - (at - v->area.low);
    } else {
        const double factor = sight.scale.size() / v->sight.scale.size();
        sight.scroll = glm::ivec2(glm::dvec2(v->window().toContent(at)) * factor) - (at - v->area.low);
    }
    sight.scroll = v->kept(sight.scroll, flow);
    return sight;
}

bool CellViews::isInset(const ViewId& view, glm::ivec2 at) const {
    const View* const v = find(view);
    return v != nullptr && v->inset && v->inset->box().contains(at);
}

std::optional<CellSight> CellViews::movedTo(const ViewId& view, glm::ivec2 at) const {
    const View* const v = find(view);
    const auto place = v != nullptr && v->inset ? v->inset->at(at) : std::nullopt;
    const auto box = place ? v->flow->boxOf(*place) : std::nullopt;
    if (!box) return std::nullopt;
    CellSight sight = v->sight;
    sight.scroll = v->kept((box->low + box->high) / 2 - v->flowLook.room / 2, *v->flow);
    return sight;
}

CellSight CellViews::panned(const ViewId& view, glm::ivec2 by) const {
    const View* const v = find(view);
    if (v == nullptr || !v->flow) return {};
    CellSight sight = v->sight;
    sight.scroll = v->kept(sight.scroll - by, *v->flow);
    return sight;
}

scene::PixelBox CellViews::areaOf(const ViewId& view) const {
    const View* const v = find(view);
    return v == nullptr ? scene::PixelBox{} : v->area;
}

std::optional<Hit> CellViews::hitAt(const ViewQuery& query, glm::ivec2 at) {
    const auto found = under(query.view, at);
    if (!found) return std::nullopt;
    const sim::Place& cell = found->cell;
    const Command pick = cell.kind == sim::Place::Kind::memory
                             ? Command(command::PickMemory{cell.from, cell.bytes})
                             : Command(command::PickWay{cell.level, cell.cache, cell.set, cell.way});
    return Hit{.box = found->box,
               .click = {pick},
               .shift = Commands{pick, command::HistoryShow{}},
               .describe = [this, query, cell] { return describe(query.view, query.context, cell); }};
}

std::optional<PlanePointer> CellViews::planeAt(const ViewQuery& query, glm::ivec2 at) {
    const ViewId& view = query.view;
    if (const View* const v = find(view); v != nullptr && v->tree) return std::nullopt;
    const auto zoomTo = [id = view.withoutRun()](const CellSight& sight) {
        return Command(command::CellZoom{id, sight.scale.pixels, sight.scale.fold, sight.scroll.x, sight.scroll.y});
    };
    return PlanePointer{.zoomed = [=, this, &view](int steps) { return zoomTo(zoomed(view, at, steps)); },
                        .moved = [=, this, &view](glm::ivec2 by) { return zoomTo(panned(view, by)); },
                        .fitted = command::CellFit{view.withoutRun()},
                        .centred = [=, this, &view]() -> std::optional<Command> {
                            const auto sight = movedTo(view, at);
                            return sight ? std::optional(zoomTo(*sight)) : std::nullopt;
                        },
                        .isInset = isInset(view, at)};
}

ViewControls CellViews::controls(const ViewQuery& query) {
    return cellControls(query.view.withoutRun(), query.context, machine());
}

}  // namespace whorl::app
