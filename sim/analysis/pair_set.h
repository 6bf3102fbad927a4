// A set of pairs of numbers: which source line accessed which word, added again with every access.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/analysis/history.h"

namespace whorl::sim {

class PairSet {
  public:
    void add(std::uint32_t a, std::uint32_t b) {
        const std::uint64_t key = std::uint64_t{a} << 32 | b;
        std::size_t at = slotOf(key);
        while (slots_[at] != kEmpty) {
            if (slots_[at] == key) return;
            at = (at + 1) & (slots_.size() - 1);
        }
        slots_[at] = key;
        if (2 * ++size_ > slots_.size()) grow();
    }
    std::size_t size() const { return size_; }
    /// Calls f(a, b) for each pair, in no order.
    template <class F>
    void forEach(F&& f) const {
        for (const std::uint64_t key : slots_) {
            if (key != kEmpty) f(static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key));
        }
    }

  private:
    static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};

    /// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
    std::size_t slotOf(std::uint64_t key) const { return key * 0x9e3779b97f4a7c15 >> shift_; }
    void grow() {
        --shift_;
        std::vector<std::uint64_t> old(2 * slots_.size(), kEmpty);
        old.swap(slots_);
        for (const std::uint64_t key : old) {
            if (key == kEmpty) continue;
            std::size_t at = slotOf(key);
            while (slots_[at] != kEmpty) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = key;
        }
    }

    unsigned shift_ = 54;  ///< 64 minus the bits of the number of slots
    std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(1024, kEmpty);
    std::size_t size_ = 0;
};

/// The relation from the first elements of the pairs, of which there are `count`, to the second, of which there are
/// `others`. `mapA` and `mapB` map the elements to the numbers in the relation; pairs that become equal count once.
Relation relationOf(const PairSet& pairs, const std::vector<std::uint32_t>& mapA,
                    const std::vector<std::uint32_t>& mapB, std::size_t count, std::size_t others);
/// The inverse relation. `others`: the number of things on the other side.
Relation turnedRound(const Relation& relation, std::size_t others);

}  // namespace whorl::sim
