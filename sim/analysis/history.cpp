#include "sim/analysis/history.h"

#include <fmt/format.h>

#include <algorithm>

namespace whorl::sim {

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
