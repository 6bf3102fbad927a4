#include "app/views/table/table_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/commands/cell_commands.h"
#include "app/commands/predict_commands.h"
#include "app/commands/view_commands.h"
#include "app/views/rings/frame_composer.h"
#include "render/scene/easing.h"
#include "sim/analysis/array_moment.h"
#include "sim/report/contents_report.h"
#include "sim/report/sentence.h"
#include "sim/report/table.h"

namespace whorl::app {

namespace {

/// What a step did in a store, and where: in its order.
class StoreChanges {
  public:
    StoreChanges(const sim::Contents& contents, const sim::Step& step, double age)
        : contents_(contents), step_(step), age_(age) {
        switch (contents.store().kind) {
            case sim::Store::Kind::cache:
                takeCache();
                break;
            case sim::Store::Kind::tlb:
                if (step.access.cpu == contents.store().cache) takePages(sim::EventKind::tlbMiss);
                break;
            case sim::Store::Kind::pages:
                takePages(sim::EventKind::pageFault);
                break;
        }
    }

    const std::vector<scene::TableChange>& changes() const { return changes_; }
    /// The access reached the store; and all that it asked for was there.
    bool isAsked() const { return isAsked_; }
    bool isHit() const { return isAsked_ && !missed_; }

  private:
    using Kind = scene::TableChange::Kind;

    void add(Kind kind, const scene::TablePlace& at, sim::BlockAddress block, bool dirty = false) {
        changes_.push_back({kind, at, block, age_, dirty});
    }

    void takeCache() {
        for (const sim::Event& e : step_.events) {
            if (!e.isInCache() || e.level != contents_.store().level || e.cache != contents_.store().cache) continue;
            const scene::TablePlace at{e.set, e.way};
            const bool asks = e.kind == sim::EventKind::hit || e.kind == sim::EventKind::miss;
            isAsked_ = isAsked_ || (asks && e.demand);
            missed_ = missed_ || (e.kind == sim::EventKind::miss && e.demand);
            if (e.kind == sim::EventKind::hit) add(Kind::hit, at, e.block);
            if (e.kind == sim::EventKind::fill) add(Kind::fill, at, e.block);
            const bool leaves = e.kind == sim::EventKind::eviction || e.kind == sim::EventKind::invalidation ||
                                e.kind == sim::EventKind::moved;
            if (leaves) add(Kind::leave, at, e.block, e.dirty);
        }
    }

    /// Pages have no events but `missing`, and for memory that a page leaves.
    void takePages(sim::EventKind missing) {
        const sim::BlockAddress first = contents_.blockOf(step_.access.address);
        const sim::BlockAddress last = contents_.blockOf(step_.access.last());
        isAsked_ = true;
        for (const sim::Event& e : step_.events) {
            if (e.kind != sim::EventKind::pageOut || missing != sim::EventKind::pageFault) continue;
            add(Kind::leave, {sim::SetIndex{0}, sim::WayIndex{e.set.value}}, e.block, e.dirty);
        }
        for (sim::BlockAddress page = first; page.value - first.value <= last.value - first.value; ++page.value) {
            const bool isMissing = std::any_of(step_.events.begin(), step_.events.end(), [&](const sim::Event& e) {
                return e.kind == missing && e.block == page;
            });
            missed_ = missed_ || isMissing;
            const auto way = contents_.find(page);
            if (way) add(isMissing ? Kind::fill : Kind::hit, {contents_.setOf(page), *way}, page);
        }
    }

