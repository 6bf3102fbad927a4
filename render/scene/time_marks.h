// What all pictures over time have in common: ruler, playhead, and the chosen range.
#pragma once

#include <vector>

#include "render/scene/flat_scene.h"
#include "render/scene/time_axis.h"

namespace whorl::scene {

/// The playhead, as a line over the whole height.
std::vector<Stroke> playheadStrokes(const TimeAxis& axis, const PixelBox& all, double t, Ground ground);
/// Numbers and ticks along the time axis, and a line under them.
void paintRuler(FlatScene& scene, const TimeAxis& axis, const PixelBox& where, float text);
/// What lies outside of the chosen range is dimmed, and its edges are marked.
void paintChosen(FlatScene& scene, const TimeAxis& axis, const PixelBox& where, const TimeSpan& chosen);

}  // namespace whorl::scene
