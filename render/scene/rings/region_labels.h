// The names of regions: along the memory ring where they fit, else beside it with leaders.
#pragma once

#include "render/scene/rings/label_space.h"

namespace whorl::scene {

/// Adds them, as far as there is room. A name is cut only where there is no room beside the rings.
void addRegionLabels(LabelSpace& space, const FrameContext& frame);

}  // namespace whorl::scene
