#include "sim/analysis/history.h"

#include <algorithm>
#include <cstddef>

namespace whorl::sim {

std::pair<std::uint32_t, std::uint32_t> HistoryLevel::changesOf(std::uint32_t stay) const {
    const auto before = [](const Change& c, std::uint32_t s) { return c.stay < s; };
    const auto first = std::lower_bound(changes.begin(), changes.end(), stay, before);
    auto last = first;
    while (last != changes.end() && last->stay == stay) ++last;
    return {static_cast<std::uint32_t>(first - changes.begin()), static_cast<std::uint32_t>(last - changes.begin())};
}

Cycles History::cycles() const {
    Cycles sum = 0;
    for (const CostNode& node : sources) sum += node.cycles;
    return sum;
}

namespace {

/// After so many accesses of the trace it is this cycle.
struct TimePoint {
    double accesses;
    double cycles;
};

/// The known points of a history: its beginning, all starts but the first, its end. Neither number ever decreases.
TimePoint pointOf(const History& history, std::size_t i) {
    if (i == 0) return {static_cast<double>(history.from.value), static_cast<double>(history.begin)};
    if (i >= history.starts.size()) return {static_cast<double>(history.to.value), static_cast<double>(history.end)};
    return {static_cast<double>(history.from.value + i * history.stride),
            static_cast<double>(std::min(history.starts[i], history.end))};
}

}  // namespace

double History::cyclesAt(double t) const {
    const double at = std::clamp(t, static_cast<double>(from.value), static_cast<double>(to.value));
    const auto passed = static_cast<std::size_t>((at - static_cast<double>(from.value)) / static_cast<double>(stride));
    const std::size_t i = std::min(passed, std::max<std::size_t>(starts.size(), 1) - 1);
    const TimePoint a = pointOf(*this, i);
    const TimePoint b = pointOf(*this, i + 1);
    if (b.accesses <= a.accesses) return a.cycles;
    return a.cycles + (at - a.accesses) / (b.accesses - a.accesses) * (b.cycles - a.cycles);
}

double History::accessesAt(double at) const {
    if (at <= static_cast<double>(begin)) return static_cast<double>(from.value);
    if (at >= static_cast<double>(end)) return static_cast<double>(to.value);
    const auto after = std::upper_bound(starts.begin(), starts.end(), at,
                                        [](double cycle, Cycles start) { return cycle < static_cast<double>(start); });
    const auto passed = static_cast<std::size_t>(after - starts.begin());
    const std::size_t i = std::max<std::size_t>(passed, 1) - 1;
    const TimePoint a = pointOf(*this, i);
    const TimePoint b = pointOf(*this, i + 1);
    return a.accesses + (at - a.cycles) / (b.cycles - a.cycles) * (b.accesses - a.accesses);
}

}  // namespace whorl::sim
