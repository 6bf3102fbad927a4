// How a block's glyph looks: every colour, rim and glow of a glyph is decided here, from the state of its block, what
// is happening to it, and the palette of the ground. Where a glyph is and how large is decided elsewhere.
#pragma once

#include <cstddef>

#include "render/scene/palette.h"
#include "render/scene/region_looks.h"
#include "render/scene/rings/occupancy.h"
#include "render/scene/rings/view.h"
#include "render/scene/scene.h"

namespace whorl::scene {

/// Below this radius neither a rim nor a mark can be seen, and the fill alone shows ghosts and prefetched blocks.
/// Pixels of a picture 720 high.
inline constexpr float kRimRadius = 2.4f;

/// The radius of the mark in the middle of a dirty block, in radii.
inline constexpr float kDirtyMark = 0.44f;

class GlyphStyle {
  public:
    /// The view and the looks must outlive the style.
    GlyphStyle(const View& view, const RegionLooks& looks)
        : view_(&view),
          looks_(&looks),
          palette_(&paletteFor(view.ground)),
          detail_(RingLayout::detailOf(view.size)),
          line_(RingLayout::leastLine(view)) {}

    const Palette& palette() const { return *palette_; }
    /// The colour of a region: that of its look, or the one that a person has given it.
    Rgba hue(std::size_t region) const { return looks_->hueOf(region, view_->hues, view_->ground); }
    /// The colour of a region's name.
    Rgba nameColour(std::size_t region) const { return scene::nameColour(hue(region), view_->ground); }
    /// The colour of the mark on a region's dirty blocks. For all hues of the palette it is the ground's, so that the
    /// slow search for a contrast is needed for chosen colours only.
    Rgba dirtyMark(std::size_t region) const {
        const bool isChosen = !view_->hues.empty() && view_->hues.contains(region);
        return isChosen ? scene::dirtyMark(hue(region), view_->ground) : palette_->ground;
    }
    bool hasRim(float radius) const { return radius >= kRimRadius * detail_; }

    // --- at rest; radii in pixels ---
    /// A block, in a cache or in memory.
    Glyph block(const SlotState& state, glm::vec2 at, float radius) const;
    /// A block whose glyph shows less of its state the larger `plain` is, 0 (all) to 1 (nothing but its region).
    Glyph block(const SlotState& state, glm::vec2 at, float radius, float plain) const;
    /// The small dot of a way that holds no block.
    Glyph empty(glm::vec2 at, float radius) const;
    /// Nothing to see: room for a block that is drawn elsewhere, or for none.
    static Glyph hidden(glm::vec2 at, float radius) { return {.at = at, .radius = radius, .fill = {0, 0, 0, 0}}; }
    /// `count` memory slots of one region that share a place: the more of them are cached, the fainter; the other way
    /// round on a large machine (Subject::isLarge), so that what is cached stands out.
    Glyph memory(std::size_t region, std::uint32_t cached, std::uint32_t count, bool isLarge, glm::vec2 at,
                 float radius) const;
    /// How broad the capsule is of a cell that stands for `count` ways of a cache, of which `held` (at least one) hold
    /// blocks and `ghosts` are copies: a share of the cell's breadth. Its hue is at full strength, so that it stands
    /// out against the ground.
    static float cellBreadth(std::size_t held, std::size_t ghosts, std::size_t count);

    /// The strength, 0 to 1, of a block of `size` bytes from `base` on: faint if the picked bytes lie elsewhere.
    float strength(sim::ByteAddress base, std::uint64_t size) const {
        constexpr float kAside = 0.25f;
        return !view_->picked || view_->picked->touches(base, size) ? 1.0f : kAside;
    }

    // --- what happens to a block ---
    /// Fades a glyph that appears or vanishes: `shown` is 0 to 1.
    static void fade(Glyph& glyph, float shown);
    /// The colour of a cell when this share of its blocks' bytes has been used.
    static Rgba usedCell(Rgba cell, float share) { return faded(cell, 0.2f + 0.8f * share); }
    /// Fills a glyph from the middle, by area, in proportion to the used bytes of its block; the rest is an outline. A
    /// mark, if it has one, leaves some of the fill visible.
    void fillByUse(Glyph& glyph, const SlotState& state) const;
    /// As fade(), but of the fill alone: for a glyph that lies over another which shows the rim.
    static void fadeFill(Glyph& glyph, float shown) { glyph.fill = faded(glyph.fill, shown); }
    /// Marks a glyph as just accessed; `pulse` is 0 to 1.
    static void glow(Glyph& glyph, float pulse) { glyph.glow = 0.6f * pulse; }
    /// A miss: red, `light` 0 to 1, and (colour must not be the only sign) an outline around the glyph that widens as
    /// `wide` goes from 0 to 1. Returns the outline.
    Glyph miss(Glyph& glyph, float light, float wide) const;
    /// A miss among many: the glyph keeps its hue. Returns the outline.
    Glyph missOutline(const Glyph& glyph, float light) const;
    /// A write-back: a square (an outline that closes in, where a miss has a circle that widens, so that the shape
    /// distinguishes them) around the block that carries the data, or around the place where they arrive. `light` is 0
    /// to 1, and `wide` goes from 1 to 0.
    Glyph writeback(glm::vec2 at, float radius, float light, float wide) const;
    /// The outline around a block that came in, and around the one whose place it took; `light` is 0 to 1.
    Glyph tie(glm::vec2 at, float radius, float light) const;
    /// Taken away by another CPU's write: the glyph shrinks as `left` goes from 1 to 0, and an outline closes in on it.
    /// Returns the outline.
    Glyph taken(Glyph& glyph, float left) const;

    // --- beside blocks ---
    /// A ring of some colour and width around a place.
    static Glyph ring(Rgba colour, glm::vec2 at, float radius, float width);
    /// A CPU; the brighter, the more it `acts`, 0 to 1.
    Glyph cpu(float acts, glm::vec2 at, float radius) const;

  private:
    const View* view_;
    const RegionLooks* looks_;
    const Palette* palette_;
    float detail_;
    float line_;  ///< the least width of a line
};

}  // namespace whorl::scene
