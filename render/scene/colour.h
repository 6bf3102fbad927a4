// Colour as eight bits a channel, and the few operations that the picture needs.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace whorl::scene {

/// sRGB with straight (not premultiplied) alpha.
struct Rgba {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;
    bool operator==(const Rgba&) const = default;
};

constexpr Rgba hex(std::uint32_t rrggbb, std::uint8_t alpha = 255) {
    return {static_cast<std::uint8_t>(rrggbb >> 16), static_cast<std::uint8_t>(rrggbb >> 8 & 255),
            static_cast<std::uint8_t>(rrggbb & 255), alpha};
}

/// The colour with its alpha multiplied by `factor`, 0 to 1.
Rgba faded(Rgba c, float factor);
/// A mix of two colours in OKLab (Ottosson 2020) so that the way between them looks even; alpha is mixed linearly.
Rgba mixed(Rgba from, Rgba to, float share);

/// OKLab coordinates of a colour, alpha left aside: L 0 to 1, a and b about -0.4 to 0.4.
glm::vec3 oklab(Rgba c);
Rgba fromOklab(glm::vec3 lab, std::uint8_t alpha = 255);

/// The contrast of two opaque colours by WCAG 2.1, 1 to 21.
float contrast(Rgba a, Rgba b);
/// Black or white, whichever has more contrast to an opaque colour: at least 4.5.
Rgba readableOn(Rgba ground);

// Stripes, which distinguish regions of the same hue: those beyond the eighth.

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
