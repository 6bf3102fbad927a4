// The mouse over pictures in tiles, and along the time axis, the same in every picture over time: the wheel zooms at
// the pointer, Shift+drag (or the right button) selects a range, a drag moves what is seen, a double click shows all.
#pragma once

#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "app/panels/panel_context.h"
#include "app/views/views.h"
#include "render/scene/flat_scene.h"
#include "render/scene/time_axis.h"

namespace whorl::app {

/// The pixel of a tile under the mouse; outside of all tiles while the mouse is outside of the window.
glm::ivec2 mouseIn(const Tile& tile);

/// An area of the tile that takes all buttons of the mouse, `box` in pixels of the tile: the last item after it. True
/// if it was clicked.
bool takeMouse(const Tile& tile, const scene::PixelBox& box);

/// Call once per frame after an item that takes the mouse: notes a press in Edits::dragged. True if the press is the
/// second of a double click. With Shift, or after a drag, two presses are not a double click.
bool beginsDoubleClick(const PanelContext& c);

/// What a click on something does, with Shift or without.
void clickOn(const PanelContext& c, const Hit& hit);

/// Outlines what is under the mouse, `box` in pixels of the tile, and describes it in a tooltip beside it.
void tellOf(const PanelContext& c, const Tile& tile, const scene::PixelBox& box, const std::vector<std::string>& lines);

/// To be called after the item that takes the mouse. `movesHere`: whether a press here moves what is seen, rather than
/// something that the caller drags. True if the mouse is being used for these.
bool actOnTime(const PanelContext& c, const TimePointer& pointer, bool movesHere);

/// Shows these accesses in all pictures over time.
void showTime(const PanelContext& c, const scene::TimeSpan& span);
/// The factor by which the wheel zooms the time.
double timeZoom(float notches);

/// Whether the press has become a drag.
bool isTimeDragged(const PanelContext& c);
/// Whether the last press was a click: released without having dragged.
bool isTimeClick(const PanelContext& c);

}  // namespace whorl::app
