#include "sim/replay/totals/eviction_pairs.h"

#include <algorithm>
#include <map>
#include <utility>

namespace whorl::sim {

std::vector<EvictionPair> evictionPairs(const Conflicts& conflicts, std::size_t levels) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint64_t>> counts;
    for (const auto& [conflict, count] : conflicts) {
        if (count == 0) continue;
        auto& row = counts[{conflict.evictor, conflict.victim}];
        row.resize(levels);
        row[conflict.level] += count;
    }
    std::vector<EvictionPair> pairs;
    pairs.reserve(counts.size());
    for (auto& [pair, row] : counts) pairs.push_back({pair.first, pair.second, std::move(row)});
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const EvictionPair& a, const EvictionPair& b) { return a.evictions > b.evictions; });
    return pairs;
}

}  // namespace whorl::sim