    const sim::Contents& contents_;
    const sim::Step& step_;
    double age_;
    std::vector<scene::TableChange> changes_;
    bool isAsked_ = false;
    bool missed_ = false;
};

/// The question about an access to a store that is still to be answered; null if there is none.
const sim::Question* questionAbout(const sim::Store& store, const RunContext& context) {
    if (!context.prediction || context.prediction->revealed || !context.prediction->question) return nullptr;
    const sim::Question& question = *context.prediction->question;
    const bool isAsked =
        store.kind == sim::Store::Kind::cache && question.level == store.level && question.cache == store.cache;
    return isAsked ? &question : nullptr;
}

scene::TableSubject subjectOf(const sim::Contents& contents, const Opened& opened, const Picture& picture,
                              const sim::Question* question) {
    const sim::Snapshot& snapshot = picture.snapshot;
    scene::TableSubject subject{contents, opened.run->trace(), *opened.regionLooks,
                                sim::nameOf(contents.store(), opened.run->machine()), snapshot.begun()};
    for (const sim::Step& step : snapshot.recent) {
        const double age = picture.ageOf(step);
        const StoreChanges made(contents, step, age);
        for (const scene::TableChange& change : made.changes()) {
            subject.happened.insert(subject.happened.begin(), change.at);
            if (change.age < scene::kFlashMoves) subject.changes.push_back(change);
        }
        subject.access = scene::TableAccess{.access = step.access,
                                            .tick = step.tick,
                                            .block = contents.blockOf(step.access.address),
                                            .isAsked = made.isAsked(),
                                            .isHit = made.isHit(),
                                            .age = age};
    }
    if (question != nullptr) {
        subject.changes.clear();
        subject.access = scene::TableAccess{
            .access = question->access, .tick = question->tick, .block = question->block, .isQuestion = true};
        subject.happened.insert(subject.happened.begin(), {contents.setOf(question->block), sim::WayIndex{0}});
    }
    return subject;
}

/// The CPUs whose stores of that kind differ: the first of each.
std::vector<std::uint8_t> cpusOf(const ViewId& view, const sim::MachineConfig& machine) {
    std::vector<std::uint8_t> cpus;
    if (view.level == ViewId::kPages) return cpus;
    const bool isTlb = view.level == ViewId::kTlb;
    const std::uint32_t count = isTlb ? machine.cpus : machine.caches(view.level);
    for (std::uint32_t i = 0; i < count; ++i) {
        cpus.push_back(static_cast<std::uint8_t>(isTlb ? i : machine.firstCpu(view.level, i)));
    }
    return cpus;
}

std::optional<scene::TablePlace> pickedIn(const sim::Store& store, const RunContext& context) {
    const auto& place = context.viewSettings.place;
    if (!place || place->kind != sim::Place::Kind::cache || store.kind != sim::Store::Kind::cache) return std::nullopt;
    if (place->level != store.level || place->cache != store.cache) return std::nullopt;
    return scene::TablePlace{place->set, place->way};
}

}  // namespace

std::optional<sim::Store> storeOf(const ViewId& view, const sim::MachineConfig& machine) {
    if (!exists(view, machine)) return std::nullopt;
    const std::uint32_t cpu = std::min<std::uint32_t>(view.part, machine.cpus - 1);
    sim::Store store;
    if (view.level == ViewId::kPages) {
        store.kind = sim::Store::Kind::pages;
    } else if (view.level == ViewId::kTlb) {
        store = {sim::Store::Kind::tlb, 0, static_cast<std::uint8_t>(cpu)};
    } else {
        store = {sim::Store::Kind::cache, view.level, static_cast<std::uint8_t>(machine.cacheOf(view.level, cpu))};
    }
    return store;
}

struct TableViews::Elements {
    Elements(const sim::Trace& trace, const sim::ArrayShape& of) : shape(of), touches(trace, shape) {}

