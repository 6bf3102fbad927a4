#include "app/views/cells/cell_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <glm/common.hpp>
#include <utility>

#include "app/session/range.h"
#include "app/views/cells/cell_colouring.h"
#include "app/views/cells/describe_cell.h"
#include "render/scene/cells/cell_inset.h"
#include "render/scene/palette.h"
#include "sim/analysis/causes.h"
#include "sim/report/report.h"

namespace whorl::app {

namespace {

using Metric = scene::CellMetric;

constexpr float kDeskText = 14;
constexpr float kLectureText = 26;
constexpr float kControlHeight = 26;
/// Live views look back at least so far: what was touched earlier is not told apart from what never was.
constexpr std::uint64_t kLookback = 100'000;
/// The newest lines of conflict, and the largest number of outlines, in a picture.
constexpr std::size_t kMostLines = 2000;
constexpr std::size_t kMostOutlines = 2000;
constexpr std::size_t kMostPages = 4000;
constexpr std::size_t kMostMoving = 200'000;  ///< cells that move when ways are interleaved
constexpr int kGoodPixels = 12;               ///< cells that large need not become larger
constexpr int kEnoughPixels = 6;              ///< … of memory, whose rows are best as long as one way of L1
constexpr int kMostPixels = 24;               ///< of a cell of memory, unless zoomed by hand
constexpr int kMostCachePixels = 40;          ///< … of a cache

bool isLive(const ViewId& view) {
    return scene::isLive(*view.cells());
}
bool isMemory(const ViewId& view) {
    return scene::isOfMemory(*view.cells());
}

/// Bytes of one way of a level: what lies so far apart competes for the same set.
std::uint64_t wayOf(const sim::LevelConfig& level) {
    return std::uint64_t{level.sets()} * level.block;
}

/// Bytes of a page: the machine's, or the usual.
std::uint64_t pageOf(const sim::MachineConfig& machine) {
    if (machine.tlb.entries > 0) return machine.tlb.page;
    return machine.memory.isBounded() ? machine.memory.page : 4096;
}

}  // namespace

namespace {

/// Whose misses caused what, see sim::causesOf.
struct CausesRequest {
    sim::Range range;
    sim::ByteAddress victim;
    std::uint64_t bytes = 0;
    std::uint64_t group = 0;
    bool operator==(const CausesRequest&) const = default;
};
using SharedCauses = std::shared_ptr<const sim::Causes>;

}  // namespace

struct CellViews::View {
    View(TaskRunner& runner, const Opened& opened)
        : memoryTables(runner, sim::cellsOf),
          cacheTables(runner, sim::cacheCellsOf),
          causes(runner),
          activity(opened.run) {}

    MemoryTables memoryTables;
    CacheTables cacheTables;
    LatestTask<CausesRequest, SharedCauses> causes;
    sim::ActivityReader activity;

    // Where the cells are. The numbers that the arrangement was chosen for:
    struct ArrangedFor {
        std::uint64_t cell = 0;
        std::uint32_t columns = 0;
        scene::MemoryGroups groups{};
        scene::MemoryCurve curve{};
        std::uint64_t piece = 0;
        scene::FlowLook flow;
        bool operator==(const ArrangedFor&) const = default;
    };
    std::optional<ArrangedFor> arrangedFor;
    std::optional<scene::MemoryCells> memory;
    std::optional<scene::CacheArray> array;
    std::optional<scene::CacheArray> arrayBefore;
    scene::CellFit fitting;
    scene::FlowLook flowLook;
    /// What the groups are sorted by, and their order; empty: by address.
    struct OrderedBy {
        CellOrder order = CellOrder::address;
        const void* numbers = nullptr;
        std::optional<scene::MemoryShape> shape;
        bool operator==(const OrderedBy&) const = default;
    };
    OrderedBy orderedBy;
    std::vector<std::uint32_t> order;
    std::optional<scene::CellFlow> flow;
    std::optional<scene::CellFlow> flowBefore;
    CellSight sight;
    scene::PixelBox area;
    std::optional<scene::CellInset> inset;

    // The numbers of a static view.
    struct ValuesOf {
        const void* table = nullptr;
        scene::CellQuantity quantity;
        std::optional<scene::MemoryShape> shape;
        std::optional<scene::CacheArrayShape> arrayShape;
        bool operator==(const ValuesOf&) const = default;
    };
    std::optional<ValuesOf> valuesOf;
    std::optional<scene::FoldedValues> values;

