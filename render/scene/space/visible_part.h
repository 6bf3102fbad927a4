// Which part of a box can be seen at all.
#pragma once

#include <optional>

#include "render/scene/space/space_camera.h"

namespace whorl::scene {

/// The smallest box around what lies both in the extent and in the picture; none: nothing does.
std::optional<Extent> visiblePart(const glm::mat4& toClip, const Extent& extent);

}  // namespace whorl::scene
