#include "sim/trace/layout/mapped_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "sim/base/text.h"
#include "sim/trace/access.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/layout/relocation.h"
#include "sim/trace/source_lines.h"
#include "sim/trace/trace_passes.h"

namespace whorl::sim {

namespace {

using Kind = LayoutChange::Kind;

/// Moved memory must end before this, so that the largest access starting in it stays within the address space.
constexpr std::uint64_t kTop = ~std::uint64_t{0} - kMaxAccessSize;

/// Memory that moves as a whole.
struct Unit {
    Extent extent;
    std::uint64_t base = 0;  ///< base address of the named thing in it
    bool named = false;
};

/// A thing that must stay contiguous, before overlapping things are merged into units.
struct Part {
    Extent extent;
    bool named = false;
    const Object* object = nullptr;  ///< null: the named region
};

/// Whether a thing may move with the unit that contains it. Everything in a region moves with it, but spreading
/// requires it to lie entirely inside, and another order that it is not torn apart; only named objects with the same
/// extent move with an object.
bool movesAlong(const Part& part, const Unit& unit, const LayoutChange& change, const Targets& targets,
                const ElementOrder* order) {
    if (!targets.isRegion) return part.named && part.extent == unit.extent;
    const Extent& region = targets.extents.front();
    if (order != nullptr) {
        if (part.extent.from < region.from || part.extent.to > region.to) return false;
        return part.extent == region ||
               order->keepsTogether(part.extent.from - region.from, part.extent.to - region.from);
    }
    return change.kind != Kind::spread || (part.extent.from >= region.from && part.extent.to <= region.to);
}

tl::unexpected<Error> notAlong(const LayoutChange& change, const Part& part, const Targets& targets,
                               const std::string& trace) {
    const std::string other = part.object == nullptr ? "something" : quotedText(part.object->name);
    const std::string thing = quotedText(change.thing);
    if (reorders(change.kind)) {
        return fail(trace, fmt::format("{} lies in memory of {}, and would be torn apart", other, thing),
                    "transpose or split something else");
    }
    if (targets.isRegion) {
        return fail(trace, fmt::format("{} lies only partly in {}", other, thing), "shift, align or pad it instead");
    }
    return fail(trace, fmt::format("{} uses memory of {} at another time, and would move with it", other, thing),
                "change the region that they lie in, or their class if they have one in common");
}

std::vector<Part> partsOf(const Targets& targets, const std::vector<Object>& objects) {
    std::vector<Part> parts;
    parts.reserve(objects.size() + 1);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const Object& o = objects[i];
        if (o.size == 0) continue;
        parts.push_back({.extent = extentOf(o), .named = targets.objects[i], .object = &o});
    }
    if (targets.isRegion) parts.push_back({.extent = targets.extents.front(), .named = true, .object = nullptr});
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.extent < b.extent; });
    return parts;
}

/// Merges parts into units: objects that overlap at any time form one unit, and so does a named region with its
/// content.
Expected<std::vector<Unit>> movableUnits(const LayoutChange& change, const Targets& targets, const ElementOrder* order,
                                         const std::vector<Object>& objects, const std::string& trace) {
    const std::vector<Part> parts = partsOf(targets, objects);
    std::vector<Unit> units;
    for (auto part = parts.begin(); part != parts.end();) {
        Unit unit{.extent = part->extent, .base = part->extent.from, .named = false};
        auto end = part;
        for (; end != parts.end() && end->extent.from < unit.extent.to; ++end) {
            unit.extent.to = std::max(unit.extent.to, end->extent.to);
            if (end->named && !unit.named) unit.base = end->extent.from;
            unit.named = unit.named || end->named;
        }
        for (; part != end; ++part) {
            if (unit.named && !movesAlong(*part, unit, change, targets, order)) {
                return notAlong(change, *part, targets, trace);
            }
        }
        units.push_back(unit);
    }
    return units;
}

