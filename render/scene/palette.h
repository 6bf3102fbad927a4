// The colours of the rings and of all text, on either ground. Which region has which hue: region_looks.h; how a glyph
// is coloured: rings/glyph_style.h. The pictures in space have some more: space/space_palette.h.
//
// Red is for misses, here and everywhere.
#pragma once

#include <array>
#include <cstddef>

#include "render/scene/scene.h"
#include "sim/replay/totals/miss_kind.h"

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
    Rgba muted;   ///< secondary text
    Rgba line;    ///< the edges of rings
    Rgba ring;    ///< the inside of a cache's ring
    Rgba core;    ///< the CPU
    Rgba flash;   ///< a miss
    Rgba dirty;   ///< data that is written back
    Rgba mark;    ///< the ring around the element under the pointer
    Rgba watch;   ///< the ring around watched blocks
    Rgba accent;  ///< measures that have no hue of their own
    std::array<Rgba, kHues> hues;
    Rgba scrap;                                   ///< all inferred regions with few accesses
    std::array<Rgba, sim::kMissKinds> missKinds;  ///< by sim::MissKind: reds that differ in lightness
    float ghostFill;                              ///< the opacity of a ghost's inside and rim
    float ghostRim;
    /// From many misses (cold) to many hits (hot): dim, so that the colours of glyphs keep their contrast.
    ColourScale temperatureFill;
    ColourScale temperatureRim;  ///< … bright: it carries the value
};

const Palette& paletteFor(Ground ground);

/// A name in a hue: as near to the hue as text can be that is read on the ground, with a contrast of 4.5.
Rgba nameColour(Rgba hue, Ground ground);

/// The mark of a dirty block on its hue, with a contrast of at least 3: the colour of the ground where that suffices.
Rgba dirtyMark(Rgba hue, Ground ground);

}  // namespace whorl::scene
