// The mouse over a flat picture in a tile.
#pragma once

#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "app/panels/panel_context.h"
#include "render/scene/raster.h"

namespace whorl::app {

/// The pixel of a tile under the mouse; outside of all tiles while the mouse is outside of the window.
glm::ivec2 mouseIn(const Tile& tile);

/// An area of the tile that takes all buttons of the mouse, `box` in pixels of the tile: the last item after it. True
/// if it was clicked.
bool takeMouse(const Tile& tile, const scene::PixelBox& box);

/// To be called once a frame after an item that takes the mouse: notes a press in Edits::dragged, and tells whether it
/// is the second one of a double click. With Shift, or after a drag, two presses are no double click.
bool beginsDoubleClick(const PanelContext& c);

/// What a click on something does, with Shift or without.
void clickOn(const PanelContext& c, const Hit& hit);

/// Outlines what is under the mouse, `box` in pixels of the tile, and describes it in a tooltip beside it.
void tellOf(const PanelContext& c, const Tile& tile, const scene::PixelBox& box, const std::vector<std::string>& lines);

}  // namespace whorl::app
