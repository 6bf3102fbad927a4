// Finds objects for a replay, which accesses most of them several times in a short time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/region.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Remembers the objects found last, and where there was none. The trace must outlive it.
class RecentObjects {
  public:
    explicit RecentObjects(const Trace& trace)
        : trace_(trace),
          large_(trace.objects().empty() ? 0 : kMostLarge),
          small_(trace.objects().empty() ? 0 : kMostSmall) {}

    /// The object that holds an address at a time, or null. Tries what was found last near the address first.
    const Object* at(ByteAddress address, Tick tick) {
        if (small_.empty()) return nullptr;
        const Stretch& large = large_[address.value / kPage % kMostLarge];
        if (large.contains(address, tick)) return large.object;
        const Stretch& small = small_[address.value / kBytes % kMostSmall];
        if (small.contains(address, tick)) return small.object;
        return find(address, tick);
    }

  private:
    using Stretch = ObjectIndex::Stretch;
    static constexpr std::uint64_t kPage = 4096;
    static constexpr std::uint64_t kBytes = 32;  ///< the least distance of blocks of the heap
    static constexpr std::size_t kMostLarge = std::size_t{1} << 10;
    static constexpr std::size_t kMostSmall = std::size_t{1} << 14;

    const Object* find(ByteAddress address, Tick tick) {
        const Stretch found = trace_.objectAround(address, tick);
        if (found.size >= kPage) large_[address.value / kPage % kMostLarge] = found;
        if (found.size < kPage) small_[address.value / kBytes % kMostSmall] = found;
        return found.object;
    }

    const Trace& trace_;
    std::vector<Stretch> large_;  ///< by the low bits of the page
    std::vector<Stretch> small_;  ///< by the low bits of the address
};

}  // namespace whorl::sim
