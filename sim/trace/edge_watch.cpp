#include "sim/trace/edge_watch.h"

#include <algorithm>

namespace whorl::sim {

std::uint32_t bytesWithin(std::uint64_t granule, std::uint64_t first, std::uint64_t last) {
    const std::uint64_t start = granule * Footprint::kGranule;
    const std::uint64_t final = start + Footprint::kGranule - 1;
    if (last < start || first > final) return 0;
    const std::uint64_t from = std::max(first, start) - start;
    const std::uint64_t to = std::min(last, final) - start;
    return ((2u << (to - from)) - 1) << from;
}

void EdgeWatch::watch(std::uint64_t granule) {
    touched_.try_emplace(granule, 0);
    recent_[granule % kRecent] = {};
    perhaps_[granule % kKept] = true;
}

std::optional<std::uint32_t> EdgeWatch::touched(std::uint64_t granule) const {
    const auto known = touched_.find(granule);
    return known == touched_.end() ? std::nullopt : std::optional(known->second);
}

void EdgeWatch::touchWatched(ByteAddress address, std::uint64_t size, std::uint64_t first, std::uint64_t last) {
    const std::uint64_t final = address.value + (size - 1);
    if (first == last) {
        Recent& recent = recent_[first % kRecent];
        if (recent.granule != first) {
            const auto known = touched_.find(first);
            recent = {.granule = first, .touched = known == touched_.end() ? nullptr : &known->second};
        }
        if (recent.touched != nullptr) *recent.touched |= bytesWithin(first, address.value, final);
        return;
    }
    for (auto edge = touched_.lower_bound(first); edge != touched_.end() && edge->first <= last; ++edge) {
        edge->second |= bytesWithin(edge->first, address.value, final);
    }
}

}  // namespace whorl::sim
