#include "sim/analysis/history.h"

namespace whorl::sim {

std::pair<std::uint32_t, std::uint32_t> HistoryLevel::changesOf(std::uint32_t stay) const {
    const auto before = [](const Change& c, std::uint32_t s) { return c.stay < s; };
    const auto first =
        static_cast<std::size_t>(std::lower_bound(changes.begin(), changes.end(), stay, before) - changes.begin());
    std::size_t last = first;
    while (last < changes.size() && changes[last].stay == stay) ++last;
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
}

Cycles History::cycles() const {
    Cycles sum = 0;
    for (const CostNode& node : sources) sum += node.cycles;
    return sum;
}

}  // namespace whorl::sim
