#include "render/scene/arms.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace whorl::scene {

namespace {

constexpr float kPi = std::numbers::pi_v<float>;
/// Step along the arm over pitch between arms: closer along than across, so that the eye sees arms.
constexpr float kStepOverPitch = 0.6f;

constexpr float kGlyphRoom = 5.0f;  ///< pixels; with less, blocks are drawn in bands
constexpr float kBandRoom = 2.5f;   ///< pixels; with less, as cells
constexpr std::uint32_t kMaxBands = 24;

std::vector<Arms> layBands(float inner, float outer, std::uint32_t sets, std::uint32_t ways, std::uint32_t count,
                           float start) {
    std::vector<Arms> bands;
    const float area = outer * outer - inner * inner;
    const std::uint32_t arms = (sets + count - 1) / count;
    float from = inner;
    for (std::uint32_t b = 1; b <= count; ++b) {
        const float to = std::sqrt(inner * inner + area * static_cast<float>(b) / static_cast<float>(count));
        bands.emplace_back(from, to, arms, ways, start);
        from = to;
    }
    return bands;
}

}  // namespace

Arms::Arms(float inner, float outer, std::uint32_t arms, std::uint32_t ways, float start)
    : inner_(inner), outer_(outer), arms_(arms), ways_(ways), start_(start) {
    const float area = outer * outer - inner * inner;
    const auto s = static_cast<float>(arms);
    const auto w = static_cast<float>(ways);
    base_ = std::min(inner, std::sqrt(s * area / (4 * kPi * kStepOverPitch * w)));
    pitch_ = 2 * kPi * base_ / s;
    step_ = area / (2 * base_ * w);
}

glm::vec2 Arms::place(std::uint32_t arm, float rank) const {
    const float u = std::max(0.0f, (rank + 0.5f) / static_cast<float>(ways_));
    const float r = std::sqrt(inner_ * inner_ + u * (outer_ * outer_ - inner_ * inner_));
    const float theta =
        start_ + 2 * kPi * static_cast<float>(arm) / static_cast<float>(arms_) + winding(r) - winding(inner_);
    return r * glm::vec2(std::cos(theta), std::sin(theta));
}

float Arms::end() const {
    return start_ + winding(outer_) - winding(inner_);
}

float Arms::winding(float r) const {
    const float x = std::sqrt(std::max(0.0f, (r / base_) * (r / base_) - 1));
    return x - std::atan(x);
}

float LevelRing::room() const {
    return std::min(bands.front().pitch(), bands.front().step());
}

LevelRing layLevel(float inner, float outer, std::uint32_t sets, std::uint32_t ways, std::vector<std::uint32_t> spoke,
                   float start) {
    LevelRing ring{.tier = Tier::glyphs,
                   .inner = inner,
                   .outer = outer,
                   .sets = sets,
                   .ways = ways,
                   .bands = layBands(inner, outer, sets, ways, 1, start),
                   .spoke = std::move(spoke),
                   .radius = 1};
    if (ring.room() >= kGlyphRoom) return ring;

    float best = 0;
    std::vector<Arms> chosen;
    for (std::uint32_t count = 2; count <= std::min(kMaxBands, sets); ++count) {
        std::vector<Arms> bands = layBands(inner, outer, sets, ways, count, start);
        float room = 1e9f;
        for (const Arms& band : bands) room = std::min({room, band.step(), 0.75f * band.pitch()});
        if (room > best) {
            best = room;
            chosen = std::move(bands);
        }
    }
    if (best >= kBandRoom && best > ring.room()) {
        ring.tier = Tier::bands;
        ring.bands = std::move(chosen);
    } else if (ring.room() < kBandRoom) {
        ring.tier = Tier::cells;
    }
    return ring;
}

}  // namespace whorl::scene
