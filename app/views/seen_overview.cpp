#include "app/views/seen_overview.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace whorl::app {

namespace {

/// The accesses of a stretch, whole ones.
sim::Range accessesOf(const scene::TimeSpan& seen, std::uint64_t end) {
    const auto from = std::min(end, static_cast<std::uint64_t>(std::max(0.0, std::floor(seen.from))));
    const auto to = std::min(end, static_cast<std::uint64_t>(std::max(0.0, std::ceil(seen.to))));
    return {sim::Tick{from}, sim::Tick{std::max(from, to)}};
}

}  // namespace

std::optional<sim::Range> closeRangeOf(const scene::TimeSpan& seen, std::uint64_t end, std::uint64_t step) {
    const sim::Range range = accessesOf(seen, end);
    if (range.size() == 0) return std::nullopt;
    // Between whole multiples of about half its length.
    const std::uint64_t grid = std::max<std::uint64_t>(1, std::bit_ceil(range.size()) / 2);
    const std::uint64_t from = range.from.value / grid * grid;
    const std::uint64_t to = std::min(end, (range.to.value + grid - 1) / grid * grid);
    if (sim::overviewStep(to - from) >= step) return std::nullopt;
    return sim::Range{sim::Tick{from}, sim::Tick{to}};
}

void SeenOverview::update(const RunContext& context, const sim::Overview& whole) {
    const auto range =
        context.seen ? closeRangeOf(*context.seen, run_->trace().size(), whole.accessesPerBucket()) : std::nullopt;
    if (range && range->to <= run_->built()) {
        query_.ask(*range, [run = run_, range = *range](sim::Progress& progress) {
            return orCancelled(overviewOf(*run, range, progress));
        });
    }
    query_.update();
}

const sim::Overview& SeenOverview::of(const std::optional<scene::TimeSpan>& seen, const sim::Overview& whole) const {
    if (!seen || !query_.answer()) return whole;
    const sim::Overview& close = **query_.answer();
    const sim::Range range = accessesOf(*seen, run_->trace().size());
    const bool isInside = close.begin() <= range.from && range.to <= close.end();
    return isInside && close.accessesPerBucket() < whole.accessesPerBucket() ? close : whole;
}

}  // namespace whorl::app
