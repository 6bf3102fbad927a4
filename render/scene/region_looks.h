// Which region looks how, in all views: hues go to the regions that matter most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "render/scene/palette.h"
#include "render/scene/scene.h"
#include "render/scene/texture.h"
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
/// order, but another shape and another texture, so that they are told apart as glyphs and as areas alike; and so on:
/// the shape and texture of 32 regions differ wherever the hue is the same. Inferred regions with less than a
/// hundredth of the accesses are all grey.
class RegionLooks {
  public:
    explicit RegionLooks(const sim::Trace& trace);
    /// `accesses`: by region.
    RegionLooks(const std::vector<sim::Region>& regions, const std::vector<std::uint64_t>& accesses);

    /// Grey beyond the last region.
    const RegionLook& of(std::size_t region) const { return region < looks_.size() ? looks_[region] : grey_; }
    /// All regions, those that matter most first; scraps last.
    const std::vector<std::size_t>& byRank() const { return byRank_; }
    /// The colour of a region: the chosen one, or else that of its look.
    Rgba hueOf(std::size_t region, const ChosenHues& chosen, Ground ground) const;
    /// The same with its texture, for areas.
    Ink inkOf(std::size_t region, const ChosenHues& chosen, Ground ground) const;

  private:
    std::vector<RegionLook> looks_;
    std::vector<std::size_t> byRank_;
    RegionLook grey_;
};

}  // namespace whorl::scene
