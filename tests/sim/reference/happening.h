// The events in the reference's caches, in order, and how each is written in a line of text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace whorl::reference {

enum class What : std::uint8_t {
    hit,
    miss,
    fill,
    eviction,
    writeback,
    invalidation,
    downgrade,
    upgrade,
    moved,
    prefetch,
    writeThrough,
    memory,
    tlbMiss,
    pageFault,
    pageOut,
    touch,  ///< never reported: the CPU accesses a block of the first level
};

struct Happening {
    What what = What::hit;
    std::size_t level = 0;    ///< 0 is nearest the CPU; of memory: the number of levels
    std::size_t cache = 0;    ///< which of the level's caches; of pages: the CPU
    std::uint64_t block = 0;  ///< in the level's own blocks, of memory in the last level's; of pages: the page
    bool write = false;       ///< hit, miss, memory
    bool dirty = false;       ///< eviction, invalidation, downgrade, pageOut
    bool demand = false;      ///< hit, miss, memory, upgrade: belongs to the CPU's own request
    bool inclusion = false;   ///< invalidation: because an inclusive level evicted the block, not for coherence
    bool paging = false;      ///< invalidation: because the page left memory
    std::size_t frame = 0;    ///< pageFault, pageOut
    std::uint64_t bytes = 0;  ///< writeThrough
    bool told = true;         ///< false: it happens, but is in no list of events

    bool operator==(const Happening&) const = default;
};

/// Whether it happens in a cache of a level.
bool inCache(What what);

/// "miss L0.1 block 12 write demand": a line without its end.
std::string lineOf(const Happening& happening);

/// All that are reported, one line each.
std::vector<std::string> linesOf(const std::vector<Happening>& happenings);

}  // namespace whorl::reference
