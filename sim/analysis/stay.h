// A stay of a block in a cache, and a change of how it is held there: what a history (history.h) lists.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/cache/cost.h"

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
inline constexpr std::array kHoldingNames = {"shared", "exclusive", "modified"};  ///< by Holding

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
    Holding holding = Holding::shared;  ///< at first; see HistoryLevel::changes
    bool prefetched = false;            ///< filled by a prefetch that the access triggered
    bool dirty = false;                 ///< held the only copy of its data when it left
};

/// From a tick on, a cache holds the block of a stay in a different state.
struct Change {
    std::uint32_t stay = 0;  ///< index into HistoryLevel::stays
    Tick tick;
    Cycles at = 0;
    Holding holding = Holding::shared;
};

}  // namespace whorl::sim
