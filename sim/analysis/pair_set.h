// A set of pairs of numbers: which source line accessed which word, added again with every access.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/analysis/history.h"
#include "sim/base/number_map.h"

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

/// The relation from the first elements of the pairs, of which there are `count`, to the second, of which there are
/// `others`. `mapA` and `mapB` map the elements to the numbers in the relation; pairs that become equal count once.
Relation relationOf(const PairSet& pairs, const std::vector<std::uint32_t>& mapA,
                    const std::vector<std::uint32_t>& mapB, std::size_t count, std::size_t others);
/// The inverse relation. `others`: the number of things on the other side.
Relation turnedRound(const Relation& relation, std::size_t others);

}  // namespace whorl::sim
