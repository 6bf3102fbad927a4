// What the pointer does on a picture of a page: a mouse, or fingers.
#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/page/pointer_event.h"
#include "app/session/command.h"
#include "app/views/run_views.h"
#include "app/views/tiles.h"

namespace whorl::app {

/// The event of that name; empty: there is none.
std::optional<PointerEvent::Kind> pointerKind(std::string_view word);

/// The commands that an event means on the tiles of a page.
Commands commandsFor(const PointerEvent& event, const Shown& shown, std::span<const Tile> tiles, float scale);
/// What is under the pointer, in words: the heading first. Empty: nothing.
std::vector<std::string> wordsUnder(glm::vec2 at, const Shown& shown, std::span<const Tile> tiles, float scale);

}  // namespace whorl::app