/// Adds the parts of regions outside these units. The result is ascending and disjoint.
std::vector<Unit> withRest(std::vector<Unit> wholes, const std::vector<Region>& regions) {
    std::vector<Unit> units;
    units.reserve(wholes.size() + regions.size());
    auto next = wholes.begin();
    for (const Region& r : regions) {
        auto [at, end] = extentOf(r);
        while (at < end) {
            while (next != wholes.end() && next->extent.to <= at) units.push_back(*next++);
            if (next != wholes.end() && next->extent.from <= at) {
                at = next->extent.to;
                continue;
            }
            const std::uint64_t to = next == wholes.end() ? end : std::min(end, next->extent.from);
            units.push_back({.extent = {at, to}, .base = at});
            at = to;
        }
    }
    units.insert(units.end(), next, wholes.end());
    return units;
}

/// The next multiple of a power of two; nothing if it is beyond the address space.
std::optional<std::uint64_t> roundedUp(std::uint64_t n, std::uint64_t power) {
    const std::uint64_t low = n & (power - 1);
    if (low == 0) return n;
    const std::uint64_t more = power - low;
    if (more > ~n) return std::nullopt;
    return n + more;
}

/// The lowest address not below `least` that is `wanted` plus a multiple of `power`, a power of two.
std::optional<std::uint64_t> steppedUp(std::uint64_t wanted, std::uint64_t least, std::uint64_t power) {
    if (least <= wanted) return wanted;
    const auto more = roundedUp(least - wanted, power);
    if (!more || *more > ~wanted) return std::nullopt;
    return wanted + *more;
}

using SharedOrder = std::shared_ptr<const ElementOrder>;

using Kind = LayoutChange::Kind;

Expected<SharedOrder> transposedOrder(const LayoutChange& change, const Targets& targets, const std::string& trace) {
    const std::uint64_t size = targets.extents.front().to - targets.extents.front().from;
    const std::string thing = quotedText(change.thing);
    const std::uint64_t element = targets.element;
    const std::uint64_t columns = change.bytes != 0 ? static_cast<std::uint64_t>(change.bytes) : targets.columns;
    if (columns == 0) {
        return fail(trace, fmt::format("it is not known how many columns {} has", thing),
                    "give them: transpose:NAME:COLUMNS, or transpose:NAME:COLUMNS:ELEMENT");
    }
    if (element == 0) {
        return fail(trace, fmt::format("it is not known how large an element of {} is", thing),
                    "give it after the columns: transpose:NAME:COLUMNS:ELEMENT");
    }
    if (columns > size / element) {
        return fail(trace, fmt::format("{} has no row of {} elements of {} bytes", thing, columns, element),
                    fmt::format("use at most {} columns", size / element));
    }
    const std::uint64_t rows = size / element / columns;
    return std::make_shared<const ElementOrder>(
        ElementOrder::transposed(change.bytes != 0 ? rows : std::min(rows, targets.rows), columns, element));
}

Expected<SharedOrder> blockedOrder(const LayoutChange& change, const Targets& targets, const std::string& trace) {
    if (targets.rows == 0 || targets.columns == 0 || targets.element == 0) {
        return fail(trace, fmt::format("{} has no known rows and columns", quotedText(change.thing)),
                    "name a two-dimensional array");
    }
    return std::make_shared<const ElementOrder>(ElementOrder::blocked(targets.rows, targets.columns, targets.element,
                                                                      static_cast<std::uint64_t>(change.bytes)));
}

Expected<SharedOrder> splitOrder(const LayoutChange& change, const Targets& targets, const std::string& trace) {
    const std::uint64_t size = targets.extents.front().to - targets.extents.front().from;
    const std::string thing = quotedText(change.thing);
    const bool byType = change.bytes == 0;
    if (byType && (targets.type == nullptr || targets.type->fields.size() < 2)) {
        return fail(trace, fmt::format("the elements of {} have no known fields", thing),
                    "give the size of a field: split:NAME:FIELD, or split:NAME:FIELD:ELEMENT");
    }
    const std::uint64_t ofType = targets.type == nullptr ? 0 : targets.type->size;
    const std::uint64_t ofRegion = targets.isRegion || ofType == 0 ? targets.element : 0;
    const std::uint64_t element = change.element != 0 ? change.element : std::max(ofType, ofRegion);
    const auto field = static_cast<std::uint64_t>(change.bytes);
    if (element == 0) {
        return fail(trace, fmt::format("it is not known how large an element of {} is", thing),
                    "give it after the field's size: split:NAME:FIELD:ELEMENT");
    }
    if (field >= element) {
        return fail(trace, fmt::format("the elements of {} have {} bytes, and no fields of {}", thing, element, field),
                    "use fewer");
    }
    if (size / element < 2) {
        return fail(trace, fmt::format("{} has only one element of {} bytes", thing, element), "split an array");
    }
    return std::make_shared<const ElementOrder>(byType
                                                    ? ElementOrder::split(size / element, element, targets.type->fields)
                                                    : ElementOrder::split(size / element, element, field));
}

