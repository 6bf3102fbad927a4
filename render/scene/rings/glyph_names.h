// The names on large glyphs: what of the program's memory a block holds, once one has zoomed in far enough to read it.
#pragma once

#include "render/scene/rings/frame_context.h"

namespace whorl::scene {

/// Adds the names of resting glyphs that are wide enough for them.
void addGlyphNames(Scene& scene, const FrameContext& frame);

}  // namespace whorl::scene
