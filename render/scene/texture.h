// Stripes, which distinguish regions of the same hue: those beyond the eighth.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>

#include "render/scene/colour.h"

namespace whorl::scene {

enum class Texture : std::uint8_t { plain, rising, level, upright };

/// Width of a stripe, and distance between two stripes, pixels.
inline constexpr int kStripe = 2;

/// Whether a pixel lies in a stripe. The stripes of neighbouring boxes continue each other, so that they are seen
/// however small the boxes are.
constexpr bool isStripe(Texture texture, glm::ivec2 at) {
    const int along = texture == Texture::rising ? at.x + at.y : texture == Texture::level ? at.y : at.x;
    return texture != Texture::plain && (along & (2 * kStripe - 1)) >= kStripe;
}

/// The paint of an area: one colour, or stripes of a second colour on it.
struct Ink {
    Rgba colour;
    Texture texture = Texture::plain;
    Rgba stripe;

    Ink() = default;
    /// A colour is an ink.
    Ink(Rgba plain) : colour(plain), stripe(plain) {}  // NOLINT(google-explicit-constructor,hicpp-explicit-conversions)
    Ink(Rgba ground, Texture striped, Rgba stripes) : colour(ground), texture(striped), stripe(stripes) {}
    Rgba at(glm::ivec2 pixel) const { return isStripe(texture, pixel) ? stripe : colour; }
    bool operator==(const Ink&) const = default;
};

}  // namespace whorl::scene
