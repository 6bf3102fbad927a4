// The colours of cells: how a number, a level or the glow of recent accesses looks on either ground.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "render/scene/scene.h"

namespace whorl::scene {

/// Red means misses and nothing else; other numbers are on a neutral scale of even steps.
enum class CellRamp : std::uint8_t { misses, neutral };

struct CellPalette {
    Rgba ground;
    Rgba untouched;  ///< memory that exists but was never accessed; an empty cell of a cache
    Rgba boundary;   ///< boundary of one way of L1
    Rgba boundary2;  ///< boundary of one way of L2
    Rgba page;       ///< boundary of pages of unknown state
    Rgba pageInTlb;
    Rgba pageInMemory;
    Rgba pageOnDisk;
    Rgba outline;   ///< around a region or an object
    Rgba hit;       ///< the light of a hit
    Rgba miss;      ///< the light of a miss
    Rgba conflict;  ///< a line of conflict
};

const CellPalette& cellPaletteFor(Ground ground);

/// The colour of a share, 0 to 1, of the scale's length. At 0 a cell still differs from an untouched one.
Rgba rampColour(Ground ground, CellRamp ramp, float share);

/// The colour of the level that served an access: the nearest is blue as a hit, memory red as a miss of all.
/// `level` = `levels` is memory.
Rgba servedColour(Ground ground, std::size_t level, std::size_t levels);

/// The glow of a cell whose hits and misses, each decayed since, have these sums. Light is added on the dark ground; on
/// the light one it is taken away, as ink does. Both sums saturate: 1 is bright, 3 hardly brighter than 4.
Rgba glowColour(Ground ground, Rgba cell, float hits, float misses);

}  // namespace whorl::scene
