// The signs of the rings, for a key: what each looks like, and what it means.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <string_view>
#include <vector>

#include "render/scene/colour.h"
#include "render/scene/palette.h"
#include "render/scene/scene.h"

namespace whorl::scene {

/// A part of a sign. Places and sizes are in radii of a glyph, from the middle of the sign to the right and down.
struct SignPart {
    enum class Shape : std::uint8_t {
        disc,    ///< around `a`, of radius `size`
        rim,     ///< its outline
        line,    ///< from `a` to `b`
        bar,     ///< from `a` to `b`, `size` wide
        box,     ///< filled, between the corners `a` and `b`
        square,  ///< the outline of a square around `a`, with sides of twice `size`
        curve,   ///< from `a` to `b`, by kBend
    };
    static constexpr glm::vec2 kBend{-0.3F, -1.4F};

    Shape shape = Shape::disc;
    glm::vec2 a{0};
    glm::vec2 b{0};
    float size = 0;
    Rgba colour;
    float width = 0;  ///< of outlines and lines, in pixels
};

struct Sign {
    std::string_view words;
    std::vector<SignPart> parts;
};

/// The signs that a picture shows. What matters most comes first: where room is short, the rest is left out. `ofSpan`:
/// the gauges of the levels cover a span, not the last accesses.
std::vector<Sign> signsOf(const Legend& legend, Ground ground, bool ofSpan);

}  // namespace whorl::scene
