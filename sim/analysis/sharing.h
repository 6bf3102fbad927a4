// Finds which blocks CPUs invalidate in each other's caches, whether they share words of them or only the block, what
// that costs, and which change of the layout would cure it.
//
// A miss is by sharing when another CPU's write had invalidated the block, and by false sharing when no word that was
// used while it then stayed had been written by another (see Classifier): the kinds are those of every other report,
// and their sums agree.
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

/// What one CPU did to a field.
struct FieldUse {
    std::uint32_t cpu = 0;
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
};
/// Some bytes that were accessed as one.
struct SharedField {
    std::string place;  ///< "C[5]", "Quadrant 3+0x10"
    ByteAddress address;
    std::uint64_t size = 0;
    std::size_t thing = 0;       ///< index into SharingReport::things
    std::vector<FieldUse> uses;  ///< by CPU
};

/// A block that was invalidated by another CPU's write, or missed for that.
struct SharedBlock {
    std::size_t level = 0;
    BlockAddress block;
    std::uint64_t invalidations = 0;  ///< copies invalidated
    std::uint64_t trueMisses = 0;     ///< by true sharing
    std::uint64_t falseMisses = 0;
    /// Cycles waited, beyond a look-up in the nearest level, by accesses that missed for that, and for upgrades that
    /// invalidated a copy. Of one that missed so in several levels they count at the farthest.
    Cycles lost = 0;
    std::vector<SharedField> fields;  ///< by address, as far as they were accessed in the range
};

/// A region or an object that shared blocks hold a part of.
struct SharedThing {
    std::string name;   ///< of it
    std::string label;  ///< its class, or its name when it has none
    ByteAddress base;
    std::uint64_t size = 0;
    std::uint64_t element = 1;  ///< bytes
    bool isNamed = false;       ///< declared: it can be moved
    bool isArray = false;       ///< its elements are known
    bool isOfClass = false;     ///< the label is a class
};

/// A source line that invalidates blocks, or misses them.
struct SharingLine {
    SiteId site;
    std::uint64_t misses = 0;         ///< by sharing
    std::uint64_t invalidations = 0;  ///< copies that its accesses invalidated
    Cycles lost = 0;
};

/// Blocks of the same things for the same cause.
struct SharingGroup {
    enum class Cause : std::uint8_t {
        falseSharing,  ///< most misses are by it
        trueSharing,
        noMiss,  ///< copies were invalidated that no CPU missed
    };
    std::size_t level = 0;
    Cause cause = Cause::noMiss;
    std::vector<std::string> things;  ///< that the blocks hold: names, or of many their classes
    std::vector<std::size_t> blocks;  ///< indices into SharingReport::blocks
    std::uint64_t invalidations = 0;
    std::uint64_t trueMisses = 0;
    std::uint64_t falseMisses = 0;
    Cycles lost = 0;
    std::vector<SharingLine> lines;  ///< what lost most first
    /// The farther level whose larger blocks are what is shared, when CPUs use these blocks one at a time.
    std::optional<std::size_t> through;
    std::vector<LayoutChange> cures;  ///< none for true sharing, which no place in memory cures
};

struct SharingReport {
    Range range;
    std::vector<std::string> levels;  ///< names
    std::vector<std::uint32_t> blockSizes;
    std::vector<SharedThing> things;
    std::vector<SharedBlock> blocks;   ///< by level and address
    std::vector<SharingGroup> groups;  ///< what lost most first
    Cycles lost = 0;
    Cycles cycles = 0;  ///< waited in all
};

/// Plays a range of a run, which must be complete. Progress is in accesses. Nothing when it was cancelled.
std::optional<SharingReport> sharingOf(const Run& run, Range range, Progress& progress);

}  // namespace whorl::sim
