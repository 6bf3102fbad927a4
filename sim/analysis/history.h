// The history of a run: how long each block stayed in each cache and why it left, and what each source line, object and
// word cost. What Chiron's views show; plain data, laid out so that it can be drawn and queried at once. It is made in
// one pass from a run, or from the recording that a trace brings along, and never changes.
//
// Source: H. A. Goosen et al., "Chiron: Interactive 3D visualization of parallel program memory performance".
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// Why a stay ended.
enum class Leaving : std::uint8_t {
    resident,     ///< it had not when the history ends
    replaced,     ///< it was evicted for another block
    invalidated,  ///< by another CPU's write
    included,     ///< an inclusive farther level evicted it
    moved,        ///< an exclusive level gave it to the nearer one
};

/// How a cache holds a block, as in the MESI protocol.
enum class Holding : std::uint8_t { shared, exclusive, modified };

/// One stay of a block in a cache.
struct Stay {
    static constexpr Tick kNever{~std::uint64_t{0}};
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    Tick in = kNever;              ///< the access that brought it in; never: it was there when the history begins
    Tick out = kNever;             ///< the access during which it left; never: resident
    Cycles from = 0;               ///< when it was there, after its CPU had waited for it
    Cycles to = 0;                 ///< … or the end of the history
    ByteAddress address;           ///< what the access that brought it in asked for
    std::uint32_t block = 0;       ///< index into HistoryLevel::blocks
    std::uint32_t by = kNone;      ///< replaced: the block that came instead, likewise
    std::uint32_t source = kNone;  ///< whose access brought it in: index into History::sources
    std::uint32_t object = kNone;  ///< what that access was to: index into History::objects
    std::uint32_t cost = 0;        ///< cycles that access waited
    std::uint8_t cache = 0;
    std::uint8_t cpu = 0;    ///< whose access brought it in
    std::uint8_t byCpu = 0;  ///< whose access ended it
    Leaving leaving = Leaving::resident;
    bool prefetched = false;  ///< brought in by a prefetch that the access set off
    bool dirty = false;       ///< it held data that was nowhere else when it left
};

/// From a tick on a cache holds the block of a stay in another way.
struct Change {
    std::uint32_t stay = 0;  ///< index into HistoryLevel::stays
    Tick tick;
    Cycles at = 0;
    Holding holding = Holding::shared;
};

struct HistoryBlock {
    BlockAddress block;
    Cycles cost = 0;              ///< waited by all accesses whose first byte lies in it
    std::uint32_t firstStay = 0;  ///< its stays are [firstStay, firstStay of the next block)
    std::uint64_t accesses = 0;   ///< those whose cost it is
};

struct HistoryLevel {
    std::string name;
    std::uint32_t blockSize = 64;  ///< bytes
    std::uint32_t caches = 1;
    std::uint32_t cpusPerCache = 1;
    std::vector<HistoryBlock> blocks;  ///< by address
    std::vector<Stay> stays;           ///< by block, then cache, then time
    std::vector<Change> changes;       ///< by stay, then time; the first of each stay is how it began
    std::uint64_t leftOut = 0;         ///< stays for which there was no room: those of the cheapest blocks
    std::uint64_t changesLeftOut = 0;  ///< changes, likewise: the last

    std::size_t staysEnd(std::size_t block) const {
        return block + 1 < blocks.size() ? blocks[block + 1].firstStay : stays.size();
    }
};

/// One thing that costs cycles: a source line, an object, a word.
struct CostNode {
    enum class Kind : std::uint8_t { line, instruction, object, region, word };
    static constexpr std::uint32_t kNoClass = ~std::uint32_t{0};

    ByteAddress address;     ///< of an object, a region, a word or an instruction
    std::uint64_t size = 0;  ///< bytes; lines: 0
    Cycles cycles = 0;       ///< waited by all CPUs
    std::uint64_t accesses = 0;
    /// line: a SiteId of it; object, region: index in the trace; word of History::words: what it belonged to last, an
    /// index into History::objects
    std::uint32_t id = 0;
    std::uint32_t classId = kNoClass;  ///< index into History::classes
    Kind kind = Kind::word;
};

/// What has one class: all instances of it.
struct CostClass {
    std::string name;
    std::uint64_t instances = 0;  ///< objects; words in word mode are not counted here
    std::uint64_t words = 0;      ///< words of them that were touched
    Cycles cycles = 0;
    std::uint64_t accesses = 0;
};

/// Which things of one sort go with which of another: those of thing i are to[first[i]] up to to[first[i + 1]],
/// ascending.
struct Relation {
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> to;

    std::size_t size() const { return first.size() - 1; }
    const std::uint32_t* begin(std::size_t i) const { return to.data() + first[i]; }
    const std::uint32_t* end(std::size_t i) const { return to.data() + first[i + 1]; }
};

struct History {
    Tick from;  ///< the range of the trace
    Tick to;
    Cycles begin = 0;  ///< when the first access of the range began
    Cycles end = 0;    ///< when all CPUs were through with the last
    std::uint32_t cpus = 1;
    std::vector<HistoryLevel> levels;
    std::uint64_t stride = 1;    ///< from one of `starts` to the next, in accesses
    std::vector<Cycles> starts;  ///< when access from, from + stride, … or one before them began: never falling

    std::vector<CostNode> sources;  ///< by file and line, then by instruction
    /// By address, then birth. What lies in no object is a declared region's, else a word's own.
    std::vector<CostNode> objects;
    std::vector<CostNode> words;     ///< by address
    std::uint32_t wordSize = 4;      ///< bytes; more where there are too many words to tell them apart
    std::vector<CostClass> classes;  ///< what cost the most first

    Relation sourceObjects;  ///< what the accesses of a source line were to
    Relation objectSources;
    Relation sourceWords;
    Relation wordSources;

    Cycles cycles() const;  ///< waited in all
    /// When so many accesses have happened, and the other way round: between what is known, in proportion.
    Cycles cyclesAt(double t) const;
    Tick tickAt(Cycles at) const;
};

}  // namespace whorl::sim
