// The parts of the picture that are not blocks: edges of rings, arms, CPUs, names.
#pragma once

#include "render/scene/rings/moving_glyphs.h"

namespace whorl::scene {

/// Adds the edges of rings, the ribbons under the arms, and the CPUs.
void addRings(Scene& scene, const Shot& shot);
/// Adds the names of levels, regions and CPUs, as far as there is room for them.
void addLabels(Scene& scene, const Shot& shot);

/// How wide a text is at most, in pixels: for deciding whether it fits where there is no font at hand.
float widthOf(const std::string& text, float size);

}  // namespace whorl::scene
