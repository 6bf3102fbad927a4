#include "render/scene/rings/glyph_style.h"

#include <algorithm>
#include <cmath>

namespace whorl::scene {

namespace {

constexpr float kUncached = 0.32f;   ///< the opacity of memory that no cache holds, on a large machine
constexpr float kCopy = 0.5f;        ///< how much less a copy counts for the breadth of a capsule
constexpr float kMinBreadth = 0.5f;  ///< least breadth of a capsule: shows a single block among many ways

}  // namespace

Glyph GlyphStyle::block(const SlotState& state, glm::vec2 at, float radius) const {
    const Rgba colour = hue(state.region);
    const bool rimmed = hasRim(radius);
    const RegionLook& look = looks_->of(state.region);
    Glyph glyph{.at = at, .radius = radius, .fill = colour, .shape = look.shape, .texture = look.texture};
    if (state.has(SlotState::ghost)) {
        glyph.fill = faded(colour, rimmed ? palette_->ghostFill : 0.34f);
        glyph.rim = faded(colour, palette_->ghostRim);
        glyph.rimWidth = rimmed ? std::clamp(0.18f * radius, std::max(detail_, line_), 2.0f * detail_) : 0;
    } else if (state.has(SlotState::prefetched)) {
        // Hollow: the block is here, but no access has requested it yet.
        glyph.fill = faded(colour, rimmed ? 0.05f : 0.55f);
        glyph.rim = colour;
        glyph.rimWidth = rimmed ? std::clamp(0.26f * radius, std::max(1.2f * detail_, line_), 4.0f * detail_) : 0;
    } else if (state.has(SlotState::dirty) && rimmed) {
        glyph.core = dirtyMark(state.region);
        glyph.coreRadius = kDirtyMark * radius;
    }
    if (state.used != SlotState::kUseNotShown) fillByUse(glyph, state);
    return glyph;
}

Glyph GlyphStyle::block(const SlotState& state, glm::vec2 at, float radius, float plain) const {
    Glyph glyph = block(state, at, radius);
    if (plain <= 0) return glyph;
    glyph.fill = mixed(glyph.fill, hue(state.region), plain);
    glyph.rim = faded(glyph.rim, 1 - plain);
    glyph.coreRadius *= 1 - plain;
    return glyph;
}

void GlyphStyle::fillByUse(Glyph& glyph, const SlotState& state) const {
    const float share = static_cast<float>(state.used) / sim::kWholeUse;
    const Rgba colour = hue(state.region);
    const bool ghost = state.has(SlotState::ghost);
    if (!hasRim(glyph.radius)) {
        glyph.fill = usedCell(glyph.fill, share);
        return;
    }
    // The rim lies over the fill, so that it must be opaque for the fill to end where it begins.
    glyph.fill = mixed(palette_->ground, colour, ghost ? 0.55f : 1.0f);
    glyph.rim = mixed(palette_->ground, colour, ghost ? 0.14f : 0.28f);
    glyph.rimWidth = glyph.radius * (1 - std::sqrt(share));
    glyph.coreRadius = std::min(glyph.coreRadius, 0.55f * (glyph.radius - glyph.rimWidth));
}

Glyph GlyphStyle::empty(glm::vec2 at, float radius) const {
    return {.at = at, .radius = std::max(0.8f * detail_, 0.16f * radius), .fill = faded(palette_->muted, 0.35f)};
}

Glyph GlyphStyle::memory(std::size_t region, std::uint32_t cached, std::uint32_t count, bool isLarge, glm::vec2 at,
                         float radius) const {
    SlotState state{.region = static_cast<std::uint16_t>(region), .flags = SlotState::valid};
    const float share = static_cast<float>(cached) / static_cast<float>(count);
    if (!isLarge && cached == count) state.flags |= SlotState::ghost;
    Glyph glyph = block(state, at, radius);
    if (isLarge) {
        glyph.fill = faded(glyph.fill, cached == 0 ? kUncached : 0.5f + 0.5f * share);
    } else if (cached != count) {
        glyph.fill = faded(glyph.fill, 1 - 0.66f * share);
    }
    return glyph;
}

float GlyphStyle::cellBreadth(std::size_t held, std::size_t ghosts, std::size_t count) {
    const float own = static_cast<float>(held) - kCopy * static_cast<float>(ghosts);
    return std::max(kMinBreadth, std::sqrt(own / static_cast<float>(count)));
}

void GlyphStyle::fade(Glyph& glyph, float shown) {
    glyph.fill = faded(glyph.fill, shown);
    glyph.rim = faded(glyph.rim, shown);
    glyph.core = faded(glyph.core, shown);
}

Glyph GlyphStyle::miss(Glyph& glyph, float light, float wide) const {
    // The fill returns to its own hue before the outline fades: a half red fill would look like another region's hue.
    glyph.fill = mixed(glyph.fill, palette_->flash, std::max(0.0f, 3 * light - 2));
    glyph.glow = std::max(glyph.glow, light);
    const float width = std::max({1.2f, line_, 0.28f * glyph.radius * (1 - 0.35f * wide)});
    return ring(faded(palette_->flash, 0.9f * light), glyph.at, glyph.radius * (1.35f + 1.1f * wide), width);
}

Glyph GlyphStyle::missOutline(const Glyph& glyph, float light) const {
    const float width = std::max({1.2f * detail_, line_, 0.26f * glyph.radius});
    return ring(faded(palette_->flash, light), glyph.at, glyph.radius + 1.2f * width, width);
}

Glyph GlyphStyle::writeback(glm::vec2 at, float radius, float light, float wide) const {
    const float width = std::max(1.6f * detail_, 0.16f * radius);
    Glyph square = ring(faded(palette_->dirty, light), at, radius * (1.35f + 1.0f * wide) + 1.5f * width, width);
    square.shape = Shape::square;
    return square;
}

Glyph GlyphStyle::tie(glm::vec2 at, float radius, float light) const {
    const float width = 1.4f * detail_;
    return ring(faded(palette_->mark, 0.9f * light), at, 1.3f * radius + 1.5f * width, width);
}

Glyph GlyphStyle::taken(Glyph& glyph, float left) const {
    const float width = std::max({1.2f, line_, 0.16f * glyph.radius});
    const Rgba colour = faded(palette_->mark, 0.8f * (1 - left * left));
    const Glyph outline = ring(colour, glyph.at, glyph.radius * (1 + 1.4f * left), width);
    glyph.radius *= 0.45f + 0.55f * left;
    return outline;
}

Glyph GlyphStyle::ring(Rgba colour, glm::vec2 at, float radius, float width) {
    return {.at = at, .radius = radius, .fill = faded(colour, 0), .rim = colour, .rimWidth = width};
}

Glyph GlyphStyle::cpu(float acts, glm::vec2 at, float radius) const {
    return {.at = at,
            .radius = radius,
            .fill = mixed(palette_->ground, palette_->core, 0.30f + 0.70f * acts),
            .glow = 0.7f * acts};
}

}  // namespace whorl::scene
