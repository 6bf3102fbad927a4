// The hot loop: many accesses through a plain machine (Hierarchy::isPlain), with the same result as one
// Hierarchy::access after the other. Works on bare arrays; written twice, with and without AVX2, and chosen at run
// time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/cache/cache.h"
#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// What one level saw, in as few numbers as will do: every miss fills, and evicts unless its set grows.
struct PlainCounts {
    std::uint64_t readHits = 0;
    std::uint64_t writeHits = 0;
    std::uint64_t readMisses = 0;
    std::uint64_t writeMisses = 0;
    std::uint64_t newWays = 0;  ///< ways that came into use
    std::uint64_t writebacks = 0;
    std::uint64_t idleReads = 0;  ///< reads that no CPU waited for: write-backs that missed before them set them off
};

struct PlainRun {
    std::size_t levels = 0;
    RawCache caches[kMaxLevels] = {};
    PlainCounts counts[kMaxLevels + 1] = {};  ///< the last is memory's, where all is a hit
    Event* next = nullptr;                    ///< where events go; null when nobody listens
    Event* end = nullptr;
    std::uint32_t* hits = nullptr;  ///< where the places of simple hits go; null when those are events as well
    std::uint64_t reads = 0;        ///< accesses that were loads
    std::uint64_t writes = 0;       ///< … that were stores
    std::uint32_t firstAccess = 0;  ///< the place of the first access in its batch
    bool unrecorded = false;        ///< which accesses are played: those that do not count, or those that do
};

/// The most events that one block of an access can cause: each level can be asked twice by the nearer one.
constexpr std::size_t kMaxPlainEvents = std::size_t{8} << kMaxLevels;

/// Plays accesses from the first on, as long as there is room for events, and all count or all do not; gives how many.
std::size_t playPlain(PlainRun& run, const PackedAccess* accesses, std::size_t count);

/// The two ways of it: they do the same. The second needs a processor with AVX2.
std::size_t playPlainPortably(PlainRun& run, const PackedAccess* accesses, std::size_t count);
std::size_t playPlainByAvx2(PlainRun& run, const PackedAccess* accesses, std::size_t count);

}  // namespace whorl::sim
