// A set of pairs of numbers: which source line accessed which word, added again with every access.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/analysis/history.h"
#include "sim/base/containers.h"

namespace whorl::sim {

class PairSet {
  public:
    void add(std::uint32_t a, std::uint32_t b) { pairs_[std::uint64_t{a} << 32 | b]; }
    std::size_t size() const { return pairs_.size(); }
    /// Calls f(a, b) for each pair, in no order.
    template <class F>
    void forEach(F&& f) const {
        pairs_.forEach([&](std::uint64_t pair, Nothing) {
            f(static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair));
        });
    }

  private:
    struct Nothing {};

    NumberMap<Nothing> pairs_;
};

/// The relation from the first elements of the pairs (`count` of them) to the second (`others`). `mapA` and `mapB` map
/// the elements to the numbers in the relation; pairs that become equal count once.
Relation relationOf(const PairSet& pairs, const std::vector<std::uint32_t>& mapA,
                    const std::vector<std::uint32_t>& mapB, std::size_t count, std::size_t others);
/// The inverse relation. `others`: the number of things on the other side.
Relation turnedRound(const Relation& relation, std::size_t others);

/// Which regions belong to each of a growing list of things: cells of memory and the regions that they conflict with.
/// Stored as a bit for each region where there are few, else as the pairs that occur.
class RegionSets {
  public:
    /// `regions`: the number of different regions that can occur.
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

/// A completed RegionSets with the things in a new order, in which the regions of neighbouring things can be collected.
class SortedRegionSets {
  public:
    /// An empty list of things.
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
