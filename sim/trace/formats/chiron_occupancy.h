// Which caches of a level hold a block, as the lines of a Chiron trace tell it one after the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/trace/access.h"

namespace whorl::sim {

/// A table of blocks by their numbers, with a bit for each cache. A trace may begin in the middle of a program, so a
/// block of which nothing has been told yet may be in a cache or not.
class ChironOccupancy {
  public:
    /// A block comes into a cache. False, and nothing is changed, when it is there.
    bool enter(std::uint64_t block, unsigned cache);
    /// A block leaves a cache. False, and nothing is changed, when it has left before and not come back.
    bool leave(std::uint64_t block, unsigned cache);
    /// The most blocks that are known to have been in one of the caches at a time.
    std::uint64_t most() const { return most_; }

  private:
    struct Entry {
        std::uint64_t block = 0;
        std::uint64_t here = 0;   ///< the caches that hold it
        std::uint64_t known = 0;  ///< those of which it has been told; none: the entry is free
    };

    Entry& entryOf(std::uint64_t block);
    void grow();
    static std::size_t placeOf(std::uint64_t block, std::size_t size);

    std::vector<Entry> entries_;  ///< a power of two of them, at most half of them used
    std::size_t used_ = 0;
    std::array<std::uint64_t, kMaxCpus> held_{};  ///< blocks, by cache
    std::uint64_t most_ = 0;
};

}  // namespace whorl::sim
