// Next-line and stride prefetching.
#include "sim/cache/walk.h"

namespace whorl::sim {

/// Issues the prefetches triggered by the current block's request at a level.
void Walk::prefetchFor(std::size_t level) {
    const LevelConfig& config = machine_.levels[level];
    const Trigger trigger = triggers_[level];
    const std::uint32_t index = machine_.cacheOf(level, access_.cpu);
    const std::uint32_t shift = cacheAt(level, index).blockShift();
    const std::uint64_t lastBlock = (~std::uint64_t{0} >> shift) - (shift == 0 ? 1 : 0);
    if (config.prefetch == Prefetcher::nextLine) {
        for (std::uint64_t i = 1; trigger.missed && i <= config.degree && trigger.block.value <= lastBlock - i; ++i) {
            prefetch(level, BlockAddress{trigger.block.value + i});
        }
    } else if (config.prefetch == Prefetcher::stride) {
        StrideTable& table = h_.strides_[h_.cacheIndex(level, index)];
        const std::int64_t stride = table.learn(access_.site.value, trigger.address);
        BlockAddress before = trigger.block;
        std::uint64_t at = trigger.address;
        for (std::uint32_t i = 1; stride != 0 && i <= config.degree; ++i) {
            const std::uint64_t next = at + static_cast<std::uint64_t>(stride);
            if ((next > at) != (stride > 0)) break;  // wrapped around the address space
            at = next;
            const BlockAddress block{at >> shift};
            if (block != before && block != trigger.block && block.value <= lastBlock) prefetch(level, block);
            before = block;
        }
    }
}

void Walk::prefetch(std::size_t level, BlockAddress block) {
    Place p = place(level, machine_.cacheOf(level, access_.cpu), block);
    if (p.found()) return;
    emit(EventKind::prefetch, p);
    if (isCoherent(level)) snoop(level, access_.cpu, block, false);
    bringIn({.level = level, .cpu = access_.cpu, .block = block, .write = false, .own = false, .demand = false}, p);
    p.cache.set(p.set, p.at(), Cache::prefetched);
}

}  // namespace whorl::sim
