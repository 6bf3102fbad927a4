// The names on large glyphs: what of the program's memory a block holds, once one has zoomed in far enough to read it.
#pragma once

#include "render/scene/rings/label_space.h"

namespace whorl::scene {

/// Adds the names of the glyphs of a scene that are wide enough for them, and neither move nor flash, after all other
/// text.
void addGlyphNames(LabelSpace& space, const Scene& scene, const FrameContext& frame);

}  // namespace whorl::scene
