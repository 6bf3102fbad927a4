// Finds which blocks CPUs invalidate in each other's caches, whether they share words of them or only the block, the
// cost of this, and which layout changes would separate what they use. Whether these save cycles is another question:
// see sharing_trials.h.
//
// A miss is by sharing when another CPU's write had invalidated the block, and by false sharing when no word used
// during the following stay had been written by another CPU (see Classifier): the kinds match those of every other
// report, and so do their sums.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/analysis/layout_trials.h"
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
/// How one source line used a field.
struct FieldLine {
    SiteId site;
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    Cycles lost = 0;  ///< see SharedBlock
};
/// Sorts the lines: the largest loss first, then the most accesses.
void rankLines(std::vector<FieldLine>& lines);

/// Bytes that were accessed as a unit. A block loses what its fields lose. Its misses and invalidations that accesses
/// elsewhere cause, to the larger block of a farther level or before a prefetch, belong to none of its fields.
struct SharedField {
    std::string place;  ///< "C[5]", "counters[3].hits", "Quadrant 3+0x10"
    ByteAddress address;
    std::uint64_t size = 0;
    std::size_t thing = 0;            ///< index into SharingReport::things
    std::vector<FieldUse> uses;       ///< by CPU
    std::vector<FieldLine> lines;     ///< the largest loss first, then the most accesses
    std::uint64_t invalidations = 0;  ///< copies that accesses here invalidated
    std::uint64_t trueMisses = 0;     ///< misses of accesses here by true sharing
    std::uint64_t falseMisses = 0;
    Cycles lost = 0;  ///< cycles lost by accesses here

    std::uint64_t reads() const;
    std::uint64_t writes() const;
};

/// A block invalidated by another CPU's write, or missed because of that.
struct SharedBlock {
    std::size_t level = 0;
    BlockAddress block;
    std::uint64_t invalidations = 0;  ///< copies invalidated
    std::uint64_t trueMisses = 0;     ///< by true sharing
    std::uint64_t falseMisses = 0;
    /// Access cycles, beyond a look-up in the nearest level, of accesses that missed because of that, and of upgrades
    /// that invalidated a copy of the block. A miss of this kind in several levels counts at the farthest.
    Cycles lost = 0;
    std::vector<SharedField> fields;  ///< by address, those accessed in the range

    /// Accesses in the range, by all CPUs, to any byte of the block.
    std::uint64_t reads() const;
    std::uint64_t writes() const;
};

/// A region or an object that lies at least partly in shared blocks.
struct SharedThing {
    std::string name;
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

/// Why the copies of a block are missed.
enum class SharingCause : std::uint8_t {
    falseSharing,  ///< most misses are by false sharing
    trueSharing,
    noMiss,  ///< copies were invalidated, but no CPU missed them
};
/// The cause for these numbers of misses.
SharingCause causeOf(std::uint64_t trueMisses, std::uint64_t falseMisses);

/// Blocks of the same things with the same cause.
struct SharingGroup {
    using Cause = SharingCause;
    std::size_t level = 0;
    Cause cause = Cause::noMiss;
    std::vector<std::string> things;  ///< contents of the blocks: names, or classes if there are many
    std::vector<std::size_t> blocks;  ///< indices into SharingReport::blocks
    std::uint64_t invalidations = 0;
    std::uint64_t trueMisses = 0;
    std::uint64_t falseMisses = 0;
    Cycles lost = 0;
    std::vector<SharingLine> lines;  ///< the largest loss first
    /// Things whose elements alternate between CPUs, for example where the iterations of a loop are dealt out one by
    /// one: each CPU writes several pieces, with pieces of other CPUs between them. Contiguous chunks would separate
    /// them, padding would not.
    std::vector<std::size_t> alternating;
    /// The farther level whose larger blocks are shared, when CPUs use these blocks one at a time.
    std::optional<std::size_t> through;
    /// Changes after which no block contains data of different CPUs; none where they use the same words.
    std::vector<LayoutChange> proposals;
    /// Trials of the proposals, and of alternatives to them, by tryCures: `cures` help enough, the best first;
    /// `rejected` do not, the least costly first.
    std::vector<Trial> cures;
    std::vector<Trial> rejected;
};

struct SharingReport {
    Range range;
    std::string machine;              ///< its name
    std::vector<std::string> levels;  ///< names
    std::vector<std::uint32_t> blockSizes;
    std::vector<SharedThing> things;
    std::vector<SharedBlock> blocks;   ///< by level and address
    std::vector<SharingGroup> groups;  ///< the largest loss first
    Cycles lost = 0;
    Cycles cycles = 0;  ///< access cycles in total
    // Set by tryCures.
    std::size_t tried = 0;          ///< trials
    std::size_t untried = 0;        ///< proposals that were too many to try
    std::optional<Trial> together;  ///< combined cures of several groups, if they save more than any alone
};

/// What all accesses of a trace cost.
struct SharingCosts {
    Cycles cycles = 0;     ///< access cycles
    Cycles stalls = 0;     ///< of these, those beyond a look-up in the nearest level for each access
    Cycles bySharing = 0;  ///< see SharedBlock::lost
};

/// Plays a trace once, on a machine with as many CPUs. Progress is in accesses. Empty when cancelled.
std::optional<SharingCosts> sharingCostsOf(const Trace& trace, const MachineConfig& machine, Progress& progress);

/// Plays a range of a run, which must be complete. Progress is in accesses. Empty when cancelled.
std::optional<SharingReport> sharingOf(const Run& run, Range range, Progress& progress);

}  // namespace whorl::sim
