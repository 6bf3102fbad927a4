#include "app/views/cells/cell_tables.h"

#include <algorithm>

namespace whorl::app {

namespace {

/// The misses that the accesses beginning in [first, last] caused.
std::uint64_t causedBy(const sim::Causes& causes, sim::ByteAddress first, sim::ByteAddress last) {
    const auto before = [](const auto& m, sim::ByteAddress a) { return m.first < a; };
    std::uint64_t sum = 0;
    for (auto m = std::lower_bound(causes.misses.begin(), causes.misses.end(), first, before);
         m != causes.misses.end() && m->first <= last; ++m) {
        sum += m->second;
    }
    return sum;
}

/// Groups that stay together: one, and those that follow it.
struct Chain {
    std::uint64_t number = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

}  // namespace

std::vector<std::uint32_t> groupOrder(CellOrder order, const scene::MemoryCells& cells, const sim::CellTable* table,
                                      const sim::Causes* causes) {
    const bool isThere = order == CellOrder::caused ? causes != nullptr : table != nullptr;
    if (order == CellOrder::address || !isThere) return {};
    const auto numberOf = [&](std::uint32_t group) {
        const sim::ByteAddress first = cells.firstOf(group);
        const sim::ByteAddress last = cells.lastOf(group);
        if (order == CellOrder::caused) return causedBy(*causes, first, last);
        const sim::CellSums sums = table->sums(first, last.value - first.value + 1);
        return order == CellOrder::penalty ? sums.penalty : sums.misses[0];
    };
    const std::vector<scene::CellGroup>& groups = cells.groups().groups;
    std::vector<Chain> chains;
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
        if (!groups[g].follows || chains.empty()) chains.push_back({0, g, 0});
        chains.back().number += numberOf(g);
        ++chains.back().count;
    }
    std::stable_sort(chains.begin(), chains.end(), [](const Chain& a, const Chain& b) { return a.number > b.number; });
    std::vector<std::uint32_t> sorted;
    sorted.reserve(groups.size());
    for (const Chain& chain : chains) {
        for (std::uint32_t i = 0; i < chain.count; ++i) sorted.push_back(chain.first + i);
    }
    return sorted;
}

}  // namespace whorl::app
