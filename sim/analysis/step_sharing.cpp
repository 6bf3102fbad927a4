#include "sim/analysis/step_sharing.h"

#include "sim/replay/snapshot.h"

namespace whorl::sim {

Sharing sharingAt(const MachineConfig& machine, const std::deque<Step>& steps, std::size_t step,
                  const Event& invalidation, std::uint64_t block) {
    const Access& write = steps[step].access;
    const ByteAddress base{invalidation.block.value * block};
    Sharing found = Sharing::unknown;
    for (std::size_t s = step; s-- > 0;) {
        const Access& a = steps[s].access;
        const bool isTheirs = machine.cacheOf(invalidation.level, a.cpu) == invalidation.cache;
        const bool touches = a.address.value <= base.value + (block - 1) && base <= a.last();
        if (!isTheirs || !touches) continue;
        const bool overlaps = a.address <= write.last() && write.address <= a.last();
        if (overlaps) return Sharing::ofTheBytes;
        found = Sharing::ofOtherBytes;
    }
    return found;
}

}  // namespace whorl::sim