/// Updates the shape of a region of which a piece was reordered.
void reorder(Region& region, const AddressMap::Piece& piece, bool isWhole) {
    const ElementOrder& order = *piece.order;
    if (isWhole && order.isTransposed() && order.element() <= std::numeric_limits<std::uint32_t>::max()) {
        region.rows = order.columns();
        region.columns = order.rows();
        region.elementSize = static_cast<std::uint32_t>(order.element());
        return;
    }
    region.elementSize = 1;
    region.rows = region.columns = 0;
    region.type = nullptr;
}

/// Whether [from, to) is a whole piece.
bool isPiece(const AddressMap::Step& step, const AddressMap::Piece& piece, std::uint64_t from, std::uint64_t to) {
    return piece.from == from && (&piece == &step.back() || (&piece + 1)->from == to);
}

/// The new order of the targets of a change; null if it only moves them. Fails if they have no known shape, or lie only
/// partly in a region. `trace` is the trace in error messages.
Expected<SharedOrder> orderFor(const LayoutChange& change, const Targets& targets, const std::vector<Region>& regions,
                               const std::string& trace) {
    if (!reorders(change.kind)) return SharedOrder();
    const Extent& thing = targets.extents.front();
    for (const Region& r : regions) {
        const Extent extent = extentOf(r);
        const bool isApart = extent.from >= thing.to || extent.to <= thing.from;
        if (isApart || (extent.from <= thing.from && thing.to <= extent.to)) continue;
        return fail(trace, fmt::format("{} lies only partly in {}", quotedText(change.thing), quotedText(r.name)),
                    "transpose or split something else");
    }
    switch (change.kind) {
        case Kind::transpose:
            return transposedOrder(change, targets, trace);
        case Kind::block:
            return blockedOrder(change, targets, trace);
        default:
            return splitOrder(change, targets, trace);
    }
}

/// Updates the shape of a region or an object, still at its address before the step, whose content is reordered.
void applyOrder(const AddressMap::Step& step, Region& region) {
    const std::uint64_t end = extentOf(region).to;
    for (const AddressMap::Piece* piece = &pieceAt(step, region.base.value);
         piece != step.data() + step.size() && piece->from < end; ++piece) {
        if (piece->order != nullptr) reorder(region, *piece, isPiece(step, *piece, region.base.value, end));
    }
}

void applyOrder(const AddressMap::Step& step, Object& object) {
    const AddressMap::Piece& piece = pieceAt(step, object.base.value);
    if (piece.order == nullptr || !piece.order->isSplit()) return;
    if (isPiece(step, piece, object.base.value, object.base.value + object.size)) object.type = nullptr;
}

/// Places the units from low to high addresses.
class Placer {
  public:
    /// `order` is the order of the named thing's elements; null: unchanged.
    Placer(const LayoutChange& change, std::uint64_t element, SharedOrder order, const std::string& trace)
        : change_(change),
          bytes_(static_cast<std::uint64_t>(change.bytes)),
          element_(order == nullptr ? element : order->element()),
          order_(std::move(order)),
          trace_(trace) {}

