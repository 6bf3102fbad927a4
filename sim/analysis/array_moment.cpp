#include "sim/analysis/array_moment.h"

#include <algorithm>
#include <utility>

namespace whorl::sim {

namespace {

/// Calls f(element) for the elements that have a byte in these bytes of the trace; see ArrayShape::forEachIn.
template <class... F>
void forEachWithin(const ArrayShape& shape, ByteAddress from, std::uint64_t bytes, F&&... f) {
    const Region& region = shape.now();
    const ByteAddress last{from.value + (bytes - 1)};
    if (last < region.base || from > region.last()) return;
    shape.forEachIn(std::max(from, region.base), std::min(last, region.last()), std::forward<F>(f)...);
}

void sortOnce(std::vector<std::uint64_t>& elements) {
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
}

}  // namespace

std::vector<std::uint8_t> nearestLevels(const Hierarchy& hierarchy, const ArrayShape& shape, const ArrayGrid& grid) {
    std::vector<std::uint8_t> levels(grid.cells(), static_cast<std::uint8_t>(hierarchy.levels()));
    const auto next = [&](std::uint64_t element) { return grid.endOfCell(element); };
    for (std::size_t level = hierarchy.levels(); level-- > 0;) {
        const auto mark = [&](std::uint64_t element) {
            levels[grid.cellOf(element)] = static_cast<std::uint8_t>(level);
        };
        for (std::uint32_t c = 0; c < hierarchy.caches(level); ++c) {
            const Cache& cache = hierarchy.cache(level, c);
            const std::uint64_t bytes = std::uint64_t{1} << cache.blockShift();
            for (std::uint32_t set = 0; set < cache.sets(); ++set) {
                for (std::uint32_t way = 0; way < cache.ways(); ++way) {
                    if (!cache.isValid(SetIndex{set}, WayIndex{way})) continue;
                    const ByteAddress from = cache.addressOf(cache.blockIn(SetIndex{set}, WayIndex{way}));
                    forEachWithin(shape, from, bytes, mark, next);
                }
            }
        }
    }
    return levels;
}

std::uint8_t nearestLevel(const Hierarchy& hierarchy, const ArrayShape& shape, std::uint64_t element) {
    for (std::size_t level = 0; level < hierarchy.levels(); ++level) {
        for (std::uint32_t c = 0; c < hierarchy.caches(level); ++c) {
            const Cache& cache = hierarchy.cache(level, c);
            for (std::uint32_t byte = 0; byte < shape.elementSize(); ++byte) {
                if (cache.holds(cache.blockOf(shape.addressOf(element, byte)))) return static_cast<std::uint8_t>(level);
            }
        }
    }
    return static_cast<std::uint8_t>(hierarchy.levels());
}

std::vector<std::uint64_t> sharingBlocks(const ArrayShape& shape, const ArrayShape::Span& elements,
                                         std::uint64_t bytes) {
    std::vector<std::uint64_t> out;
    for (std::uint64_t e = elements.first; e <= elements.last; ++e) {
        std::optional<std::uint64_t> before;
        for (std::uint32_t byte = 0; byte < shape.elementSize(); ++byte) {
            const std::uint64_t block = shape.addressOf(e, byte).value / bytes;
            if (std::exchange(before, block) == block) continue;
            forEachWithin(shape, ByteAddress{block * bytes}, bytes,
                          [&](std::uint64_t element) { out.push_back(element); });
        }
    }
    sortOnce(out);
    return out;
}

ArrayMoment arrayAt(const Snapshot& snapshot, const ArrayShape& shape, const ArrayGrid& grid,
                    std::span<const std::uint64_t> singles, const StepAge& ageOf) {
    ArrayMoment moment;
    const Hierarchy& hierarchy = snapshot.now.hierarchy();
    moment.levels = nearestLevels(hierarchy, shape, grid);
    moment.singles.reserve(singles.size());
    for (const std::uint64_t e : singles) moment.singles.push_back(nearestLevel(hierarchy, shape, e));
    const MachineConfig& machine = snapshot.now.machine();
    for (const Step& step : snapshot.recent) {
        const auto age = ageOf(step);
        if (!age) continue;
        ArrayMoment::Moved in{.elements = {}, .isIn = true, .age = *age};
        ArrayMoment::Moved out{.elements = {}, .isIn = false, .age = *age};
        for (const Event& e : step.events) {
            const bool isIn = e.kind == EventKind::fill;
            const bool isOut =
                e.kind == EventKind::eviction || e.kind == EventKind::invalidation || e.kind == EventKind::moved;
            if (!isIn && !isOut) continue;
            const std::uint64_t bytes = machine.levels[e.level].block;
            auto& elements = isIn ? in.elements : out.elements;
            forEachWithin(shape, ByteAddress{e.block.value * bytes}, bytes,
                          [&](std::uint64_t element) { elements.push_back(element); });
        }
        for (ArrayMoment::Moved* moved : {&out, &in}) {
            sortOnce(moved->elements);
            if (!moved->elements.empty()) moment.moved.push_back(std::move(*moved));
        }
    }
    moment.current = snapshot.current();
    if (moment.current == nullptr) return moment;
    moment.touched = shape.touchedNow(moment.current->access.address, moment.current->access.size);
    if (moment.touched) moment.together = sharingBlocks(shape, *moment.touched, machine.blockBytes());
    return moment;
}

ElementTouches::ElementTouches(const Trace& trace, const ArrayShape& shape) : trace_(&trace), shape_(&shape) {
    if (shape.elements() <= kMostElements) now_.last.resize(static_cast<std::size_t>(shape.elements()));
    before_ = now_;
}

void ElementTouches::moveTo(Tick at) {
    const auto leadsTo = [&](const Known& known) { return known.at <= at.value && at.value - known.at <= kReach; };
    if (!leadsTo(now_)) {
        if (!leadsTo(before_)) {
            // So that the time kept for going back knows all that it needs.
            before_.at = at.value - std::min(at.value, kReach + kStep);
            before_.latest = 0;
            std::fill(before_.last.begin(), before_.last.end(), std::uint64_t{0});
        }
        now_ = before_;
    }
    if (at.value - now_.at > kStep) {
        goOn(Tick{at.value - kStep});
        before_ = now_;
    }
    goOn(at);
}

/// Looks at the accesses up to a tick, by their addresses before any change of the layout, which need no way back.
void ElementTouches::goOn(Tick to) {
    trace_->unmoved().forEach(Tick{now_.at}, to, [&](Tick tick, const Access& access) {
        const auto span = shape_->touchedBy(access.address, access.size);
        if (!span) return;
        now_.latest = tick.value + 1;
        now_.latestElement = span->first;
        if (now_.last.empty()) return;
        std::fill(now_.last.begin() + static_cast<std::ptrdiff_t>(span->first),
                  now_.last.begin() + static_cast<std::ptrdiff_t>(span->last) + 1, now_.latest);
    });
    now_.at = to.value;
}

}  // namespace whorl::sim
