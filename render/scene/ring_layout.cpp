#include "render/scene/ring_layout.h"

#include <algorithm>
#include <cmath>

namespace whorl::scene {

namespace {

// Shares of the unit.
constexpr float kCore = 0.045f;
constexpr float kGap = 0.022f;  ///< between the CPU and the nearest level
constexpr float kLeastChannel = 0.022f;
constexpr float kOuter = 0.925f;
constexpr float kLargestGlyph = 0.022f;

constexpr float kAreaPower = 0.55f;   ///< a ring's area grows with its blocks to this power
constexpr float kGlyphShare = 0.40f;  ///< a glyph's radius, of the room it has
constexpr float kOneSize = 2.2f;      ///< rooms that differ by less than this get glyphs of one size
constexpr float kFirstArm = -1.5707963f;

/// The outer radii of the rings (levels, then memory), as shares of the unit: areas in proportion to `weights`.
std::vector<float> outerRadii(const std::vector<float>& weights, float channel) {
    // The radii grow with the scale of the areas, so the scale that just fills the picture is found by halving.
    const auto radii = [&](float scale) {
        std::vector<float> out;
        float inner = kCore + kGap;
        for (const float w : weights) {
            out.push_back(std::sqrt(inner * inner + scale * w));
            inner = out.back() + channel;
        }
        return out;
    };
    float low = 0;
    float high = 1;
    for (int i = 0; i < 60; ++i) {
        const float middle = (low + high) / 2;
        (radii(middle).back() < kOuter ? low : high) = middle;
    }
    return radii(low);
}

/// The order of a level's arms. With the sets of the nearer level dividing this one's evenly, the sets that a nearer
/// set feeds lie side by side where that set's arm ends, so that blocks leave outward within one spoke.
std::vector<std::uint32_t> spokesOf(std::uint32_t sets, const LevelRing* nearer) {
    std::vector<std::uint32_t> spoke(sets);
    for (std::uint32_t s = 0; s < sets; ++s) {
        spoke[s] = s;
        if (nearer != nullptr && sets % nearer->sets == 0) {
            spoke[s] = nearer->spoke[s % nearer->sets] * (sets / nearer->sets) + s / nearer->sets;
        }
    }
    return spoke;
}

void chooseRadii(RingLayout& layout) {
    float least = layout.memory.room > 0 ? layout.memory.room : 1e9f;
    float most = 0;
    const auto meet = [&](float room) {
        least = std::min(least, room);
        most = std::max(most, room);
    };
    if (layout.memory.room > 0) meet(layout.memory.room);
    for (const LevelRing& level : layout.levels) {
        if (level.tier == Tier::glyphs) meet(level.room);
    }
    const auto radius = [&](float room) {
        const float common = most < kOneSize * least ? least : std::min(room, 1.9f * least);
        return std::clamp(kGlyphShare * std::min(room, common), 0.9f, kLargestGlyph * layout.unit);
    };
    layout.memory.radius = radius(layout.memory.room);
    for (LevelRing& level : layout.levels) {
        level.radius = level.tier == Tier::glyphs ? radius(level.room) : std::max(0.9f, kGlyphShare * level.room);
    }
}

}  // namespace

RingLayout::RingLayout(const sim::MachineConfig& machine, const sim::Trace& trace, const Homes& homes, glm::vec2 whole,
                       float scale)
    : size(whole), textScale(scale), centre(whole / 2.0f), unit(std::min(whole.x, whole.y) / 2), core(kCore * unit) {
    // In a picture too small for text the names go, and the rings keep their room.
    const float share = std::clamp(1.3f * kLevelText * textScale / unit, kLeastChannel,
                                   0.5f / static_cast<float>(machine.levels.size() + 2));
    channel = share * unit;
    std::vector<float> weights;
    for (const sim::LevelConfig& level : machine.levels) {
        weights.push_back(std::pow(static_cast<float>(level.blocks()), kAreaPower));
    }
    weights.push_back(std::pow(static_cast<float>(std::max<std::uint32_t>(homes.count(), 1)), kAreaPower));
    const std::vector<float> outer = outerRadii(weights, share);

    float inner = kCore + kGap;
    float start = kFirstArm;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        const sim::LevelConfig& level = machine.levels[l];
        const LevelRing* nearer = l == 0 ? nullptr : &levels.back();
        std::vector<std::uint32_t> spoke = spokesOf(level.sets(), nearer);
        levels.push_back(layLevel(inner * unit, outer[l] * unit, level.sets(), level.ways, std::move(spoke), start));
        start = levels.back().bands.back().end();
        inner = outer[l] + share;
    }
    memory = layMemory(inner * unit, kOuter * unit, homes, trace);
    chooseRadii(*this);
}

}  // namespace whorl::scene
