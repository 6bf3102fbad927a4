// Tracks which caches of a level hold each block while a Chiron trace is read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/trace/access.h"

namespace whorl::sim {

/// A hash table of blocks with a bit for each cache. A trace may begin in the middle of a program, so the state of a
/// block is unknown until its first event.
class ChironOccupancy {
  public:
    /// A block enters a cache. False, with nothing changed, if the cache has it already.
    bool enter(std::uint64_t block, unsigned cache);
    /// A block leaves a cache. False, with nothing changed, if the cache is known not to have it.
    bool leave(std::uint64_t block, unsigned cache);
    /// The maximum number of blocks known to have been in one of the caches at the same time.
    std::uint64_t most() const { return most_; }

  private:
    struct Entry {
        std::uint64_t block = 0;
        std::uint64_t here = 0;   ///< bit per cache: holds the block
        std::uint64_t known = 0;  ///< bit per cache: `here` is known; 0: the entry is free
    };

    Entry& entryOf(std::uint64_t block);
    void grow();
    static std::size_t placeOf(std::uint64_t block, std::size_t size);

    std::vector<Entry> entries_;  ///< the size is a power of two; at most half are used
    std::size_t used_ = 0;
    std::array<std::uint64_t, kMaxCpus> held_{};  ///< number of blocks, by cache
    std::uint64_t most_ = 0;
};

}  // namespace whorl::sim
