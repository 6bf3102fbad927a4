// The blocks that the caches of a coherent machine cannot keep when another CPU writes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// A write invalidates every copy in the caches that are not on the writer's own path to memory. Two caches compete for
/// blocks of the outermost level at which they are separate; all smaller blocks within such a block are invalidated,
/// too.
class ForeignWrites {
  public:
    explicit ForeignWrites(const MachineConfig& machine) : cpus_(machine.cpus) {
        for (std::size_t m = 0; m < machine.levels.size() && machine.isCoherent(m); ++m) {
            for (std::size_t l = 0; l <= m; ++l) {
                Reach reach{.level = l,
                            .unitShift = shiftOf(machine, m),
                            .blockShift = shiftOf(machine, l),
                            .caches = std::vector<std::uint64_t>(cpus_, 0)};
                for (std::uint32_t cpu = 0; cpu < cpus_; ++cpu) reach.caches[cpu] = cachesApart(machine, l, m, cpu);
                if (std::any_of(reach.caches.begin(), reach.caches.end(), [](std::uint64_t set) { return set != 0; })) {
                    reaches_.push_back(std::move(reach));
                }
            }
        }
    }

    /// Calls f(level, caches, first, last) for the blocks [first, last] of a level that some of its caches, one bit
    /// each, cannot keep.
    template <class F>
    void forEach(const Access& write, F&& f) const {
        for (const Reach& reach : reaches_) {
            if (reach.caches[write.cpu] == 0) continue;
            const unsigned within = reach.unitShift - reach.blockShift;
            const std::uint64_t first = write.address.value >> reach.unitShift << within;
            const std::uint64_t last = (write.address.value + (write.size - 1)) >> reach.unitShift << within;
            f(reach.level, reach.caches[write.cpu], BlockAddress{first},
              BlockAddress{last + ((std::uint64_t{1} << within) - 1)});
        }
    }

  private:
    /// The blocks of a level within the blocks of the level at which caches are separate.
    struct Reach {
        std::size_t level;
        unsigned unitShift;
        unsigned blockShift;
        std::vector<std::uint64_t> caches;  ///< by writer: the caches separate from it, one bit each
    };

    static unsigned shiftOf(const MachineConfig& machine, std::size_t level) {
        return static_cast<unsigned>(std::countr_zero(machine.levels[level].block));
    }
    /// The caches of a level whose path to memory joins that of a CPU just beyond level `apart`.
    static std::uint64_t cachesApart(const MachineConfig& machine, std::size_t level, std::size_t apart,
                                     std::uint32_t cpu) {
        std::uint64_t set = 0;
        for (std::uint32_t i = 0; i < machine.caches(level); ++i) {
            const std::uint32_t other = machine.firstCpu(level, i);
            const bool joins = apart + 1 == machine.levels.size() ||
                               machine.cacheOf(apart + 1, other) == machine.cacheOf(apart + 1, cpu);
            if (joins && machine.cacheOf(apart, other) != machine.cacheOf(apart, cpu)) set |= std::uint64_t{1} << i;
        }
        return set;
    }

    std::uint32_t cpus_;
    std::vector<Reach> reaches_;
};

}  // namespace whorl::sim
