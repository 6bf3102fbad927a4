// Finds objects for a replay, which accesses most of them several times in a short time.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Remembers the objects found last. The trace must outlive it.
class RecentObjects {
  public:
    explicit RecentObjects(const Trace& trace) : trace_(trace), recent_(trace.objects().empty() ? 0 : kMost) {}

    /// The object that holds an address at a time, or null. Tries the one found last near the address first: no two
    /// objects hold an address at the same time.
    const Object* at(ByteAddress address, Tick tick) {
        if (recent_.empty()) return nullptr;
        constexpr std::uint64_t kBytes = 16;
        const Object*& recent = recent_[address.value / kBytes % recent_.size()];
        if (recent != nullptr && recent->contains(address, tick)) return recent;
        const Object* const found = trace_.objectAt(address, tick);
        if (found != nullptr) recent = found;
        return found;
    }

  private:
    static constexpr std::size_t kMost = std::size_t{1} << 15;

    const Trace& trace_;
    std::vector<const Object*> recent_;  ///< by the low bits of the address
};

}  // namespace whorl::sim
