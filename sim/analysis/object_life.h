// The life of some memory, an object or an array: which functions touched its blocks, on which CPUs, in which order,
// and what it cost to move the blocks from one to the next. A graph: a node for each function on each CPU, an edge for
// each pair of nodes between which blocks moved. Plain data.
//
// A block's life is a sequence of episodes: consecutive accesses to it, within the memory in question, by one function
// on one CPU. All episodes of one function on one CPU form one node, and all moves between two nodes form one edge,
// with a count.
//
// Source: A. Pesterev, N. Zeldovich, R. T. Morris, "Locating cache performance bottlenecks using data profiling",
// EuroSys 2010 (data flow graphs).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/analysis/place.h"
#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/replay/run.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The subject of a life: memory, and the accesses during which it is that object.
struct LifeSubject {
    ByteAddress from;
    std::uint64_t bytes = 1;  ///< at least one; not beyond the end of the address space
    Range range;

    bool operator==(const LifeSubject&) const = default;
};

/// The only object of the trace, at any time, that begins there, if it has that size; else null.
const Object* lifeObjectAt(ByteAddress from, std::uint64_t bytes, const Trace& trace);
/// The subject for a place in memory, within a range; for an object (lifeObjectAt) only the accesses of its lifetime.
/// The range is empty if the object does not live in it.
LifeSubject lifeSubjectOf(const Place& memory, const Trace& trace, Range range);
/// The subject for an object within a range: only the accesses of its lifetime. The range is empty if it has none.
LifeSubject lifeSubjectOf(const Object& object, Range range);

/// Accesses, or moves, that did not find their block in the nearest cache with the permission that they needed, and the
/// cycles beyond one look-up there.
struct LifeFetches {
    std::uint64_t count = 0;
    Cycles cycles = 0;

    LifeFetches& operator+=(const LifeFetches& more) {
        count += more.count;
        cycles += more.cycles;
        return *this;
    }
    bool operator==(const LifeFetches&) const = default;
};

/// The code that touches memory: a function; a source line, or an instruction, where the function is not known; or all
/// code that is not listed by itself.
struct LifeCode {
    std::string name;          ///< "build_tree", "tree.c:12", "4 others"
    SiteId site;               ///< the first of its sites that touched the memory
    bool isFunction = false;   ///< its name is that of a function
    std::uint32_t others = 0;  ///< number of codes folded into it; 0: it is a single one
    double meanTick = 0;       ///< mean of the ticks of its accesses
};

struct LifeNode {
    static constexpr std::size_t kBins = 32;

    std::uint32_t code = 0;  ///< index into ObjectLife::codes
    std::uint32_t cpu = 0;
    std::uint64_t accesses = 0;  ///< accesses that count, with any byte in the memory
    std::uint64_t writes = 0;    ///< writes among them
    Cycles cycles = 0;           ///< access cycles, look-ups included
    LifeFetches taken;           ///< accesses that invalidated another CPU's copy, or read what it held exclusively
    LifeFetches fetched;         ///< other accesses that cost more than one look-up: farther levels, memory, pages
    /// The `taken` and `fetched` accesses with a miss by false sharing (Ledger, docs/machines.md): no other CPU had
    /// written what they used.
    LifeFetches falseShared;
    std::uint64_t episodes = 0;
    std::uint64_t begins = 0;  ///< blocks that the node was the first to touch in the range
    std::uint64_t ends = 0;    ///< blocks that it was the last to touch
    Tick first;
    Tick last;
    std::array<std::uint64_t, kBins> when{};  ///< its accesses, by equal parts of the range

    std::uint64_t reads() const { return accesses - writes; }
};

/// Moves of blocks from the episodes of a node to those of another one.
struct LifeEdge {
    std::uint32_t from = 0;  ///< index into ObjectLife::nodes
    std::uint32_t to = 0;
    std::uint64_t count = 0;
    /// The fetches by the first accesses of the moves, as in LifeNode. An access that straddles blocks counts only for
    /// its first block.
    LifeFetches taken;
    LifeFetches fetched;
};

struct ObjectLife {
    /// The most nodes on a machine with few CPUs; the rest is folded into a node of others on each CPU.
    static constexpr std::size_t kMaxNodes = 48;

    LifeSubject subject;
    std::uint64_t blockBytes = 1;  ///< block size of the nearest level
    std::uint64_t blocks = 0;      ///< number of blocks touched
    std::vector<LifeCode> codes;   ///< by mean tick
    std::vector<LifeNode> nodes;   ///< by code, then by CPU
    std::vector<LifeEdge> edges;   ///< the most frequent first

    /// Sums over the nodes.
    std::uint64_t accesses() const;
    Cycles cycles() const;
    LifeFetches taken() const;
    LifeFetches fetched() const;
};

/// Plays the range of the subject, which must be built. Progress is in accesses. Null when cancelled.
std::shared_ptr<const ObjectLife> objectLifeOf(const Run& run, const LifeSubject& subject, Progress& progress,
                                               std::size_t mostNodes = ObjectLife::kMaxNodes);

}  // namespace whorl::sim
