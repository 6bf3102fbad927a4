#include "sim/analysis/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace whorl::sim {

namespace {

/// A cycle, and the number of accesses of the trace that have begun before it.
struct TimePoint {
    double accesses;
    double cycles;
};

/// The known points of a scale: its beginning, all starts but the first, its end. Neither number ever decreases.
TimePoint pointOf(const CycleScale& scale, std::size_t i) {
    if (i == 0) return {static_cast<double>(scale.from.value), static_cast<double>(scale.begin)};
    if (i >= scale.starts.size()) return {static_cast<double>(scale.to.value), static_cast<double>(scale.end)};
    return {static_cast<double>(scale.from.value + i * scale.stride),
            static_cast<double>(std::min(scale.starts[i], scale.end))};
}

}  // namespace

std::uint64_t cycleStride(std::uint64_t accesses) {
    constexpr std::uint64_t kMaxStarts = 1U << 20;
    return std::max<std::uint64_t>(1, accesses / kMaxStarts);
}

void CycleScale::took(Tick tick, Cycles at) {
    begin = std::min(begin, at);
    if ((tick.value - from.value) % stride != 0) return;
    starts.push_back(starts.empty() ? at : std::max(at, starts.back()));
}

double CycleScale::cyclesAt(double t) const {
    const double at = std::clamp(t, static_cast<double>(from.value), static_cast<double>(to.value));
    const auto passed = static_cast<std::size_t>((at - static_cast<double>(from.value)) / static_cast<double>(stride));
    const std::size_t i = std::min(passed, std::max<std::size_t>(starts.size(), 1) - 1);
    const TimePoint a = pointOf(*this, i);
    const TimePoint b = pointOf(*this, i + 1);
    if (b.accesses <= a.accesses) return a.cycles;
    return a.cycles + (at - a.accesses) / (b.accesses - a.accesses) * (b.cycles - a.cycles);
}

double CycleScale::accessesAt(double at) const {
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

std::string HistoryLevel::cpusOf(std::uint32_t cache) const {
    const std::uint32_t each = std::max(cpusPerCache, 1u);
    return each == 1 ? fmt::format("CPU {}", cache) : fmt::format("CPUs {}–{}", cache * each, (cache + 1) * each - 1);
}

std::pair<std::uint32_t, std::uint32_t> HistoryLevel::changesOf(std::uint32_t stay) const {
    const auto before = [](const Change& c, std::uint32_t s) { return c.stay < s; };
    const auto first =
        static_cast<std::size_t>(std::lower_bound(changes.begin(), changes.end(), stay, before) - changes.begin());
    std::size_t last = first;
    while (last < changes.size() && changes[last].stay == stay) ++last;
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
}

void NodeCounts::add(NodeCount what, std::size_t level, std::size_t node) {
    const std::size_t column = level * kNodeCounts + static_cast<std::size_t>(what);
    if (column >= columns_.size()) columns_.resize(column + 1);
    if (node >= columns_[column].size()) columns_[column].resize(node + 1);
    ++columns_[column][node];
}

std::uint32_t NodeCounts::of(NodeCount what, std::size_t level, std::size_t node) const {
    const std::size_t column = level * kNodeCounts + static_cast<std::size_t>(what);
    return column < columns_.size() && node < columns_[column].size() ? columns_[column][node] : 0;
}

NodeCounts NodeCounts::moved(const std::vector<std::uint32_t>& places) const {
    NodeCounts out;
    for (const std::vector<std::uint32_t>& column : columns_) {
        std::vector<std::uint32_t>& to = out.columns_.emplace_back();
        for (std::size_t i = 0; i < column.size(); ++i) {
            if (column[i] == 0) continue;
            if (places[i] >= to.size()) to.resize(places[i] + std::size_t{1});
            to[places[i]] += column[i];
        }
    }
    return out;
}

Cycles History::cycles() const {
    Cycles sum = 0;
    for (const CostNode& node : sources) sum += node.cycles;
    return sum;
}

Cycles History::waited() const {
    Cycles sum = 0;
    for (const CostNode& node : sources) sum += node.waited(lookUp);
    return sum;
}

}  // namespace whorl::sim
