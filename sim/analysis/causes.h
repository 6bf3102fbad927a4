// Whose accesses caused the misses of some blocks: an access that evicts a block causes its next miss.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/replay/run.h"

namespace whorl::sim {

struct Causes {
    std::uint64_t group = 64;  ///< bytes of a cell
    /// Misses caused by the accesses that begin in each cell, by address of the cell.
    std::vector<std::pair<ByteAddress, std::uint64_t>> misses;
    /// Misses of blocks that had never been in the cache, or had not left it by an eviction: another CPU or a farther
    /// level invalidated them, or they moved to a nearer level.
    std::uint64_t others = 0;

    bool operator==(const Causes&) const = default;
};

/// Counts the misses in a range of the blocks of a level that overlap some memory of at least one byte, by the cell of
/// `group` bytes, a power of two, whose access last evicted the block from the same cache. Plays the trace up to the
/// end of the range, which must be built. Progress is in accesses. Empty when cancelled.
std::optional<Causes> causesOf(const Run& run, Range range, std::size_t level, ByteAddress victims, std::uint64_t bytes,
                               std::uint64_t group, Progress& progress);

}  // namespace whorl::sim
