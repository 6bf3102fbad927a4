// What stands in the place of a flat picture that there is not, or not yet.
#pragma once

#include <string>

#include "render/scene/flat_scene.h"

namespace whorl::app {

/// Words in the middle of an empty picture, `size` and `text` in pixels.
scene::FlatScene wordsScene(const std::string& words, glm::ivec2 size, scene::Ground ground, float text);

}  // namespace whorl::app
