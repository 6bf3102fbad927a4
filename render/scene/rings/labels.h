// The names in the picture: levels with their hit rates, regions, CPUs. Each is put only where it has room, so that no
// text lies on another.
#pragma once

#include "render/scene/rings/frame_context.h"

namespace whorl::scene {

/// Adds the names of levels, regions and CPUs to a scene, as far as there is room for them.
void addLabels(Scene& scene, const FrameContext& frame);

}  // namespace whorl::scene
