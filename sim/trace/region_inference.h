// Infers regions for touched memory outside declared regions, by grouping addresses by the gaps between them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/footprint.h"
#include "sim/trace/region.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The bytes of a granule of footprints that lie in [first, last], as bits.
std::uint32_t bytesOfGranule(std::uint64_t granule, std::uint64_t first, std::uint64_t last);

/// Records which bytes of selected granules are touched: at the edges of regions, a footprint is too coarse.
class EdgeWatch {
  public:
    EdgeWatch() = default;
    EdgeWatch(EdgeWatch&&) = default;
    EdgeWatch& operator=(EdgeWatch&&) = default;

    /// Watches a granule from now on.
    void watch(std::uint64_t granule);
    /// Says that these bytes of a granule were touched, if it is not watched.
    void assume(std::uint64_t granule, std::uint32_t touched) { touched_.try_emplace(granule, touched); }
    bool empty() const { return touched_.empty(); }
    /// The bytes of a granule touched while it was watched, or said to be, as bits; nothing if neither was.
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

/// The maximum number of inferred regions, unless declared regions lie between them.
inline constexpr std::size_t kMaxInferredRegions = 8;

/// Regions that together hold every touched byte outside trace.regions(), in address order, disjoint from those and
/// from each other; each extends from its first to its last touched granule.
///
/// Gaps of 2 MiB and more separate regions, or only the widest ones if that would give more than 8. The code of a
/// program or library, which loads and stores do not touch, is mostly smaller, so the data of one image stays together.
/// A trace that touches at most 64 KiB is probably written by hand: there gaps of 256 bytes and more separate regions
/// too, if they are at least four times as wide as all other gaps.
///
/// Names: if the highest group lies where Linux or valgrind puts the stack, groups are named globals, heap, mapped and
/// stack according to that process layout; where objects lie below the mappings, the heap begins. Otherwise they are
/// "memory 1", "memory 2", …, or just "memory".
///
/// The bytes touched next to declared regions come from `watched`, or else from a pass over all accesses.
std::vector<Region> inferRegions(const Trace& trace, const EdgeWatch& watched = {});

}  // namespace whorl::sim
