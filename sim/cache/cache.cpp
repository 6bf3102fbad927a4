#include "sim/cache/cache.h"

#include <bit>

namespace whorl::sim {

Cache::Cache(const LevelConfig& config)
    : setMask_(config.sets() - 1),
      ways_(config.ways),
      blockShift_(static_cast<unsigned>(std::countr_zero(config.block))),
      blocks_(config.blocks(), kNoBlock),
      ranks_(config.blocks(), 0),
      state_(config.blocks(), 0),
      occupied_(config.sets(), 0) {}

WayIndex Cache::nextWay(SetIndex set) const {
    const std::size_t at = first(set);
    if (occupied_[set.value] < ways_) {
        std::uint32_t w = 0;
        while (blocks_[at + w] != kNoBlock) ++w;
        return WayIndex{w};
    }
    std::uint32_t w = 0;
    while (ranks_[at + w] != ways_ - 1) ++w;
    return WayIndex{w};
}

void Cache::touch(SetIndex set, WayIndex way) {
    std::uint16_t* rank = &ranks_[first(set)];
    const std::uint16_t old = rank[way.value];
    if (old == 0) return;
    for (std::uint32_t w = 0; w < ways_; ++w) rank[w] = static_cast<std::uint16_t>(rank[w] + (rank[w] < old));
    rank[way.value] = 0;
}

void Cache::fill(SetIndex set, WayIndex way, BlockAddress block) {
    const std::size_t i = first(set) + way.value;
    if (blocks_[i] == kNoBlock) {
        // A way that comes into use joins the order at its end, from where touch() brings it to the front.
        ranks_[i] = occupied_[set.value]++;
    }
    blocks_[i] = block.value;
    state_[i] = 0;
    touch(set, way);
}

}  // namespace whorl::sim
