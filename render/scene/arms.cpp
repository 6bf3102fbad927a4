#include "render/scene/arms.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
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

namespace {

/// The places of one band, arm by arm.
std::vector<glm::vec2> placesOf(const Arms& band, std::uint32_t arms, std::uint32_t ways) {
    std::vector<glm::vec2> places;
    places.reserve(std::size_t{arms} * ways);
    for (std::uint32_t arm = 0; arm < arms; ++arm) {
        for (std::uint32_t k = 0; k < ways; ++k) places.push_back(band.place(arm, static_cast<float>(k)));
    }
    return places;
}

/// The smallest distance between two places. Arms of a band are turned copies of one another, so that it is enough to
/// look from one arm of each band, at that band and the next.
float measureRoom(const LevelRing& ring) {
    const auto count = static_cast<std::uint32_t>(ring.bands.size());
    const std::uint32_t arms = (ring.sets + count - 1) / count;
    float least = ring.outer - ring.inner;  // a cache of one block has all the room there is
    std::vector<glm::vec2> previous;
    for (const Arms& band : ring.bands) {
        const std::vector<glm::vec2> places = placesOf(band, arms, ring.ways);
        for (std::uint32_t k = 0; k < ring.ways; ++k) {
            for (std::size_t i = 0; i < places.size(); ++i) {
                if (i != k) least = std::min(least, glm::distance(places[k], places[i]));
            }
            for (const glm::vec2 other : previous) least = std::min(least, glm::distance(places[k], other));
        }
        previous = places;
    }
    return least;
}

}  // namespace

LevelRing layLevel(float inner, float outer, std::uint32_t sets, std::uint32_t ways, std::vector<std::uint32_t> spoke,
                   float start) {
    LevelRing ring{.tier = Tier::glyphs,
                   .inner = inner,
                   .outer = outer,
                   .sets = sets,
                   .ways = ways,
                   .bands = layBands(inner, outer, sets, ways, 1, start),
                   .spoke = std::move(spoke)};
    ring.room = measureRoom(ring);
    if (ring.room >= kGlyphRoom) return ring;

    LevelRing best = ring;
    for (std::uint32_t count = 2; count <= std::min(kMaxBands, sets); ++count) {
        LevelRing candidate = ring;
        candidate.tier = Tier::bands;
        candidate.bands = layBands(inner, outer, sets, ways, count, start);
        candidate.room = measureRoom(candidate);
        if (candidate.room > best.room) best = std::move(candidate);
    }
    if (best.room >= kBandRoom) return best;
    ring.tier = Tier::cells;
    return ring;
}

}  // namespace whorl::scene
