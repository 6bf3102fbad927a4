// Records which bytes of selected granules are touched: at the edges of regions, a footprint is too coarse.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/footprint.h"

namespace whorl::sim {

class EdgeWatch {
  public:
    EdgeWatch() = default;
    EdgeWatch(EdgeWatch&&) = default;
    EdgeWatch& operator=(EdgeWatch&&) = default;

    /// Watches a granule from now on.
    void watch(std::uint64_t granule);
    bool empty() const { return touched_.empty(); }
    /// The bytes of a granule touched while it was watched, as bits; nothing if it was not watched.
    std::optional<std::uint32_t> touched(std::uint64_t granule) const;

    /// Records an access. Inline, because it is called for every access of a trace.
    void touch(ByteAddress address, std::uint64_t size) {
        const std::uint64_t first = address.value / Footprint::kGranule;
        const std::uint64_t last = (address.value + (size - 1)) / Footprint::kGranule;
        if (last - first < 2 && !perhaps_[first % kKept] && !perhaps_[last % kKept]) [[likely]]
            return;
        touchWatched(address, size, first, last);
    }

  private:
    /// A recently looked-up granule: programs touch the same few variables repeatedly.
    struct Recent {
        std::uint64_t granule = ~std::uint64_t{0};
        std::uint32_t* touched = nullptr;  ///< null: not watched
    };
    static constexpr std::size_t kRecent = 64;
    static constexpr std::size_t kKept = std::size_t{1} << 16;

    std::map<std::uint64_t, std::uint32_t> touched_;        ///< by granule
    std::vector<bool> perhaps_ = std::vector<bool>(kKept);  ///< by the low bits of a granule: whether one is watched

    std::array<Recent, kRecent> recent_{};

    void touchWatched(ByteAddress address, std::uint64_t size, std::uint64_t first, std::uint64_t last);
};

/// The bytes of a granule that lie in [first, last], as bits.
std::uint32_t bytesWithin(std::uint64_t granule, std::uint64_t first, std::uint64_t last);

}  // namespace whorl::sim
