// Histories of one level, made by hand and at random, for tests of BlockViews.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "render/scene/space/block_scene.h"
#include "sim/analysis/history.h"

namespace whorl::scene {

/// A synthetic level: blocks in order, each with its stays by cache, then time.
class Made {
  public:
    explicit Made(std::uint32_t caches) { level.caches = caches; }

    Made& block(std::uint64_t block, sim::Cycles cost) {
        level.blocks.push_back({sim::BlockAddress{block}, cost, static_cast<std::uint32_t>(level.stays.size())});
        return *this;
    }
    Made& stay(std::uint8_t cache, sim::Cycles from, sim::Cycles to, sim::Leaving leaving = sim::Leaving::invalidated) {
        sim::Stay s;
        s.block = static_cast<std::uint32_t>(level.blocks.size() - 1);
        s.cache = s.cpu = cache;
        s.from = from;
        s.to = to;
        s.leaving = leaving;
        level.stays.push_back(s);
        return *this;
    }

    sim::HistoryLevel level;
};

/// Seen from aside, or face on.
inline BlockLook lookAt(const BlockView& view, BlockLook::Draw draw, float depth = 1) {
    BlockLook look;
    look.draw = draw;
    look.camera = homeCamera(view, look, blockCamera(depth));
    return look;
}

/// A random level whose stays in one cache do not overlap; up to an eighth of the time long, or as often as not so many
/// times shorter.
inline sim::HistoryLevel randomLevel(std::uint32_t blocks, std::uint32_t caches, unsigned seed, sim::Cycles end,
                                     sim::Cycles shorter = 1) {
    std::mt19937 random(seed);
    Made m(caches);
    for (std::uint32_t b = 0; b < blocks; ++b) {
        m.block(100 + b, random() % 1000);
        for (std::uint32_t c = 0; c < caches; ++c) {
            for (sim::Cycles t = random() % 200; t < end;) {
                const sim::Cycles most = shorter > 1 && random() % 2 == 0 ? end / 8 / shorter : end / 8;
                const sim::Cycles to = std::min(end, t + 1 + random() % most);
                m.stay(static_cast<std::uint8_t>(c), t, to, static_cast<sim::Leaving>(random() % 4));
                t = to + random() % (end / 8);
            }
        }
    }
    return m.level;
}

}  // namespace whorl::scene