    Expected<void> place(const Unit& unit) {
        const auto start = unit.named ? startOfNamed(unit) : steppedUp(unit.extent.from, free_, kKeptAlignment);
        const auto end = start ? endOf(unit, *start) : std::nullopt;
        const bool isNew = unit.named && order_ != nullptr;
        const bool stays = start == unit.extent.from && end == unit.extent.to && !isNew;
        if (!end || (*end > kTop && !stays)) return outOfMemory(unit);
        if (*start < free_) return noRoom(unit);
        add(unit, *start);
        if (unit.named) step_.padding += paddingOf(unit, {*start, *end});
        free_ = *end;
        before_ = unit.extent.to;
        return {};
    }

    LayoutStep finish() {
        endPiece(~std::uint64_t{0});
        return std::move(step_);
    }

  private:
    std::optional<std::uint64_t> startOfNamed(const Unit& unit) const {
        const std::uint64_t from = unit.extent.from;
        const std::uint64_t lead = unit.base - from;  // for an object that straddles the start of a region
        switch (change_.kind) {
            case Kind::shift:
                // Two's complement: adding bytes_ moves down. Things below are not moved.
                if (change_.bytes < 0) return from < ~bytes_ + 1 ? std::nullopt : std::optional(from + bytes_);
                if (bytes_ > ~from) return std::nullopt;
                return steppedUp(from + bytes_, free_, kKeptAlignment);
            case Kind::align: {
                const auto base = roundedUp(std::max(from, free_) + lead, bytes_);
                return base ? std::optional(*base - lead) : std::nullopt;
            }
            case Kind::pad:
                return from >= free_ ? from : roundedUp(free_, bytes_);
            case Kind::transpose:
            case Kind::split:
            case Kind::block:
                return from;
            default:
                return steppedUp(from, free_, bytes_ & (~bytes_ + 1));
        }
    }

    /// The end of the unit's memory when placed at `start`.
    std::optional<std::uint64_t> endOf(const Unit& unit, std::uint64_t start) const {
        std::uint64_t size = unit.extent.to - unit.extent.from;
        if (unit.named && change_.kind == Kind::spread) {
            const std::uint64_t elements = (size - 1) / element_ + 1;
            if (elements > kTop / bytes_) return std::nullopt;
            size = elements * bytes_;
        }
        if (size > ~start) return std::nullopt;
        return unit.named && change_.kind == Kind::pad ? roundedUp(start + size, bytes_) : start + size;
    }

    /// The bytes by which the gap before the unit and the unit itself grow when it occupies `reserved`.
    std::uint64_t paddingOf(const Unit& unit, const Extent& reserved) const {
        const std::uint64_t gap = reserved.from - free_;
        const std::uint64_t gapBefore = unit.extent.from - before_;
        const std::uint64_t growth = (reserved.to - reserved.from) - (unit.extent.to - unit.extent.from);
        return gap - std::min(gap, gapBefore) + growth;
    }

    void add(const Unit& unit, std::uint64_t start) {
        const bool isSpread = unit.named && change_.kind == Kind::spread;
        const bool isInner = isSpread || (unit.named && order_ != nullptr);
        const std::uint64_t offset = start - unit.extent.from;
        // Neighbouring units with the same offset form one piece.
        if (!isInner && !last_.isInner && last_.offset == offset) {
            last_.to = unit.extent.to;
            return;
        }
        endPiece(unit.extent.from);
        if (unit.extent.from == 0) step_.map.clear();
        AddressMap::Piece piece{.from = unit.extent.from, .to = start};
        if (isInner) {
            piece.element = element_;
            piece.stride = isSpread ? bytes_ : element_;
            piece.order = order_;
        }
        step_.map.push_back(std::move(piece));
        last_ = {.offset = offset, .to = unit.extent.to, .isInner = isInner};
    }

    /// Leaves the unused memory from the last piece to `next` in place.
    void endPiece(std::uint64_t next) {
        if ((last_.offset == 0 && !last_.isInner) || last_.to == next) return;
        step_.map.push_back({.from = last_.to, .to = last_.to});
    }

