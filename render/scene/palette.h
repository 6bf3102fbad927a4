// The colours of the rings and of all text, on either ground, and which region has which. How a glyph is coloured with
// them: rings/glyph_style.h. The pictures in space have some more: space/space_palette.h.
#pragma once

#include <array>
#include <cstddef>

#include "render/scene/scene.h"

namespace whorl::scene {

/// Eight hues that stay apart under normal, protan, deutan and tritan vision; short prefixes are best.
inline constexpr std::size_t kHues = 8;

/// A scale of three colours, for values from -1 to 1.
struct ColourScale {
    Rgba low;
    Rgba middle;
    Rgba high;

    Rgba at(double value) const {
        return value < 0 ? mixed(middle, low, static_cast<float>(-value))
                         : mixed(middle, high, static_cast<float>(value));
    }
};

struct Palette {
    Rgba ground;  ///< behind everything
    Rgba text;
    Rgba muted;   ///< text of less weight
    Rgba line;    ///< the edges of rings
    Rgba ring;    ///< the inside of a cache's ring
    Rgba core;    ///< the CPU
    Rgba flash;   ///< a miss
    Rgba dirty;   ///< the rim of a dirty block
    Rgba mark;    ///< the ring around what is pointed at
    Rgba watch;   ///< the ring around what is watched
    Rgba accent;  ///< measures that have no hue of their own
    std::array<Rgba, kHues> hues;
    float ghostFill;  ///< the opacity of a ghost's inside and rim
    float ghostRim;
    ColourScale
        temperatureFill;  ///< from all misses to all hits: dim, so that the colours of glyphs keep their contrast
    ColourScale temperatureRim;  ///< … bright: it carries the value
};

const Palette& paletteFor(Ground ground);

/// How a region's blocks look: beyond eight regions the shape changes, never a ninth hue.
Rgba hueOf(const Palette& palette, std::size_t region);
Shape shapeOf(std::size_t region);

}  // namespace whorl::scene
