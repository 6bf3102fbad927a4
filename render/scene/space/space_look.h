// How a picture in space is looked at: what folded graphs and BlockViews have in common. Plain data.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <string>

#include "render/scene/scene.h"
#include "render/scene/space/space_camera.h"

namespace whorl::scene {

struct SpaceLook {
    glm::vec2 size{1280, 720};  ///< pixels
    Ground ground = Ground::dark;
    float textSize = 16;  ///< pixels
    SpaceCamera camera;
    std::string title;  ///< empty: none

    /// About this many primitives are drawn at most; small marks are simplified before large ones. With half as many
    /// while the picture moves, slow machines stay quick.
    std::uint32_t budget = 100'000;
};

}  // namespace whorl::scene
