// How a block's glyph looks: by its region, as a copy, dirty, prefetched.
#pragma once

#include <cstddef>

#include "render/scene/palette.h"
#include "render/scene/rings/occupancy.h"
#include "render/scene/rings/view.h"
#include "render/scene/scene.h"

namespace whorl::scene {

/// Below this radius a rim cannot be seen: dirtiness and ghosts are told by the fill alone. Pixels of a picture 720
/// high.
inline constexpr float kRimRadius = 2.4f;

class GlyphStyle {
  public:
    explicit GlyphStyle(const View& view)
        : view_(&view), palette_(&paletteFor(view.ground)), detail_(RingLayout::detailOf(view.size)) {}

    const Palette& palette() const { return *palette_; }
    /// The colour of a region: its own, or the one that a person has given it.
    Rgba hue(std::size_t region) const {
        if (!view_->hues.empty()) {
            if (const auto own = view_->hues.find(region); own != view_->hues.end()) return own->second;
        }
        return hueOf(*palette_, region);
    }
    Glyph glyph(const Look& look, glm::vec2 at, float radius) const;
    bool hasRim(float radius) const { return radius >= kRimRadius * detail_; }
    /// The small dot of a place that holds nothing.
    Glyph empty(glm::vec2 at, float radius) const;

  private:
    const View* view_;
    const Palette* palette_;
    float detail_;
};

}  // namespace whorl::scene
