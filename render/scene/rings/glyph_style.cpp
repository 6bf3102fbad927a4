#include "render/scene/rings/glyph_style.h"

#include <algorithm>

namespace whorl::scene {

Glyph GlyphStyle::glyph(const Look& look, glm::vec2 at, float radius) const {
    const Rgba colour = hue(look.region);
    const bool rimmed = hasRim(radius);
    Glyph glyph{.at = at, .radius = radius, .fill = colour, .shape = shapeOf(look.region)};
    if (look.has(Look::ghost)) {
        glyph.fill = faded(colour, rimmed ? palette_->ghostFill : 0.34f);
        glyph.rim = faded(colour, palette_->ghostRim);
        glyph.rimWidth = rimmed ? std::clamp(0.18f * radius, detail_, 2.0f * detail_) : 0;
    } else if (look.has(Look::prefetched)) {
        // Hollow: here, but nobody has asked for it yet.
        glyph.fill = faded(colour, rimmed ? 0.05f : 0.55f);
        glyph.rim = colour;
        glyph.rimWidth = rimmed ? std::clamp(0.34f * radius, 1.2f * detail_, 4.0f * detail_) : 0;
    } else if (look.has(Look::dirty) && rimmed) {
        glyph.rim = palette_->dirty;
        glyph.rimWidth = std::clamp(0.26f * radius, detail_, 3.0f * detail_);
    }
    return glyph;
}

Glyph GlyphStyle::empty(glm::vec2 at, float radius) const {
    return {.at = at, .radius = std::max(0.8f * detail_, 0.16f * radius), .fill = faded(palette_->muted, 0.35f)};
}

}  // namespace whorl::scene