    std::optional<Key> key;
    scene::FlatScene picture;
    std::uint8_t level = 0;
    std::uint8_t cache = 0;

    const scene::CellGroups& groups() const { return memory ? memory->groups() : array->groups(); }
};

CellViews::CellViews(Opened opened, TaskRunner& runner) : opened_(std::move(opened)), runner_(runner) {}

CellViews::~CellViews() = default;

int CellViews::controlHeight(const Session& session, float scale) {
    return session.panels ? static_cast<int>(std::lround(kControlHeight * scale)) : 0;
}

CellViews::View& CellViews::at(const ViewId& view) {
    std::unique_ptr<View>& v = views_[view.withoutRun()];
    if (!v) v = std::make_unique<View>(runner_, opened_);
    return *v;
}

const CellViews::View* CellViews::find(const ViewId& view) const {
    const auto known = views_.find(view.withoutRun());
    return known == views_.end() ? nullptr : known->second.get();
}

scene::CellQuantity CellViews::quantityOf(const ViewId& view, const CellChoice& choice) const {
    scene::CellQuantity quantity = choice.quantity.value_or(scene::usualQuantity(*view.cells()));
    if (!isMemory(view)) quantity.level = view.level;
    if (quantity.level >= machine().levels.size()) quantity.level = 0;
    return quantity;
}

sim::Range CellViews::rangeOf(const CellChoice& choice, const Session& session) const {
    if (choice.range) return *choice.range;
    return session.range.value_or(sim::Range{sim::Tick{0}, sim::Tick{trace().size()}});
}

void CellViews::update(const Session& session) {
    for (const ViewId& view : session.viewSettings.shown) {
        if (!view.cells() || isLive(view)) continue;
        const CellChoice& choice = session.viewSettings.cellsOf(view);
        const sim::Range range = rangeOf(choice, session);
        const bool isThere =
            opened_.run->complete() || (range.to <= opened_.run->built() && range.size() < trace().size());
        if (!isThere || range.size() == 0) continue;
        View& v = at(view);
        if (isMemory(view)) {
            const std::uint64_t cell = choice.cell == 0 ? machine().levels[0].block : choice.cell;
            v.memoryTables.ask(opened_.run, {.range = range, .grain = std::max(cell, scene::kLeastCell)});
            if (choice.order == CellOrder::caused) askCauses(v, choice, range);
        } else {
            v.cacheTables.ask(opened_.run, {.range = range, .level = view.level});
        }
    }
}

/// The misses in the group that holds the victim, by the block whose access caused them.
void CellViews::askCauses(View& v, const CellChoice& choice, const sim::Range& range) const {
    sim::ByteAddress first = choice.victim;
    std::uint64_t bytes = machine().levels[0].block;
    if (choice.groups == scene::MemoryGroups::pieces) {
        bytes = choice.piece;
        first = sim::ByteAddress{choice.victim.value / bytes * bytes};
    } else if (const std::size_t region = trace().regionAt(choice.victim); region < trace().regions().size()) {
        first = trace().regions()[region].base;
        bytes = std::max<std::uint64_t>(1, trace().regions()[region].size);
    }
    const CausesRequest request{range, first, bytes, machine().levels[0].block};
    v.causes.ask(request, [run = opened_.run, request](sim::Progress& progress) -> sim::Expected<SharedCauses> {
        auto causes = sim::causesOf(*run, request.range, 0, request.victim, request.bytes, request.group, progress);
        if (!causes) return tl::unexpected(sim::Error::byUser());
        return std::make_shared<const sim::Causes>(*std::move(causes));
    });
    v.causes.update();
}

void CellViews::cancel() {
    for (const auto& [id, view] : views_) {
        view->memoryTables.cancel();
        view->cacheTables.cancel();
        view->causes.cancel();
    }
}

bool CellViews::working() const {
    return std::any_of(views_.begin(), views_.end(), [](const auto& v) {
        return v.second->memoryTables.working() || v.second->cacheTables.working() || v.second->causes.working();
    });
}

double CellViews::fraction(const ViewId& view) const {
    const View* const v = find(view);
    if (v == nullptr) return -1;
    return std::max(v->memoryTables.fraction(), v->cacheTables.fraction());
}

std::optional<sim::Error> CellViews::takeError() {
    for (const auto& [id, view] : views_) {
        if (auto error = view->memoryTables.takeError()) return error;
        if (auto error = view->cacheTables.takeError()) return error;
    }
    return std::nullopt;
}

CellViews::Key CellViews::keyOf(const ViewId& view, const Session& session, glm::ivec2 size, float scale) const {
    const View* const v = find(view);
    Key key{.choice = session.viewSettings.cellsOf(view),
            .size = size,
            .scale = scale,
            .ground = session.ground,
            .lecture = session.look.lecture,
            .controls = session.panels,
            .object = session.viewSettings.object,
            .marked = session.marked(),
            .watched = session.watched,
            .hues = session.look.hues,
            .built = opened_.run->built()};
    key.choice.wantedZoom = 0;
    key.choice.wantedPan = {0, 0};
    if (isLive(view)) {
        key.t = std::min(session.player.position(), static_cast<double>(key.built.value));
    } else {
        key.choice.range = rangeOf(key.choice, session);
        key.table = isMemory(view) ? static_cast<const void*>(v->memoryTables.table().get())
                                   : static_cast<const void*>(v->cacheTables.table().get());
        key.causes = v->causes.answer() ? v->causes.answer()->get() : nullptr;
        key.built = sim::Tick{0};
    }
    return key;
}

scene::CellLook CellViews::lookOf(const ViewId& view, const Session& session, const Key& key) const {
    const scene::CellQuantity quantity = quantityOf(view, key.choice);
    scene::CellLook look;
    look.size = key.size;
    look.ground = key.ground;
    look.text = std::round((key.lecture ? kLectureText : kDeskText) * key.scale);
    look.controls = controlHeight(session, key.scale);
    const bool named = isMemory(view) && scene::kindOf(quantity.metric).ofLevel;
    look.title = fmt::format("{}: {}", titleOf(view.withoutRun(), machine()),
                             named ? inWords(quantity, machine()) : std::string(scene::kindOf(quantity.metric).words));
    if (isLive(view)) {
        look.span = fmt::format("after {} accesses", sim::grouped(static_cast<std::uint64_t>(std::ceil(key.t))));
    } else {
        look.span = inWords(*key.choice.range);
    }
    return look;
}

const scene::FlatScene& CellViews::scene(const ViewId& view, const Session& session, glm::ivec2 size, float scale) {
    View& v = at(view);
    Key key = keyOf(view, session, size, scale);
    if (v.key == key) return v.picture;
    scene::CellLook look = lookOf(view, session, key);
    v.picture = isMemory(view) ? memoryPicture(v, view, session, key, std::move(look))
                               : cachePicture(v, view, session, key, std::move(look));
    v.key = std::move(key);
    return v.picture;
}

void CellViews::arrangeMemory(View& v, const Key& key, const scene::FlowLook& flow) const {
    const CellChoice& choice = key.choice;
    const auto& table = v.memoryTables.table();
    std::uint64_t cell = choice.cell == 0 ? machine().levels[0].block : choice.cell;
    cell = std::clamp(cell, scene::kLeastCell, scene::kMostCell);
    if (key.table != nullptr && table) cell = std::max(cell, table->grain());
    const View::ArrangedFor wanted{cell, choice.columns, choice.groups, choice.curve, choice.piece, flow};
    if (v.arrangedFor == wanted) return;
    v.arrangedFor = wanted;
    scene::MemoryShape shape{.cell = cell,
                             .columns = 1,
                             .groups = choice.groups,
                             .curve = choice.curve,
                             .piece = std::max(choice.piece, cell)};
    const auto most = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
        choice.groups == scene::MemoryGroups::pieces ? shape.piece / cell : scene::kMostColumns, 1,
        scene::kMostColumns));
    if (choice.columns != 0) {
        shape.columns = std::min(choice.columns, most);
        v.memory.emplace(trace(), shape);
        v.fitting = fitOf(v.memory->groups(), flow, kMostPixels);
        return;
    }
    // One way of L1, halved until the cells are large enough.
    const auto way = static_cast<std::uint32_t>(
        std::bit_floor(std::clamp<std::uint64_t>(wayOf(machine().levels[0]) / cell, 8, most)));
    v.memory.reset();
    for (std::uint32_t columns = std::min(way, most); columns >= std::min(8u, most) && columns > 0; columns /= 2) {
        shape.columns = columns;
        scene::MemoryCells cells(trace(), shape);
        const scene::CellFit fit = fitOf(cells.groups(), flow, kMostPixels);
        if (v.memory && fit.scale.size() < 1.5 * v.fitting.scale.size()) continue;
        v.memory.emplace(std::move(cells));
        v.fitting = fit;
        if (fit.scale.pixels >= kEnoughPixels) break;
    }
}

