#include "sim/analysis/history.h"

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

}  // namespace whorl::sim
