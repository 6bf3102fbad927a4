#pragma once

#include <cstdint>
#include <glm/vec2.hpp>

namespace whorl::app {

/// What the pointer does: a mouse, or fingers.
struct PointerEvent {
    enum class Kind : std::uint8_t {
        move,
        click,
        showAll,  ///< a double click
        drag,
        turn,  ///< a drag with Ctrl
        zoom,
        zoomOther,  ///< along the other axis
        select,     ///< a drag that selects accesses
    };
    Kind kind = Kind::move;
    glm::vec2 at{0};    ///< pixels of the picture, from its upper left corner
    glm::vec2 by{0};    ///< pixels since the last one; of a selection `x` is where it began
    float notches = 0;  ///< of a wheel
    bool shift = false;
};
}  // namespace whorl::app
