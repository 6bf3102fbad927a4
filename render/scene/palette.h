// The colours of the picture on either ground, and which region wears which.
#pragma once

#include <array>
#include <cstddef>

#include "render/scene/scene.h"

namespace whorl::scene {

/// Eight hues that stay apart under normal, protan, deutan and tritan vision; short prefixes are best.
inline constexpr std::size_t kHues = 8;

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
};

const Palette& paletteFor(Ground ground);

/// How a region's blocks look: beyond eight regions the shape changes, never a ninth hue.
Rgba hueOf(const Palette& palette, std::size_t region);
Shape shapeOf(std::size_t region);

}  // namespace whorl::scene