void CellViews::arrangeCache(View& v, const ViewId& view, const Key& key, const scene::FlowLook& flow) const {
    const sim::LevelConfig& level = machine().levels[view.level];
    const std::uint64_t nearer = view.level == 0 ? 0 : machine().levels[view.level - 1u].sets();
    scene::CacheArrayShape shape{
        .sets = level.sets(), .ways = level.ways, .columns = key.choice.columns, .interleaved = key.choice.interleaved};
    const bool isChosen = shape.columns != 0;
    if (!isChosen) shape.columns = scene::usualColumns(shape.sets, nearer);
    shape.columns = std::min(shape.columns, std::bit_ceil(shape.sets));
    v.array.emplace(shape);
    v.level = view.level;
    v.cache = static_cast<std::uint8_t>(
        machine().cacheOf(view.level, std::min<std::uint32_t>(view.part, machine().cpus - 1)));
    v.fitting = fitOf(v.array->groups(), flow, kMostCachePixels);
    // Rows are halved while that makes the cells much larger.
    while (!isChosen && shape.columns > 1 && v.fitting.scale.pixels < kGoodPixels) {
        scene::CacheArrayShape narrower = shape;
        narrower.columns /= 2;
        const scene::CacheArray array(narrower);
        const scene::CellFit fit = fitOf(array.groups(), flow, kMostCachePixels);
        shape = narrower;
        if (fit.scale.size() < 1.5 * v.fitting.scale.size()) continue;
        v.array.emplace(narrower);
        v.fitting = fit;
    }
    shape = v.array->shape();
    shape.interleaved = !shape.interleaved;
    v.arrayBefore.emplace(shape);
}