    sim::ArrayShape shape;
    sim::ElementTouches touches;
};

TableViews::TableViews(const ViewSources& sources) : opened_(sources.opened), rings_(sources.rings) {
    const sim::Trace& trace = opened_.run->trace();
    if (!trace.hasValues()) return;
    for (std::size_t r = 0; r < trace.regions().size(); ++r) {
        const auto shape = sim::ArrayShape::of(trace, r);
        const bool isKept = shape && shape->elements() <= sim::ElementTouches::kMostElements;
        if (isKept) elements_.emplace(r, std::make_unique<Elements>(trace, *shape));
    }
}

TableViews::~TableViews() = default;

/// The values of a block's elements, as far as they are known.
std::string TableViews::valuesOf(const sim::Contents& contents, sim::BlockAddress block, sim::Tick now) {
    const sim::Trace& trace = opened_.run->trace();
    const sim::ByteAddress base = contents.addressOf(block);
    const auto known = elements_.find(trace.regionAt(base));
    if (known == elements_.end()) return "";
    Elements& elements = *known->second;
    elements.touches.moveTo(now);
    std::string words;
    const sim::ByteAddress last{base.value + (contents.block() - 1)};
    elements.shape.forEachIn(base, last, [&](std::uint64_t element) {
        const auto touched = elements.touches.last(element);
        const auto value = touched ? trace.valueAt(*touched) : std::nullopt;
        words += (words.empty() ? "" : " ") + (value ? sim::valueInText(*value) : "·");
    });
    return words;
}

/// Blocks have data where the program tells its values.
void TableViews::addData(scene::TableSubject& subject) {
    if (elements_.empty() || subject.contents.store().kind != sim::Store::Kind::cache) return;
    std::uint64_t least = subject.contents.block();
    for (const auto& [region, elements] : elements_) {
        least = std::min<std::uint64_t>(least, elements->shape.elementSize());
    }
    subject.elements = static_cast<std::size_t>(subject.contents.block() / least);
    subject.data = [this, &subject](sim::BlockAddress block) { return valuesOf(subject.contents, block, subject.now); };
}

const TableViews::View* TableViews::view(const ViewQuery& query) {
    const Picture* const picture = rings_.picture();
    const auto store = storeOf(query.view, opened_.run->machine());
    if (picture == nullptr || !store) return nullptr;
    const sim::Question* const question = questionAbout(*store, query.context);
    View& v = views_[query.view.withoutRun()];
    Key key{.time = picture->time(),
            .asks = question != nullptr,
            .look = {chartLook(query.context, query.size, query.scale), query.context.ringView.hues,
                     pickedIn(*store, query.context)}};
    if (cpusOf(query.view, opened_.run->machine()).size() < 2) key.look.controls = 0;
    if (v.key == key) return &v;
    const sim::Contents contents(picture->snapshot.now.hierarchy(), *store);
    scene::TableSubject subject = subjectOf(contents, opened_, *picture, question);
    addData(subject);
    v.frame = scene::tableFrame(subject, key.look);
    v.scene = scene::tableScene(subject, key.look, v.frame);
    v.key = std::move(key);
    return &v;
}

TileScene TableViews::pictureOf(const ViewQuery& query) {
    const View* const v = view(query);
    return v == nullptr ? TileScene() : TileScene(&v->scene);
}

scene::PixelBox TableViews::mouseArea(const ViewQuery& query) {
    const View* const v = view(query);
    return v == nullptr ? scene::PixelBox{} : v->frame.body;
}

ViewControls TableViews::controls(const ViewQuery& query) {
    ViewControls controls;
    const std::vector<std::uint8_t> cpus = cpusOf(query.view, opened_.run->machine());
    if (cpus.size() < 2) return controls;
    const auto tableOf = [&](std::uint8_t cpu) {
        ViewId view = query.view.withoutRun();
        view.part = cpu;
        return ViewControl::Option{fmt::format("CPU {}", cpu), command::View{view}};
    };
    const auto shown = std::find(cpus.begin(), cpus.end(), query.view.part);
    controls.choose("CPU", "show or hide the table of another CPU's cache",
                    {80, optionsOf(cpus, tableOf), static_cast<std::size_t>(shown - cpus.begin())});
    return controls;
}

std::vector<std::string> TableViews::describe(const sim::Store& store, const scene::TablePlace& place) const {
    const sim::Snapshot& snapshot = rings_.picture()->snapshot;
    const sim::Contents contents(snapshot.now.hierarchy(), store);
    const std::string name = sim::nameOf(store, opened_.run->machine());
    const bool isMemory = store.kind == sim::Store::Kind::pages;
    std::vector<std::string> lines{isMemory
                                       ? fmt::format("frame {} of memory", place.way.value)
                                       : fmt::format("{}, set {}, way {}", name, place.set.value, place.way.value)};
    const std::vector<sim::WayContents> ways = contents.set(place.set);
    if (place.way.value >= ways.size() || !ways[place.way.value].valid) {
        lines.emplace_back("empty");
        return lines;
    }
    const sim::WayContents& way = ways[place.way.value];
    const sim::ByteAddress base = contents.addressOf(way.block);
    lines.push_back(fmt::format(
        "{}: {:#x} to {:#x}",
        opened_.run->trace().placeOf(sim::namedByteOf(contents, opened_.run->trace(), way.block), snapshot.begun()),
        base.value, base.value + (contents.block() - 1)));
    if (contents.sets() > 1) lines.push_back(fmt::format("tag {:#x}", contents.tagOf(way.block)));
    if (store.kind != sim::Store::Kind::tlb) {
        lines.emplace_back(way.dirty ? "dirty: written back when it leaves" : "clean");
    }
    const bool isFull = ways.size() == contents.ways() &&
                        std::all_of(ways.begin(), ways.end(), [](const sim::WayContents& w) { return w.valid; });
    if (!contents.hasOrder()) return lines;
    const std::uint64_t before = contents.ways() - 1 - way.rank;
    lines.push_back(!isFull       ? "nothing leaves yet: there is room"
                    : before == 0 ? "leaves next"
                                  : fmt::format("{} before it", sim::counted(before, "block leaves", "blocks leave")));
    return lines;
}

std::optional<Hit> TableViews::hitAt(const ViewQuery& query, glm::ivec2 at) {
    const View* const v = view(query);
    const auto store = storeOf(query.view, opened_.run->machine());
    const auto place = v == nullptr ? std::nullopt : scene::tablePlaceAt(v->frame, at);
    if (!place || !store) return std::nullopt;
    Hit hit{.box = v->frame.boxOf(*v->frame.lineOf(*place), place->way.value),
            .describe = [this, store = *store, place = *place] { return describe(store, place); }};
    if (store->kind != sim::Store::Kind::cache) return hit;
    const Command pick = command::PickWay{store->level, store->cache, place->set, place->way};
    hit.click = {pick, command::PredictWay{store->level, store->cache, place->set, place->way}};
    hit.shift = Commands{pick, command::HistoryShow{}};
    return hit;
}

}  // namespace whorl::app
