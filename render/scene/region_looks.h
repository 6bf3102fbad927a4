// The look of each region in all views: the regions of the highest ranks get the hues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "render/scene/colour.h"
#include "render/scene/palette.h"
#include "render/scene/scene.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

struct RegionLook {
    static constexpr std::uint8_t kGrey = kHues;

    std::uint8_t hue = kGrey;  ///< index into Palette::hues, or kGrey
    Shape shape = Shape::disc;
    Texture texture = Texture::plain;
    bool operator==(const RegionLook&) const = default;
};

/// Colours by region that a person has chosen.
using ChosenHues = std::map<std::size_t, Rgba>;

/// A function of the trace alone. Named regions come first, by their accesses, then inferred ones; those with the same
/// number by address. The first eight are plain discs, each of a hue. The next eight have the same hues in the same
/// order, but another shape and another texture, so that both their glyphs and their areas are distinct; and so on: the
/// first 32 regions differ in shape and texture wherever they share a hue. Inferred regions with less than a hundredth
/// of the accesses are all grey.
class RegionLooks {
  public:
    explicit RegionLooks(const sim::Trace& trace);
    /// `accesses`: the number of accesses, by region.
    RegionLooks(const std::vector<sim::Region>& regions, const std::vector<std::uint64_t>& accesses);

    /// Grey beyond the last region.
    const RegionLook& of(std::size_t region) const { return region < looks_.size() ? looks_[region] : grey_; }
    /// All regions in the order that the class describes; scraps last.
    const std::vector<std::size_t>& byRank() const { return byRank_; }
    /// The colour of a region: the chosen one, or else that of its look.
    Rgba hueOf(std::size_t region, const ChosenHues& chosen, Ground ground) const;
    /// The colour of a region with the texture of its look, for areas.
    Ink inkOf(std::size_t region, const ChosenHues& chosen, Ground ground) const;

  private:
    std::vector<RegionLook> looks_;
    std::vector<std::size_t> byRank_;
    RegionLook grey_;
};

}  // namespace whorl::scene
