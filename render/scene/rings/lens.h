// Maps the plane of the rings, with the origin in their centre, to the pixels of the picture: zoom and focus.
#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "render/scene/rings/memory_ring.h"

namespace whorl::scene {

struct Lens {
    glm::vec2 size{0};   ///< size of the picture, pixels
    glm::vec2 focus{0};  ///< the place in the middle of the picture, pixels at zoom 1
    float zoom = 1;

    /// The pixel of a place, and the place of a pixel.
    glm::vec2 at(glm::vec2 place) const { return size / 2.0f + (place - focus) * zoom; }
    glm::vec2 back(glm::vec2 pixel) const { return (pixel - size / 2.0f) / zoom + focus; }
    /// Whether anything within `margin` pixels of a pixel is in the picture.
    bool sees(glm::vec2 pixel, float margin) const {
        return pixel.x > -margin && pixel.y > -margin && pixel.x < size.x + margin && pixel.y < size.y + margin;
    }
    /// A part of the plane, by radius and angle, that covers all of the picture.
    PolarWindow window() const;

    bool operator==(const Lens&) const = default;
};

}  // namespace whorl::scene
