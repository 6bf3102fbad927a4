// Counts evictions by pairs: how often an access to one item of a list evicted a block of another, by level. Uses a
// table if the list is short, else stores only the pairs that occur.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/number_map.h"
#include "sim/replay/totals/ledger.h"

namespace whorl::sim {

class PairCounts {
  public:
    PairCounts(std::size_t levels, std::size_t things)
        : things_(things), table_(things <= kMaxInTable ? levels * things * things : 0, 0) {}

    void add(std::uint32_t level, std::uint32_t evictor, std::uint32_t victim) {
        if (!table_.empty()) {
            ++table_[(level * things_ + evictor) * things_ + victim];
        } else {
            ++pairs_[std::uint64_t{level} << 60 | std::uint64_t{evictor} << 30 | victim];
        }
    }
    Conflicts conflicts() const {
        Conflicts out;
        for (std::size_t i = 0; i < table_.size(); ++i) {
            if (table_[i] == 0) continue;
            out[{.level = static_cast<std::uint32_t>(i / things_ / things_),
                 .evictor = static_cast<std::uint32_t>(i / things_ % things_),
                 .victim = static_cast<std::uint32_t>(i % things_)}] = table_[i];
        }
        constexpr std::uint64_t kPlace = (std::uint64_t{1} << 30) - 1;
        pairs_.forEach([&](std::uint64_t key, std::uint64_t count) {
            out[{.level = static_cast<std::uint32_t>(key >> 60),
                 .evictor = static_cast<std::uint32_t>(key >> 30 & kPlace),
                 .victim = static_cast<std::uint32_t>(key & kPlace)}] = count;
        });
        return out;
    }

  private:
    static constexpr std::size_t kMaxInTable = 64;

    std::size_t things_;
    std::vector<std::uint64_t> table_;
    NumberMap<std::uint64_t> pairs_;  ///< by level, evictor and victim in one number
};

}  // namespace whorl::sim
