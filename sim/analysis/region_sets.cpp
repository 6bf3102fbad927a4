#include "sim/analysis/region_sets.h"

namespace whorl::sim {

SortedRegionSets::SortedRegionSets(const RegionSets& sets, const std::vector<std::uint32_t>& places)
    : masks_(sets.isNarrow_ ? places.size() : 0, 0) {
    sets.forEach([&](std::uint32_t thing, std::uint32_t region) {
        if (sets.isNarrow_) {
            masks_[places[thing]] |= std::uint64_t{1} << region;
        } else {
            pairs_.push_back(std::uint64_t{places[thing]} << 32 | region);
        }
    });
    std::sort(pairs_.begin(), pairs_.end());
}

void SortedRegionSets::collect(std::size_t first, std::size_t last, std::vector<bool>& regions) const {
    std::uint64_t all = 0;
    for (std::size_t thing = first; thing < std::min(last, masks_.size()); ++thing) all |= masks_[thing];
    for (; all != 0; all &= all - 1) regions[static_cast<std::size_t>(std::countr_zero(all))] = true;
    const auto begin = std::lower_bound(pairs_.begin(), pairs_.end(), std::uint64_t{first} << 32);
    const auto end = std::lower_bound(begin, pairs_.end(), std::uint64_t{last} << 32);
    for (auto pair = begin; pair != end; ++pair) regions[static_cast<std::uint32_t>(*pair)] = true;
}

}  // namespace whorl::sim