    tl::unexpected<Error> outOfMemory(const Unit& unit) const {
        return fail(trace_,
                    fmt::format("with {}, what lies at {:#x} would be outside the address space",
                                quotedText(asText(change_)), unit.extent.from),
                    "use fewer bytes");
    }
    tl::unexpected<Error> noRoom(const Unit& unit) const {
        return fail(trace_,
                    fmt::format("{} cannot be shifted down by {} bytes: something lies there",
                                quotedText(change_.thing), -change_.bytes),
                    fmt::format("use at most {}", unit.extent.from - std::min(unit.extent.from, free_)));
    }

    struct Last {
        std::uint64_t offset = 0;
        std::uint64_t to = 0;  ///< end before the move
        bool isInner = false;  ///< the content moves within the piece
    };

    const LayoutChange& change_;
    std::uint64_t bytes_;
    std::uint64_t element_;
    SharedOrder order_;
    const std::string& trace_;
    std::uint64_t free_ = 0;    ///< end of the memory placed so far
    std::uint64_t before_ = 0;  ///< end of that memory before the change
    LayoutStep step_{.map = {{}}};
    Last last_;
};

/// The new end of memory that ended at `end`; includes the padding after the last element if the element is complete.
std::uint64_t endOf(const AddressMap::Step& step, std::uint64_t end) {
    const AddressMap::Piece& piece = pieceAt(step, end - 1);
    // An order leaves the last byte of its piece in place, and keeps things in a piece together.
    if (piece.element == 0 || piece.order != nullptr) return moved(step, end - 1) + 1;
    const bool atEnd = &piece != &step.back() && (&piece + 1)->from == end;
    if (!atEnd && (end - piece.from) % piece.element != 0) return moved(step, end - 1) + 1;
    return piece.to + ((end - 1 - piece.from) / piece.element + 1) * piece.stride;
}

}  // namespace

Expected<LayoutStep> layoutStep(const LayoutChange& change, const std::vector<Region>& regions,
                                const std::vector<Object>& objects, const std::string& trace) {
    WHORL_TRY(checkedChange(change));
    const auto targets = WHORL_TRY(targetsOf(change, regions, objects, trace));
    if (change.kind == Kind::spread) {
        if (targets.element == 0) {
            return fail(trace, fmt::format("it is not known how large an element of {} is", quotedText(change.thing)),
                        "give it after the bytes: spread:NAME:BYTES:ELEMENT");
        }
        if (targets.element > static_cast<std::uint64_t>(change.bytes)) {
            return fail(trace,
                        fmt::format("the elements of {} have {} bytes, which do not fit at {} from one to the next",
                                    quotedText(change.thing), targets.element, change.bytes),
                        fmt::format("use {} or more", targets.element));
        }
    }
    auto order = WHORL_TRY(orderFor(change, targets, regions, trace));
    auto wholes = WHORL_TRY(movableUnits(change, targets, order.get(), objects, trace));
    Placer placing(change, targets.element, order, trace);
    for (const Unit& unit : withRest(std::move(wholes), regions)) {
        WHORL_TRY(placing.place(unit));
    }
    return placing.finish();
}

void applyStep(const AddressMap::Step& step, std::vector<Region>& regions, std::vector<Object>& objects) {
    for (Region& r : regions) {
        if (r.size == 0) continue;
        const std::uint64_t end = endOf(step, r.base.value + r.size);
        applyOrder(step, r);
        const AddressMap::Piece& piece = pieceAt(step, r.base.value);
        const bool spread = piece.from == r.base.value && piece.element == r.elementSize &&
                            piece.stride <= std::numeric_limits<std::uint32_t>::max() &&
                            &piece == &pieceAt(step, r.last().value);
        const std::uint64_t was = std::exchange(r.size, end - moved(step, r.base.value));
        r.base = ByteAddress{moved(step, r.base.value)};
        if (r.size == was) continue;
        r.elementSize = spread ? static_cast<std::uint32_t>(piece.stride) : 1;
        if (!spread) r.rows = r.columns = 0;
    }
    for (Object& o : objects) {
        const std::uint64_t base = moved(step, o.base.value);
        if (o.size == 0) {
            o.base = ByteAddress{base};
            continue;
        }
        applyOrder(step, o);
        o.size = endOf(step, o.base.value + o.size) - base;
        o.base = ByteAddress{base};
    }
}

