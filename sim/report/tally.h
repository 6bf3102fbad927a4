// Sums over rows of a ledger, for this folder's sources only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/replay/totals/ledger.h"

namespace whorl::sim {

/// Sums over rows of a ledger: those that a row of a table stands for.
struct Tally {
    std::uint64_t accesses = 0;
    std::uint64_t cycles = 0;
    std::vector<std::array<std::uint64_t, kMissKinds>> misses;  ///< by level
    std::vector<StaySum> stays;                                 ///< by level

    void add(const TallyTable& table, std::size_t row) {
        accesses += table.accesses(row);
        cycles += table.cycles(row);
        misses.resize(table.levels());
        stays.resize(table.levels());
        for (std::size_t l = 0; l < table.levels(); ++l) {
            stays[l] += table.stays(row, l);
            for (std::size_t k = 0; k < kMissKinds; ++k) misses[l][k] += table.misses(row, l, static_cast<MissKind>(k));
        }
    }
    void add(const Tally& more) {
        accesses += more.accesses;
        cycles += more.cycles;
        misses.resize(std::max(misses.size(), more.misses.size()));
        stays.resize(std::max(stays.size(), more.stays.size()));
        for (std::size_t l = 0; l < more.misses.size(); ++l) {
            stays[l] += more.stays[l];
            for (std::size_t k = 0; k < kMissKinds; ++k) misses[l][k] += more.misses[l][k];
        }
    }
    /// Misses at a level, of all kinds.
    std::uint64_t missesAt(std::size_t level) const {
        return level < misses.size() ? std::accumulate(misses[level].begin(), misses[level].end(), std::uint64_t{0})
                                     : 0;
    }
    bool isEmpty() const {
        const auto none = [](const auto& kinds) {
            return std::all_of(kinds.begin(), kinds.end(), [](auto n) { return n == 0; });
        };
        return accesses == 0 && cycles == 0 && std::all_of(misses.begin(), misses.end(), none) &&
               std::all_of(stays.begin(), stays.end(), [](const StaySum& sum) { return sum == StaySum{}; });
    }
};

}  // namespace whorl::sim
