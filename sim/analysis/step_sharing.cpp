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
        const bool touches = a.address.value < base.value + block && base.value < a.address.value + a.size;
        if (!isTheirs || !touches) continue;
        const bool overlaps =
            a.address.value < write.address.value + write.size && write.address.value < a.address.value + a.size;
        if (overlaps) return Sharing::ofTheBytes;
        found = Sharing::ofOtherBytes;
    }
    return found;
}

}  // namespace whorl::sim
