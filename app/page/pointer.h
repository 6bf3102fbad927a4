// What the pointer does on a picture of a page: a mouse, or fingers.
#pragma once

#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/command.h"
#include "app/views/run_views.h"
#include "app/views/tiles.h"

namespace whorl::app {

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
/// The event of that name; empty: there is none.
std::optional<PointerEvent::Kind> pointerKind(std::string_view word);

/// The commands that an event means on the tiles of a page.
Commands commandsFor(const PointerEvent& event, const Shown& shown, std::span<const Tile> tiles, float scale);
/// What is under the pointer, in words: the heading first. Empty: nothing.
std::vector<std::string> wordsUnder(glm::vec2 at, const Shown& shown, std::span<const Tile> tiles, float scale);

}  // namespace whorl::app
