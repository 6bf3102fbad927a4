#include "render/scene/region_looks.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "sim/trace/trace_passes.h"

namespace whorl::scene {

namespace {

constexpr std::uint64_t kScrap = 100;     ///< an inferred region with less than 1/kScrap of the accesses is a scrap
constexpr float kStripeStrength = 0.62f;  ///< how near to the ground the colour of stripes is

constexpr std::array kShapes{Shape::disc, Shape::diamond, Shape::square, Shape::triangle};
constexpr std::array kTextures{Texture::plain, Texture::rising, Texture::level, Texture::upright};

/// The look of the region of this rank among those with a hue. From the 33rd on, shapes have the textures of others.
RegionLook lookOfRank(std::size_t rank) {
    const std::size_t round = rank / kHues;
    return {static_cast<std::uint8_t>(rank % kHues), kShapes[round % kShapes.size()],
            kTextures[(round + round / kShapes.size()) % kTextures.size()]};
}

}  // namespace

RegionLooks::RegionLooks(const sim::Trace& trace) : RegionLooks(trace.regions(), sim::regionAccesses(trace)) {}

RegionLooks::RegionLooks(const std::vector<sim::Region>& regions, const std::vector<std::uint64_t>& accesses)
    : looks_(regions.size()) {
    const std::uint64_t all = std::accumulate(accesses.begin(), accesses.end(), std::uint64_t{0});
    const auto isInferred = [&](std::size_t r) { return regions[r].origin == sim::RegionOrigin::inferred; };
    const auto isScrap = [&](std::size_t r) { return isInferred(r) && accesses[r] * kScrap < all; };
    for (std::size_t r = 0; r < regions.size(); ++r) byRank_.push_back(r);
    std::stable_sort(byRank_.begin(), byRank_.end(), [&](std::size_t a, std::size_t b) {
        return isInferred(a) != isInferred(b) ? isInferred(b) : accesses[a] > accesses[b];
    });
    for (std::size_t rank = 0; rank < byRank_.size() && !isScrap(byRank_[rank]); ++rank) {
        looks_[byRank_[rank]] = lookOfRank(rank);
    }
}

Rgba RegionLooks::hueOf(std::size_t region, const ChosenHues& chosen, Ground ground) const {
    if (const auto own = chosen.find(region); own != chosen.end()) return own->second;
    const Palette& palette = paletteFor(ground);
    const std::uint8_t hue = of(region).hue;
    return hue == RegionLook::kGrey ? palette.scrap : palette.hues[hue];
}

Ink RegionLooks::inkOf(std::size_t region, const ChosenHues& chosen, Ground ground) const {
    const Rgba hue = hueOf(region, chosen, ground);
    return {hue, of(region).texture, mixed(hue, paletteFor(ground).ground, kStripeStrength)};
}

}  // namespace whorl::scene
