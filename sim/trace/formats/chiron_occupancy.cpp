#include "sim/trace/formats/chiron_occupancy.h"

#include <algorithm>

namespace whorl::sim {
namespace {

constexpr std::size_t kFirstSize = 1024;

}  // namespace

/// Fibonacci hashing: spreads neighbouring blocks.
std::size_t ChironOccupancy::placeOf(std::uint64_t block, std::size_t size) {
    return (block * 0x9e3779b97f4a7c15ull >> 32) & (size - 1);
}

/// The entry of a block, inserted if there is none.
ChironOccupancy::Entry& ChironOccupancy::entryOf(std::uint64_t block) {
    if (2 * used_ >= entries_.size()) grow();
    std::size_t at = placeOf(block, entries_.size());
    while (entries_[at].known != 0 && entries_[at].block != block) at = (at + 1) & (entries_.size() - 1);
    if (entries_[at].known == 0) {
        entries_[at].block = block;
        ++used_;  // both callers set `known`
    }
    return entries_[at];
}

void ChironOccupancy::grow() {
    std::vector<Entry> larger(std::max(kFirstSize, 2 * entries_.size()));
    for (const Entry& entry : entries_) {
        if (entry.known == 0) continue;
        std::size_t at = placeOf(entry.block, larger.size());
        while (larger[at].known != 0) at = (at + 1) & (larger.size() - 1);
        larger[at] = entry;
    }
    entries_ = std::move(larger);
}

bool ChironOccupancy::enter(std::uint64_t block, unsigned cache) {
    const std::uint64_t bit = std::uint64_t{1} << cache;
    Entry& entry = entryOf(block);
    if ((entry.here & bit) != 0) return false;
    entry.here |= bit;
    entry.known |= bit;
    most_ = std::max(most_, ++held_[cache]);
    return true;
}

bool ChironOccupancy::leave(std::uint64_t block, unsigned cache) {
    const std::uint64_t bit = std::uint64_t{1} << cache;
    Entry& entry = entryOf(block);
    if ((entry.here & bit) == 0 && (entry.known & bit) != 0) return false;
    if ((entry.here & bit) != 0) --held_[cache];
    entry.here &= ~bit;
    entry.known |= bit;
    return true;
}

}  // namespace whorl::sim
