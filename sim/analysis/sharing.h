// Finds which blocks CPUs invalidate in each other's caches, whether they share words of them or only the block, the
// cost of this, and which layout change would cure it.
//
// A miss is by sharing when another CPU's write had invalidated the block, and by false sharing when no word used
// during the following stay had been written by another CPU (see Classifier): the kinds match those of every other
// report, and so do their sums.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/replay/run.h"
#include "sim/trace/layout/layout_change.h"

namespace whorl::sim {

/// How one CPU used a field.
struct FieldUse {
    std::uint32_t cpu = 0;
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
};
/// Bytes that were accessed as a unit.
struct SharedField {
    std::string place;  ///< "C[5]", "Quadrant 3+0x10"
    ByteAddress address;
    std::uint64_t size = 0;
    std::size_t thing = 0;       ///< index into SharingReport::things
    std::vector<FieldUse> uses;  ///< by CPU
};

/// A block invalidated by another CPU's write, or missed because of that.
struct SharedBlock {
    std::size_t level = 0;
    BlockAddress block;
    std::uint64_t invalidations = 0;  ///< copies invalidated
    std::uint64_t trueMisses = 0;     ///< by true sharing
    std::uint64_t falseMisses = 0;
    /// Access cycles, beyond a look-up in the nearest level, of accesses that missed because of that, and of upgrades
    /// that invalidated a copy. A miss of this kind in several levels counts at the farthest.
    Cycles lost = 0;
    std::vector<SharedField> fields;  ///< by address, those accessed in the range
};

/// A region or an object of which shared blocks contain a part.
struct SharedThing {
    std::string name;   ///< of it
    std::string label;  ///< its class, or its name when it has none
    ByteAddress base;
    std::uint64_t size = 0;
    std::uint64_t element = 1;  ///< bytes
    bool isNamed = false;       ///< declared, so it can be moved
    bool isArray = false;       ///< its elements are known
    bool isOfClass = false;     ///< the label is a class
};

/// A source line that invalidates blocks, or misses in them.
struct SharingLine {
    SiteId site;
    std::uint64_t misses = 0;         ///< by sharing
    std::uint64_t invalidations = 0;  ///< copies that its accesses invalidated
    Cycles lost = 0;
};

/// Blocks of the same things with the same cause.
struct SharingGroup {
    enum class Cause : std::uint8_t {
        falseSharing,  ///< most misses are by false sharing
        trueSharing,
        noMiss,  ///< copies were invalidated, but no CPU missed them
    };
    std::size_t level = 0;
    Cause cause = Cause::noMiss;
    std::vector<std::string> things;  ///< in the blocks: names, or classes if there are many
    std::vector<std::size_t> blocks;  ///< indices into SharingReport::blocks
    std::uint64_t invalidations = 0;
    std::uint64_t trueMisses = 0;
    std::uint64_t falseMisses = 0;
    Cycles lost = 0;
    std::vector<SharingLine> lines;  ///< the largest loss first
    /// The farther level whose larger blocks are shared, when CPUs use these blocks one at a time.
    std::optional<std::size_t> through;
    std::vector<LayoutChange> cures;  ///< none for true sharing, which no memory layout cures
};

struct SharingReport {
    Range range;
    std::vector<std::string> levels;  ///< names
    std::vector<std::uint32_t> blockSizes;
    std::vector<SharedThing> things;
    std::vector<SharedBlock> blocks;   ///< by level and address
    std::vector<SharingGroup> groups;  ///< the largest loss first
    Cycles lost = 0;
    Cycles cycles = 0;  ///< access cycles in total
};

/// Plays a range of a run, which must be complete. Progress is in accesses. Empty when cancelled.
std::optional<SharingReport> sharingOf(const Run& run, Range range, Progress& progress);

}  // namespace whorl::sim
