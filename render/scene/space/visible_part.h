// The part of a box that is in the picture.
#pragma once

#include <optional>

#include "render/scene/space/space_camera.h"

namespace whorl::scene {

/// The smallest box around what lies both in the extent and in the picture; none when nothing does.
std::optional<Extent> visiblePart(const glm::mat4& toClip, const Extent& extent);

}  // namespace whorl::scene
