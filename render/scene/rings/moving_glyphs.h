// Glyphs that move, flash or pulse: the blocks of sets that were accessed lately, blocks on their way from one place to
// another, and the memory slots of blocks that are being used.
#pragma once

#include "render/scene/rings/frame_context.h"

namespace whorl::scene {

/// The light of a miss, 0 to 1, where flashes are replaced by a steady glow.
inline constexpr float kHeldLight = 0.6f;

/// Adds the moving glyphs to a scene.
void addMovingGlyphs(Scene& scene, const FrameContext& frame);

/// The radius of a moving glyph before it grows with a pulse: as at rest, but never too small to be seen. Pixels.
float movingRadius(const FrameContext& frame, std::size_t level);

}  // namespace whorl::scene
