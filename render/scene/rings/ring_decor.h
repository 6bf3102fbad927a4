// The parts of the rings that are not blocks: their edges, the ribbons under the arms, the CPUs.
#pragma once

#include "render/scene/rings/frame_context.h"

namespace whorl::scene {

/// Adds them to a scene.
void addRings(Scene& scene, const FrameContext& frame);

}  // namespace whorl::scene
