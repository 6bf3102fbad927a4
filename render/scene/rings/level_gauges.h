// The disks behind the levels, and the number that each of them shows.
#pragma once

#include <string>

#include "render/scene/rings/moving_glyphs.h"

namespace whorl::scene {

/// The colours of a value from -1 to 1: a dim fill, so that the colours of glyphs keep their contrast, and the bright
/// rim that carries the value.
struct GaugeColours {
    Rgba fill;
    Rgba rim;
};
/// Of a temperature: blue, through the ground's neutral, to red.
GaugeColours temperatureColours(Ground ground, double value);
/// Of any other measure, 0 to 1, in the hue of what is measured.
GaugeColours shareColours(Ground ground, Rgba hue, double value);

/// Adds the ground of each ring, tinted by what its disk shows.
void addLevelGauges(Scene& scene, const Shot& shot);

/// "temp −0.31", "full 87 %": what the disk of a cache shows, or nothing.
std::string gaugeText(const Shot& shot, std::size_t level, std::uint32_t cache);

}  // namespace whorl::scene
