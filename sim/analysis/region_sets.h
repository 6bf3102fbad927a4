// Which regions belong to each of a growing list of things: cells of memory and the regions that they conflict with. A
// bit for each region where there are few, else only the pairs that occur.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/analysis/pair_set.h"

namespace whorl::sim {

class RegionSets {
  public:
    /// `regions`: how many different ones there can be.
    explicit RegionSets(std::size_t regions) : isNarrow_(regions <= kNarrow) {}

    void add(std::uint32_t thing, std::uint32_t region) {
        if (!isNarrow_) {
            pairs_.add(thing, region);
            return;
        }
        if (thing >= masks_.size()) masks_.resize(std::max<std::size_t>(2 * masks_.size(), thing + std::size_t{1}));
        masks_[thing] |= std::uint64_t{1} << region;
    }
    /// Calls f(thing, region) for each pair, in no order.
    template <class F>
    void forEach(F&& f) const {
        pairs_.forEach(f);
        for (std::uint32_t thing = 0; thing < masks_.size(); ++thing) {
            for (std::uint64_t left = masks_[thing]; left != 0; left &= left - 1) {
                f(thing, static_cast<std::uint32_t>(std::countr_zero(left)));
            }
        }
    }

  private:
    friend class SortedRegionSets;
    static constexpr std::size_t kNarrow = 64;

    bool isNarrow_;
    std::vector<std::uint64_t> masks_;  ///< by thing
    PairSet pairs_;
};

/// The same, complete, with the things in a new order, so that those of neighbours can be asked for.
class SortedRegionSets {
  public:
    /// Of no things.
    SortedRegionSets() = default;
    /// `places`: the new number of each thing, from 0.
    SortedRegionSets(const RegionSets& sets, const std::vector<std::uint32_t>& places);

    /// Marks the regions of the things [first, last) in a list that has an element for each region.
    void collect(std::size_t first, std::size_t last, std::vector<bool>& regions) const;
    std::size_t bytes() const { return (masks_.capacity() + pairs_.capacity()) * sizeof(std::uint64_t); }

  private:
    std::vector<std::uint64_t> masks_;  ///< by thing, where regions are few
    std::vector<std::uint64_t> pairs_;  ///< thing and region in one number, ascending
};

}  // namespace whorl::sim
