// Maps blocks to sets: the block's number modulo the number of sets.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/base/types.h"

namespace whorl::sim {

/// The number of sets of a cache. Where it is a power of two, as in most caches, a set is selected by bits of the
/// address; otherwise by multiplication with the reciprocal, which takes a fraction of the time of a division.
class Sets {
  public:
    /// There must be at least one set.
    explicit Sets(std::uint32_t count)
        : count_(count),
          mask_(isPowerOfTwo(count) ? count - 1 : 0),
          reciprocal_(isPowerOfTwo(count) ? 0 : ~std::uint64_t{0} / count) {}
    Sets() : Sets(1) {}

    std::uint32_t count() const { return count_; }
    bool arePowerOfTwo() const { return reciprocal_ == 0; }

    std::uint32_t of(std::uint64_t block) const {
        if (reciprocal_ == 0) return static_cast<std::uint32_t>(block) & mask_;
        // The quotient is exact or one too small.
        const auto quotient = static_cast<std::uint64_t>(static_cast<Wide>(block) * reciprocal_ >> 64);
        const auto rest = static_cast<std::uint32_t>(block - quotient * count_);
        return rest >= count_ ? rest - count_ : rest;
    }
    /// The set of a block; the number of sets must be a power of two.
    std::uint32_t ofPowerOfTwo(std::uint64_t block) const { return static_cast<std::uint32_t>(block) & mask_; }

    /// The tag of a block, which distinguishes the blocks of a set: the block's number divided by the number of sets.
    std::uint64_t tagOf(std::uint64_t block) const {
        return reciprocal_ == 0 ? block >> std::bit_width(mask_) : block / count_;
    }
    std::uint64_t blockOf(std::uint64_t tag, std::uint32_t set) const { return tag * count_ + set; }

    bool operator==(const Sets&) const = default;

  private:
    __extension__ using Wide = unsigned __int128;

    std::uint32_t count_;
    std::uint32_t mask_;        ///< selects the lowest bits of a block's number; 0 if the count is no power of two
    std::uint64_t reciprocal_;  ///< 2^64 / count, rounded down; 0 if it is a power of two
};

}  // namespace whorl::sim
