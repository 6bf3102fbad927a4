// What a cache, a TLB or bounded memory holds, set by set and way by way: the table of textbooks. A cache's blocks are
// its blocks; those of a TLB and of memory are pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/cache/cache.h"
#include "sim/cache/hierarchy.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

/// A part of a machine that holds blocks or pages.
struct Store {
    enum class Kind : std::uint8_t {
        cache,
        tlb,    ///< a cache of translations; `cache` is its CPU
        pages,  ///< memory of bounded size: one set, whose ways are its frames
    };
    Kind kind = Kind::cache;
    std::uint8_t level = 0;  ///< of a cache
    std::uint8_t cache = 0;  ///< index within the level
    bool operator==(const Store&) const = default;
};

/// All stores of a machine, from the CPU outward: the TLBs, the caches, memory if it is bounded.
std::vector<Store> storesOf(const MachineConfig& machine);
/// Whether a machine has that store.
bool has(const MachineConfig& machine, const Store& store);
/// "L1", "L1 of CPU 2", "TLB of CPU 2", "memory".
std::string nameOf(const Store& store, const MachineConfig& machine);
/// "L1", "L1@2" (the cache that CPU 2 uses), "tlb", "tlb@2", "pages": how a store is named where one is typed; of
/// several caches those of the first CPU need no number.
std::string wordOf(const Store& store, const MachineConfig& machine);
/// The store of such a word, in upper or lower case; the error lists those that the machine has.
Expected<Store> storeNamed(std::string_view word, const MachineConfig& machine);

/// A way of a store, and what its policy keeps of it.
struct WayContents {
    bool valid = false;
    bool dirty = false;
    bool prefetched = false;  ///< as in Line
    BlockAddress block;
    std::uint32_t rank = 0;  ///< position in the eviction order, as in Line
    /// SRRIP: the prediction, 0 to 3. Tree-PLRU: the bit of the node whose right half begins at this way, 1 if the next
    /// victim is in that half; the first way has none. Nothing for other policies.
    std::optional<std::uint16_t> kept;
    /// The state by the protocol: M, E, S or I; 0 where there is none.
    char state = 0;
};

/// A view of a store: it must exist in the hierarchy, which must outlive it.
class Contents {
  public:
    Contents(const Hierarchy& hierarchy, const Store& store);

    const Store& store() const { return store_; }
    std::uint32_t sets() const { return cache_ != nullptr ? cache_->sets() : 1; }
    std::uint32_t ways() const { return cache_ != nullptr ? cache_->ways() : pages_->frames(); }
    /// Bytes of a block, or of a page.
    std::uint64_t block() const;
    Policy policy() const { return cache_ != nullptr ? cache_->policy() : Policy::lru; }
    /// Whether the blocks of a set are in an order of eviction that is known before one leaves.
    bool hasOrder() const { return ways() > 1 && !rowOf(policy()).ranks.empty(); }
    /// Whether the sets are selected by bits of the address.
    bool selectsByBits() const { return isPowerOfTwo(sets()); }

    BlockAddress blockOf(ByteAddress a) const { return BlockAddress{a.value / block()}; }
    ByteAddress addressOf(BlockAddress b) const { return ByteAddress{b.value * block()}; }
    SetIndex setOf(BlockAddress b) const { return SetIndex{static_cast<std::uint32_t>(b.value % sets())}; }
    std::uint64_t tagOf(BlockAddress b) const { return b.value / sets(); }
    /// The way that holds a block.
    std::optional<WayIndex> find(BlockAddress b) const;

    /// The ways of a set; of memory, the frames that hold a page, which are the first.
    std::vector<WayContents> set(SetIndex set) const;

  private:
    std::vector<WayContents> frames() const;

    const Hierarchy* hierarchy_;
    Store store_;
    const Cache* cache_;      ///< null for memory
    const PageTable* pages_;  ///< null for a cache
};

}  // namespace whorl::sim
