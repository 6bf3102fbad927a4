// The history of a run: how long each block stayed in each cache and why it left, and what each source line, object and
// word cost. Chiron's views show it; plain data, laid out for fast drawing and querying. It is made in one pass from a
// run, or from the recording in a trace, and never changes.
//
// Source: H. A. Goosen et al., "Chiron: Interactive 3D visualization of parallel program memory performance".
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/analysis/stay_list.h"
#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/trace/access.h"

namespace whorl::sim {

struct CycleScale {
    Tick from;  ///< the range of the trace
    Tick to;
    Cycles begin = 0;            ///< when the first access of the range began
    Cycles end = 0;              ///< when all CPUs have finished the last
    std::uint64_t stride = 1;    ///< accesses between consecutive `starts`
    std::vector<Cycles> starts;  ///< when access from, from + stride, … or an earlier one began: never decreasing

    /// Takes the start of the next access of the range. Lowers `begin` to the earliest start, so `begin` must be no
    /// earlier at first.
    void took(Tick tick, Cycles at);

    /// The cycle after t accesses of the trace, with a fraction: interpolated linearly between `starts`, never
    /// decreasing, and clamped to the ends of the range.
    double cyclesAt(double t) const;
    /// The inverse: cyclesAt(accessesAt(c)) is c for every cycle of the range. Where several accesses begin in the same
    /// cycle, the position after the last of them.
    double accessesAt(double at) const;
};

/// The number of accesses between two known starts, in a range of `accesses` accesses: about a million starts of 8
/// bytes each are kept, so that a view of a long trace that is zoomed to a few accesses still shows the cycles near
/// them.
std::uint64_t cycleStride(std::uint64_t accesses);

struct HistoryBlock {
    BlockAddress block;
    Cycles cost = 0;              ///< access cycles of all accesses whose first byte is in it
    std::uint32_t firstStay = 0;  ///< its stays are [firstStay, firstStay of the next block)
    std::uint64_t accesses = 0;   ///< number of those accesses
};

struct HistoryLevel {
    std::string name;
    std::uint32_t blockSize = 64;  ///< bytes
    std::uint32_t caches = 1;
    std::uint32_t cpusPerCache = 1;
    std::vector<HistoryBlock> blocks;  ///< by address
    StayList stays;                    ///< by block, then cache, then time
    ChangeList changes;                ///< by stay, then time; without the initial state of a stay
    std::uint64_t leftOut = 0;         ///< stays omitted for lack of room: those of the cheapest blocks
    std::uint64_t changesLeftOut = 0;  ///< changes omitted for lack of room: the last ones

    /// The CPUs that use a cache: "CPU 3", or "CPUs 4–7" where it serves several.
    std::string cpusOf(std::uint32_t cache) const;
    /// The changes of a stay: [first, second) of `changes`.
    std::pair<std::uint32_t, std::uint32_t> changesOf(std::uint32_t stay) const;
    std::size_t staysEnd(std::size_t block) const {
        return block + 1 < blocks.size() ? blocks[block + 1].firstStay : stays.size();
    }
};

/// One thing that costs cycles: a source line, an object, a word.
struct CostNode {
    enum class Kind : std::uint8_t { line, instruction, object, region, word };
    static constexpr std::uint32_t kNoClass = ~std::uint32_t{0};

    ByteAddress address;     ///< address of the object, region, word or instruction
    std::uint64_t size = 0;  ///< bytes; lines: 0
    Cycles cycles = 0;       ///< access cycles of all CPUs
    std::uint64_t accesses = 0;
    /// The part of `cycles` that CPUs waited for blocks: without one look-up of `lookUp` cycles per access.
    Cycles waited(Cycles lookUp) const { return cycles - accesses * lookUp; }
    /// line: one of its SiteIds; object, region: index in the trace; word of History::words: its last owner, an index
    /// into History::objects
    std::uint32_t id = 0;
    std::uint32_t classId = kNoClass;  ///< index into History::classes
    Kind kind = Kind::word;
};

/// What is counted of each node in each level, besides its accesses and their cycles.
enum class NodeCount : std::uint8_t {
    misses,         ///< of its accesses, those of the write-backs that they cause included
    invalidations,  ///< of blocks in the caches of other CPUs, by its accesses
};
inline constexpr std::size_t kNodeCounts = 2;

/// The counts of the nodes of one kind. Most of many nodes are 0: what is missing at the end of a column is, too.
class NodeCounts {
  public:
    void add(NodeCount what, std::size_t level, std::size_t node);
    std::uint32_t of(NodeCount what, std::size_t level, std::size_t node) const;
    /// The counts of node i at places[i], summed up where several have the same place.
    NodeCounts moved(const std::vector<std::uint32_t>& places) const;

  private:
    std::vector<std::vector<std::uint32_t>> columns_;  ///< by level, then NodeCount
};

/// All instances of one class.
struct CostClass {
    std::string name;
    std::uint64_t instances = 0;  ///< objects; words in word mode are not counted here
    std::uint64_t words = 0;      ///< touched words in them
    Cycles cycles = 0;
    std::uint64_t accesses = 0;
};

/// Which things of one kind occur with which things of another kind: thing i occurs with to[first[i]] up to, but not
/// including, to[first[i + 1]], ascending.
struct Relation {
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> to;

    std::size_t size() const { return first.size() - 1; }
    const std::uint32_t* begin(std::size_t i) const { return to.data() + first[i]; }
    const std::uint32_t* end(std::size_t i) const { return to.data() + first[i + 1]; }
};

/// The scale has the range of the trace that the history covers.
struct History : CycleScale {
    std::uint32_t cpus = 1;
    Cycles lookUp = 0;  ///< cycles of each access in the nearest level; 0: cycles are only waits, as in a recording
    std::vector<HistoryLevel> levels;

    std::vector<CostNode> sources;  ///< by file and line, then by instruction
    /// By address, then birth. A word in no object belongs to a declared region, else to an object of its own.
    std::vector<CostNode> objects;
    std::vector<CostNode> words;     ///< by address
    std::uint32_t wordSize = 4;      ///< bytes; more when there are too many words to keep apart
    std::vector<CostClass> classes;  ///< the most expensive first
    bool isCounted = false;          ///< what NodeCounts count is known: not in a recording
    NodeCounts sourceCounts;
    NodeCounts objectCounts;
    NodeCounts wordCounts;

    Relation sourceObjects;  ///< the objects that a source line accessed
    Relation objectSources;
    Relation sourceWords;
    Relation wordSources;

    Cycles cycles() const;  ///< access cycles in total
    Cycles waited() const;  ///< the part of cycles() that all CPUs waited for blocks
};

}  // namespace whorl::sim