namespace {

std::size_t stepsOf(const Trace& trace) {
    return trace.map() == nullptr ? 0 : trace.map()->steps().size();
}

std::shared_ptr<const Relocation> relocationOf(const Trace& trace) {
    return trace.map() == nullptr ? nullptr : trace.map()->relocation();
}

}  // namespace

bool isMoved(const Trace& view, const Trace& trace) {
    return stepsOf(view) != stepsOf(trace) || relocationOf(view) != relocationOf(trace);
}

namespace {

using SharedTrace = std::shared_ptr<const Trace>;

std::vector<bool> sitesInOrder(const Trace& trace) {
    std::vector<bool> inOrder;
    for (const Site& site : trace.sites()) inOrder.push_back(fillsOrCopies(trace, site));
    return inOrder;
}

/// Gathers blocks, and adds that to the map.
Expected<void> relocate(const LayoutChange& change, TraceParts& parts, AddressMap& map, const std::string& trace) {
    WHORL_TRY(checkedChange(change));
    if (!map.steps().empty()) {
        return fail(trace, fmt::format("{} comes after a change that moves memory", asText(change)),
                    "give it before all changes but pool and reserve");
    }
    map.add(*WHORL_TRY(relocated(change, parts.regions, parts.objects, trace)));
    return {};
}

/// Moves memory in place, and adds that to the map.
Expected<void> move(const LayoutChange& change, TraceParts& parts, AddressMap& map, const std::string& trace) {
    auto step = WHORL_TRY(layoutStep(change, parts.regions, parts.objects, trace));
    applyStep(step.map, parts.regions, parts.objects);
    map.add(std::move(step.map));
    parts.padding += step.padding;
    return {};
}

}  // namespace

Expected<Trace> mapped(const SharedTrace& trace, const std::vector<LayoutChange>& changes, Progress& progress,
                       bool hasFootprint) {
    if (changes.empty()) return *trace;
    TraceParts parts = trace->parts();
    AddressMap map = trace->map() == nullptr ? AddressMap() : *trace->map();
    SharedTrace unmoved = parts.unmoved != nullptr ? parts.unmoved : trace;
    map.keepInOrder(sitesInOrder(*trace));
    for (const LayoutChange& change : changes) {
        const bool isRelocation = relocates(change.kind);
        WHORL_TRY(isRelocation ? relocate(change, parts, map, trace->name()) : move(change, parts, map, trace->name()));
        parts.name += (parts.changes.empty() ? ", with " : " and ") + inWords(change);
        parts.changes.push_back(change);
        if (!isRelocation) continue;
        parts.map = std::make_shared<const AddressMap>(map);
        unmoved = std::make_shared<const Trace>(parts);
    }
    const bool movesNothing = map.steps().size() == stepsOf(*trace) && map.relocation() == relocationOf(*trace);
    if (!map.steps().empty()) parts.unmoved = std::move(unmoved);
    parts.map = std::make_shared<const AddressMap>(std::move(map));
    parts.original = trace->original() == nullptr ? trace : trace->original();
    parts.recording.reset();
    if (progress.cancelled()) return tl::unexpected(Error::byUser());
    if (movesNothing || !hasFootprint) return Trace(std::move(parts));
    // Collect the footprint from the mapped accesses: pieces may cut granules, and accesses may extend beyond their
    // pieces.
    auto footprint = footprintOf(parts, progress);
    if (!footprint) return tl::unexpected(Error::byUser());
    parts.footprint = *std::move(footprint);
    return Trace(std::move(parts));
}

ByteAddress sameByte(const Trace& view, const Trace& other, ByteAddress byte) {
    const std::size_t region = view.regionAt(byte);
    ByteAddress before = byte;
    if (view.map() != nullptr && region < view.regions().size()) {
        const Region& was = view.unmoved().regions()[region];
        before = WayBack(view.map(), was.base, was.last()).of(byte).value_or(byte);
    }
    return other.map() == nullptr ? before : other.map()->of(before);
}

}  // namespace whorl::sim