/// The order of the groups: what belongs to the group before it stays behind that. Without the numbers yet it is by
/// address.
void CellViews::orderGroups(View& v, const Key& key) const {
    const auto& table = v.memoryTables.table();
    const bool isCaused = key.choice.order == CellOrder::caused;
    const sim::Causes* const causes = v.causes.answer() ? v.causes.answer()->get() : nullptr;
    const View::OrderedBy wanted{key.choice.order,
                                 isCaused ? static_cast<const void*>(causes) : static_cast<const void*>(table.get()),
                                 v.memory->shape()};
    if (v.orderedBy == wanted) return;
    v.orderedBy = wanted;
    v.order.clear();
    if (wanted.order == CellOrder::address || wanted.numbers == nullptr) return;
    const std::vector<scene::CellGroup>& groups = v.memory->groups().groups;
    const auto numberOf = [&](std::uint32_t g) -> std::uint64_t {
        const sim::ByteAddress first = v.memory->firstOf(g);
        const sim::ByteAddress last = v.memory->lastOf(g);
        if (isCaused) {
            std::uint64_t sum = 0;
            const auto before = [](const auto& m, sim::ByteAddress a) { return m.first < a; };
            for (auto m = std::lower_bound(causes->misses.begin(), causes->misses.end(), first, before);
                 m != causes->misses.end() && m->first <= last; ++m) {
                sum += m->second;
            }
            return sum;
        }
        const sim::CellSums sums = table->sums(first, last.value - first.value + 1);
        return wanted.order == CellOrder::penalty ? sums.penalty : sums.misses[0];
    };
    struct Part {
        std::uint64_t number = 0;
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };
    std::vector<Part> parts;
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
        if (!groups[g].follows || parts.empty()) parts.push_back({0, g, 0});
        parts.back().number += numberOf(g);
        ++parts.back().count;
    }
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.number > b.number; });
    for (const Part& part : parts) {
        for (std::uint32_t i = 0; i < part.count; ++i) v.order.push_back(part.first + i);
    }
}

/// The part of the cells that is seen: the one chosen by hand, kept within them, or all.
void CellViews::showSight(View& v, const Key& key, scene::FlowLook flow) const {
    flow.isWhole = v.fitting.isWhole;
    v.sight = key.choice.sight.value_or(CellSight{v.fitting.scale, {0, 0}});
    v.flow.emplace(v.groups(), v.order, v.sight.scale, flow);
    v.flowLook = flow;
    const glm::ivec2 room = glm::max(glm::ivec2(0), v.flow->size() - flow.room);
    v.sight.scroll = glm::clamp(v.sight.scroll, glm::ivec2(0), room);
}

