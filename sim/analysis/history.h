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

#include "sim/analysis/cycle_scale.h"
#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// Why a stay ended.
enum class Leaving : std::uint8_t {
    resident,     ///< still in the cache at the end of the history
    replaced,     ///< it was evicted for another block
    invalidated,  ///< by another CPU's write
    included,     ///< evicted by an inclusive farther level
    moved,        ///< passed by an exclusive level to the nearer one
    paged,        ///< its page left memory
};

/// The state in which a cache holds a block, as in the MESI protocol.
enum class Holding : std::uint8_t { shared, exclusive, modified };

/// One stay of a block in a cache.
struct Stay {
    static constexpr Tick kNever{~std::uint64_t{0}};
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    Tick in = kNever;              ///< the access that filled it; never: resident when the history begins
    Tick out = kNever;             ///< the access during which it left; never: resident
    Cycles from = 0;               ///< when it became resident, after its CPU's stall
    Cycles to = 0;                 ///< when it left, or the end of the history
    ByteAddress address;           ///< the address requested by the access that filled it
    std::uint32_t block = 0;       ///< index into HistoryLevel::blocks
    std::uint32_t by = kNone;      ///< replaced: the block that replaced it, likewise
    std::uint32_t source = kNone;  ///< of the access that filled it: index into History::sources
    std::uint32_t object = kNone;  ///< of that access: index into History::objects
    std::uint32_t cost = 0;        ///< access cycles of that access
    std::uint8_t cache = 0;
    std::uint8_t cpu = 0;    ///< of the access that filled it
    std::uint8_t byCpu = 0;  ///< of the access that ended it
    Leaving leaving = Leaving::resident;
    bool prefetched = false;  ///< filled by a prefetch that the access triggered
    bool dirty = false;       ///< held the only copy of its data when it left
};

/// From a tick on, a cache holds the block of a stay in a different state.
struct Change {
    std::uint32_t stay = 0;  ///< index into HistoryLevel::stays
    Tick tick;
    Cycles at = 0;
    Holding holding = Holding::shared;
};

struct HistoryBlock {
    BlockAddress block;
    Cycles cost = 0;              ///< access cycles of all accesses whose first byte is in it
    std::uint32_t firstStay = 0;  ///< its stays are [firstStay, firstStay of the next block)
    std::uint64_t accesses = 0;   ///< the accesses with that cost
};

struct HistoryLevel {
    std::string name;
    std::uint32_t blockSize = 64;  ///< bytes
    std::uint32_t caches = 1;
    std::uint32_t cpusPerCache = 1;
    std::vector<HistoryBlock> blocks;  ///< by address
    std::vector<Stay> stays;           ///< by block, then cache, then time
    std::vector<Change> changes;       ///< by stay, then time; the first of each stay is its initial state
    std::uint64_t leftOut = 0;         ///< stays omitted for lack of room: those of the cheapest blocks
    std::uint64_t changesLeftOut = 0;  ///< changes omitted likewise: the last

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

    ByteAddress address;     ///< of an object, a region, a word or an instruction
    std::uint64_t size = 0;  ///< bytes; lines: 0
    Cycles cycles = 0;       ///< access cycles of all CPUs
    std::uint64_t accesses = 0;
    /// line: one of its SiteIds; object, region: index in the trace; word of History::words: its last owner, an index
    /// into History::objects
    std::uint32_t id = 0;
    std::uint32_t classId = kNoClass;  ///< index into History::classes
    Kind kind = Kind::word;
};

/// All instances of one class.
struct CostClass {
    std::string name;
    std::uint64_t instances = 0;  ///< objects; words in word mode are not counted here
    std::uint64_t words = 0;      ///< touched words in them
    Cycles cycles = 0;
    std::uint64_t accesses = 0;
};

/// Which things of one kind occur with which of another: those of thing i are to[first[i]] up to to[first[i + 1]],
/// ascending.
struct Relation {
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> to;

    std::size_t size() const { return first.size() - 1; }
    const std::uint32_t* begin(std::size_t i) const { return to.data() + first[i]; }
    const std::uint32_t* end(std::size_t i) const { return to.data() + first[i + 1]; }
};

/// Its scale has the range of the trace.
struct History : CycleScale {
    std::uint32_t cpus = 1;
    std::vector<HistoryLevel> levels;

    std::vector<CostNode> sources;  ///< by file and line, then by instruction
    /// By address, then birth. What is in no object belongs to a declared region, else to an object of its own word.
    std::vector<CostNode> objects;
    std::vector<CostNode> words;     ///< by address
    std::uint32_t wordSize = 4;      ///< bytes; more when there are too many words to keep apart
    std::vector<CostClass> classes;  ///< the most expensive first

    Relation sourceObjects;  ///< the objects that a source line accessed
    Relation objectSources;
    Relation sourceWords;
    Relation wordSources;

    Cycles cycles() const;  ///< access cycles in total
};

}  // namespace whorl::sim