/// The numbers of a static view, made anew when the sums, the metric or the places change.
void CellViews::makeValues(View& v, const scene::CellQuantity& quantity, bool isOfMemory) const {
    const View::ValuesOf wanted{
        .table = isOfMemory ? static_cast<const void*>(v.memoryTables.table().get()) : v.cacheTables.table().get(),
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

/// What is to be said of sums that are not those of the range, or not exact.
template <class Table>
void CellViews::noteState(scene::CellLook& look, const std::shared_ptr<const Table>& table, const Key& key) {
    if (!table || table->range() != *key.choice.range) {
        look.span += ", being computed";
    } else if (table->share() < 1) {
        look.span += fmt::format(", estimated from {:.1f} % of them", 100 * table->share());
    }
}

void CellViews::addPageSigns(scene::CellKey& key, scene::Ground ground) const {
    const scene::CellPalette& palette = scene::cellPaletteFor(ground);
    if (machine().tlb.entries > 0) key.signs.push_back({"page in the TLB", palette.pageInTlb, true});
    key.signs.push_back({machine().tlb.entries > 0 ? "in memory only" : "page in memory", palette.pageInMemory, true});
    if (machine().memory.isBounded()) key.signs.push_back({"on disk", palette.pageOnDisk, true});
}

void CellViews::noteFold(scene::CellLook& look, const scene::CellScale& scale) {
    if (scale.fold == 0) return;
    const int side = 1 << scale.fold;
    const std::string words = fmt::format("a pixel shows the largest of {} x {} cells", side, side);
    look.key.note += (look.key.note.empty() ? "" : "; ") + words;
}

scene::FlatScene CellViews::memoryPicture(View& v, const ViewId& view, const Session& session, const Key& key,
                                          scene::CellLook look) const {
    const scene::CellQuantity quantity = quantityOf(view, key.choice);
    ColouringOf colouring{.quantity = quantity,
                          .choice = key.choice,
                          .machine = machine(),
                          .trace = trace(),
                          .ground = key.ground,
                          .hues = key.hues,
                          .most = 1e6f};
    scene::CellKey usual = colouringOf(colouring).key;
    if (key.choice.pages && knowsPages(view)) addPageSigns(usual, key.ground);
    look.keyRoom = keyHeight(usual, look.keyWidth(), look.text);
    const scene::FlowLook flow = flowLookOf(look);
    arrangeMemory(v, key, flow);
    orderGroups(v, key);
    showSight(v, key, flow);
    v.area = cellArea(look);

    const scene::CellMoment moment{key.t, key.choice.halfLife};
    const sim::Activity* activity = nullptr;
    if (isLive(view)) {
        const bool glows = quantity.metric == Metric::glow;
        const std::uint64_t reach = std::max(sim::reachOf(key.choice.halfLife), glows ? 0 : kLookback);
        activity = &v.activity.at(key.t, {.lookback = reach, .cacheLevel = {}});
        v.values.emplace(memoryNow(quantity, *activity, *v.memory, moment));
    } else {
        makeValues(v, quantity, true);
        noteState(look, v.memoryTables.table(), key);
    }
    colouring.most = v.values->at(0).most();
    Colouring colours = colouringOf(colouring);
    look.key = std::move(colours.key);
    noteFold(look, v.sight.scale);
    if (key.choice.pages && knowsPages(view)) addPageSigns(look.key, key.ground);

    scene::MemoryPicture picture{.cells = *v.memory,
                                 .flow = *v.flow,
                                 .values = v.values->at(v.sight.scale.fold),
                                 .colourOf = std::move(colours.colourOf),
                                 .scroll = v.sight.scroll};
    addBoundaries(picture, view, key);
    addOutlines(picture, view, session, key);
    if (activity != nullptr && key.choice.pages && knowsPages(view)) addPages(picture, *activity, key);
    if (activity != nullptr) addConflicts(picture, *activity, moment, key);
    addMarks(picture, session, key);
    scene::FlatScene scene = memoryScene(picture, look);
    addInset(v, scene, picture.colourOf, v.memory->shape().curve);
    return scene;
}

/// While not all cells are seen, all of them small in a corner.
void CellViews::addInset(View& v, scene::FlatScene& scene, const scene::EntryColour& colourOf,
                         scene::MemoryCurve curve) {
    v.inset.reset();
    const bool isZoomed = v.flow->size().x > v.flowLook.room.x || v.flow->size().y > v.flowLook.room.y;
    if (!isZoomed || !scene::CellInset::fits(v.area)) return;
    v.inset.emplace(v.groups(), v.order, v.area);
    v.inset->paint(scene, *v.values, colourOf, curve, *v.flow, {v.area, v.sight.scroll});
}

void CellViews::addBoundaries(scene::MemoryPicture& picture, const ViewId& view, const Key& key) const {
    const scene::CellPalette& palette = scene::cellPaletteFor(key.ground);
    const std::vector<sim::LevelConfig>& levels = machine().levels;
    if (key.choice.boundaries) picture.boundaries.push_back({wayOf(levels[0]), 1, palette.boundary});
    if (key.choice.boundaries2 && levels.size() > 1) {
        picture.boundaries.push_back({wayOf(levels[1]), 2, palette.boundary2});
    }
    if (key.choice.pages && !knowsPages(view)) picture.boundaries.push_back({pageOf(machine()), 1, palette.page});
}

/// Whether the state of a page at the playhead is known.
bool CellViews::knowsPages(const ViewId& view) const {
    return isLive(view) && (machine().tlb.entries > 0 || machine().memory.isBounded());
}

/// The edge of each page in the colour of its state: in a TLB, in memory, or on disk.
void CellViews::addPages(scene::MemoryPicture& picture, const sim::Activity& activity, const Key& key) const {
    const scene::CellPalette& palette = scene::cellPaletteFor(key.ground);
    const sim::Hierarchy& hierarchy = activity.now.hierarchy();
    const std::uint64_t page = pageOf(machine());
    const auto isInTlb = [&](sim::BlockAddress number) {
        for (std::uint32_t cpu = 0; cpu < machine().cpus; ++cpu) {
            if (hierarchy.tlb(cpu) != nullptr && hierarchy.tlb(cpu)->holds(number)) return true;
        }
        return false;
    };
    for (std::uint32_t g = 0; g < picture.cells.groups().groups.size(); ++g) {
        const std::uint64_t last = picture.cells.lastOf(g).value / page;
        for (std::uint64_t number = picture.cells.firstOf(g).value / page; number <= last; ++number) {
            if (picture.pages.size() >= kMostPages) return;
            const sim::BlockAddress block{number};
            const bool isThere = hierarchy.pages() == nullptr || hierarchy.pages()->holds(block);
            picture.pages.push_back({sim::ByteAddress{number * page}, page,
                                     isInTlb(block) ? palette.pageInTlb
                                     : isThere      ? palette.pageInMemory
                                                    : palette.pageOnDisk});
        }
    }
}

/// Regions, where they are not apart already, and in live views the objects that live now.
void CellViews::addOutlines(scene::MemoryPicture& picture, const ViewId& view, const Session& session,
                            const Key& key) const {
    const scene::CellPalette& palette = scene::cellPaletteFor(key.ground);
    if (key.choice.groups != scene::MemoryGroups::regions) {
        for (const sim::Region& r : trace().regions()) {
            if (r.size == 0 || picture.outlines.size() >= kMostOutlines) continue;
            picture.outlines.push_back(
                {r.base, sim::ByteAddress{r.base.value + (r.size - 1)}, r.name, palette.outline, 1});
        }
    }
    if (isLive(view)) {
        const sim::Tick now{static_cast<std::uint64_t>(std::ceil(key.t))};
        for (const sim::Object& o : trace().objects()) {
            const bool lives = o.born <= now && now < o.died && o.size > 0;
            if (!lives || picture.outlines.size() >= kMostOutlines) continue;
            picture.outlines.push_back(
                {o.base, sim::ByteAddress{o.base.value + (o.size - 1)}, o.name, palette.outline, 1});
        }
    }
    const auto& pick = session.viewSettings.object;
    if (!pick) return;
    const scene::Rgba mark = scene::paletteFor(key.ground).mark;
    const auto outline = [&](sim::ByteAddress base, std::uint64_t size, std::string name) {
        picture.marks.push_back({base, sim::ByteAddress{base.value + (size - 1)}, std::move(name), mark, 2});
    };
    if (pick->kind == sim::CostNode::Kind::object && pick->id < trace().objects().size()) {
        const sim::Object& o = trace().objects()[pick->id];
        if (o.size > 0) outline(o.base, o.size, o.name);
    } else if (pick->kind == sim::CostNode::Kind::region && pick->id < trace().regions().size()) {
        const sim::Region& r = trace().regions()[pick->id];
        if (r.size > 0) outline(r.base, r.size, r.name);
    } else if (pick->kind == sim::CostNode::Kind::word) {
        outline(pick->address, 1, {});
    }
}

void CellViews::addConflicts(scene::MemoryPicture& picture, const sim::Activity& activity,
                             const scene::CellMoment& moment, const Key& key) const {
    if (!key.choice.conflictLevel || *key.choice.conflictLevel >= machine().levels.size()) return;
    const std::uint8_t level = *key.choice.conflictLevel;
    const std::uint64_t size = machine().levels[level].block;
    // The newest first, as only so many are drawn.
    for (std::size_t i = activity.replacements.size(); i-- > 0;) {
        const sim::Replacement& r = activity.replacements[i];
        if (r.level != level) continue;
        const float light = lightOf(r.tick, moment);
        if (light == 0 || picture.conflicts.size() >= kMostLines) break;
        picture.conflicts.push_back({sim::ByteAddress{r.in.value * size}, sim::ByteAddress{r.out.value * size}, light});
    }
    // The newest on top.
    std::reverse(picture.conflicts.begin(), picture.conflicts.end());
}

void CellViews::addMarks(scene::MemoryPicture& picture, const Session& session, const Key& key) const {
    const scene::Palette& palette = scene::paletteFor(key.ground);
    const std::uint64_t block = machine().levels[0].block;
    const auto mark = [&](sim::ByteAddress byte, scene::Rgba colour) {
        const std::uint64_t first = byte.value / block * block;
        picture.marks.push_back({sim::ByteAddress{first}, sim::ByteAddress{first + (block - 1)}, {}, colour, 2});
    };
    for (const sim::ByteAddress byte : session.watched) mark(byte, palette.watch);
    if (const auto byte = session.marked()) mark(*byte, palette.mark);
}

scene::FlatScene CellViews::cachePicture(View& v, const ViewId& view, const Session& session, const Key& key,
                                         scene::CellLook look) const {
    const scene::CellQuantity quantity = quantityOf(view, key.choice);
    ColouringOf colouring{.quantity = quantity,
                          .choice = key.choice,
                          .machine = machine(),
                          .trace = trace(),
                          .ground = key.ground,
                          .hues = key.hues,
                          .most = 1e6f};
    look.keyRoom = keyHeight(colouringOf(colouring).key, look.keyWidth(), look.text);
    const scene::FlowLook flow = flowLookOf(look);
    arrangeCache(v, view, key, flow);
    showSight(v, key, flow);
    v.area = cellArea(look);

    const sim::Activity* activity = nullptr;
    if (isLive(view)) {
        const bool glows = quantity.metric == Metric::glow;
        const std::uint64_t reach = std::max(sim::reachOf(key.choice.halfLife), glows ? 0 : kLookback);
        activity = &v.activity.at(key.t, {.lookback = reach, .cacheLevel = view.level});
        v.values.emplace(
            cacheNow(quantity.metric, *activity, view.level, v.cache, *v.array, trace(), {key.t, key.choice.halfLife}));
    } else {
        makeValues(v, quantity, false);
        noteState(look, v.cacheTables.table(), key);
    }
    colouring.most = v.values->at(0).most();
    Colouring colours = colouringOf(colouring);
    look.key = std::move(colours.key);
    noteFold(look, v.sight.scale);

    scene::CachePicture picture{.array = *v.array,
                                .flow = *v.flow,
                                .values = v.values->at(v.sight.scale.fold),
                                .colourOf = std::move(colours.colourOf),
                                .scroll = v.sight.scroll,
                                .mark = scene::paletteFor(key.ground).mark};
    const float towards = key.choice.interleaved ? key.choice.interleavedShare : 1 - key.choice.interleavedShare;
    if (towards < 1 && v.values->at(0).size() <= kMostMoving && v.sight.scale.fold == 0) {
        v.flowBefore.emplace(v.arrayBefore->groups(), std::vector<std::uint32_t>{}, v.sight.scale, v.flowLook);
        picture.before = &*v.arrayBefore;
        picture.flowBefore = &*v.flowBefore;
        picture.share = towards * towards * (3 - 2 * towards);
    }
    addCacheMarks(picture, v, view, session, activity);
    scene::FlatScene scene = cacheScene(picture, look);
    addInset(v, scene, picture.colourOf, scene::MemoryCurve::linear);
    return scene;
}

/// The cell that the selected block is in now, in a live view; and the one that was picked as a set and way.
void CellViews::addCacheMarks(scene::CachePicture& picture, const View& v, const ViewId& view, const Session& session,
                              const sim::Activity* activity) const {
    const auto byte = session.marked();
    if (!byte || activity == nullptr) return;
    const sim::Cache& cache = activity->now.hierarchy().cache(view.level, v.cache);
    const sim::BlockAddress block = cache.blockOf(*byte);
    const std::uint32_t way = cache.find(block);
    if (way == sim::Cache::kNoWay) return;
    picture.marks.push_back(v.array->placeOf({cache.setOf(block), sim::WayIndex{way}}));
}

std::optional<CellUnder> CellViews::under(const ViewId& view, glm::ivec2 at) const {
    const View* const v = find(view);
    if (v == nullptr || !v->flow || !v->area.contains(at) || isInset(view, at)) return std::nullopt;
    const scene::CellWindow window{v->area, v->sight.scroll};
    const auto place = v->flow->at(window.toContent(at));
    const auto box = place ? v->flow->boxOf(*place) : std::nullopt;
    if (!box) return std::nullopt;
    CellUnder cell{.place = *place, .box = window.toPicture(*box), .level = v->level, .cache = v->cache};
    if (isMemory(view)) {
        cell.from = v->memory->addressAt(*place);
        cell.bytes = v->memory->shape().cell;
        if (!cell.from) return std::nullopt;
    } else {
        cell.cell = v->array->at(*place);
        if (!cell.cell) return std::nullopt;
    }
    return cell;
}

std::vector<std::string> CellViews::describe(const ViewId& view, const Session& session, const CellUnder& cell) {
    View* const v = &at(view);
    const CellChoice& choice = session.viewSettings.cellsOf(view);
    if (isLive(view)) {
        const sim::Activity* const activity = v->activity.last();
        return activity == nullptr ? std::vector<std::string>{} : describeNow(cell, *activity, {trace(), machine()});
    }
    if (isMemory(view)) {
        const auto& table = v->memoryTables.table();
        return table ? describeMemory(cell, *table, {trace(), machine()}, rangeOf(choice, session))
                     : std::vector<std::string>{};
    }
    const auto& table = v->cacheTables.table();
    return table ? describeCache(cell, *table, {trace(), machine()}) : std::vector<std::string>{};
}

CellSight CellViews::zoomed(const ViewId& view, glm::ivec2 at, int steps) const {
    const View* const v = find(view);
    if (v == nullptr || !v->flow) return {};
    CellSight sight = v->sight;
    const scene::CellWindow before{v->area, sight.scroll};
    at = glm::clamp(at, v->area.low, v->area.high - 1);
    const auto place = v->flow->at(before.toContent(at));
    for (int i = 0; i < std::abs(steps); ++i) sight.scale = steps > 0 ? sight.scale.larger() : sight.scale.smaller();
    const scene::CellFlow flow(v->groups(), v->order, sight.scale, v->flowLook);
    const auto box = place ? flow.boxOf(*place) : std::nullopt;
    if (box) {
        // The cell stays under the pointer.
        sight.scroll = box->low + sight.scale.pixels / 2 - (at - v->area.low);
    } else {
        const double factor = sight.scale.size() / v->sight.scale.size();
        sight.scroll = glm::ivec2(glm::dvec2(before.toContent(at)) * factor) - (at - v->area.low);
    }
    sight.scroll = glm::clamp(sight.scroll, glm::ivec2(0), glm::max(glm::ivec2(0), flow.size() - v->flowLook.room));
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
    sight.scroll = glm::clamp((box->low + box->high) / 2 - v->flowLook.room / 2, glm::ivec2(0),
                              glm::max(glm::ivec2(0), v->flow->size() - v->flowLook.room));
    return sight;
}

CellSight CellViews::panned(const ViewId& view, glm::ivec2 by) const {
    const View* const v = find(view);
    if (v == nullptr || !v->flow) return {};
    CellSight sight = v->sight;
    sight.scroll =
        glm::clamp(sight.scroll - by, glm::ivec2(0), glm::max(glm::ivec2(0), v->flow->size() - v->flowLook.room));
    return sight;
}

scene::PixelBox CellViews::areaOf(const ViewId& view) const {
    const View* const v = find(view);
    return v == nullptr ? scene::PixelBox{} : v->area;
}

bool CellViews::isZoomed(const ViewId& view) const {
    const View* const v = find(view);
    if (v == nullptr || !v->flow) return false;
    return v->flow->size().x > v->flowLook.room.x || v->flow->size().y > v->flowLook.room.y;
}

}  // namespace whorl::app
