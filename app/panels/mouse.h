// The mouse over pictures in tiles and on the strip, by one rule for all of them: the wheel zooms at the pointer, a
// drag moves what is seen, Shift+drag selects accesses, a click picks, a double click shows all, and what is under the
// mouse is described beside it. docs/window.md has the table.
#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel_context.h"
#include "app/views/views.h"
#include "render/scene/flat_scene.h"
#include "render/scene/time_axis.h"

namespace whorl::app {

/// The pixel of a tile under the mouse; outside of all tiles while the mouse is outside of the window.
glm::ivec2 mouseIn(const Tile& tile);

/// An area of the tile that takes all buttons of the mouse, `box` in pixels of the tile: the last item after it.
void takeMouse(const Tile& tile, const scene::PixelBox& box);

/// Whether the last item is under the mouse, or was pressed; else no gesture can mean anything.
bool usesMouse();

/// What each gesture means at the pixel under the mouse; an empty one means nothing there. They queue commands.
struct Gestures {
    std::function<void(float notches)> zoom;        ///< wheel: at the pointer, along the time where there is one
    std::function<void(float notches)> zoomOther;   ///< Ctrl+wheel: along the other axis
    std::function<void(glm::vec2 pixels)> move;     ///< drag
    std::function<void(glm::vec2 pixels)> turn;     ///< Ctrl+drag; a drag where `move` is empty
    std::optional<scene::TimeSpan> time = {};       ///< the accesses under the pixel: Shift+drag selects from there
    std::optional<Handle> handle = {};              ///< what a press takes hold of; a drag carries it instead of moving
    std::function<void(const Handle& held)> carry;  ///< needed with a handle
    std::function<void()> showAll;                  ///< double click
    std::function<void()> click;                    ///< Shift is read by clickOn()
    std::function<void()> tell;                     ///< describes what is under the mouse
    std::function<MenuSubject()> ask;               ///< right click: what the menu is about
};

/// Acts on the mouse; to be called in each frame after the item that takes it.
void act(const PanelContext& c, const Gestures& gestures);

/// What a click on something does, with Shift or without.
void clickOn(const PanelContext& c, const Hit& hit);
/// What a click in a picture does: where there is nothing, a click ends what is picked.
void pickOrNone(const PanelContext& c, const std::optional<Hit>& hit);

/// Picks what is under the mouse, if there is something, for the menu that is asked for there.
MenuSubject subjectAt(const PanelContext& c, const Tile& tile, const std::optional<Hit>& hit,
                      const std::optional<double>& time = {});

/// The lines that describe something, and what a click with Shift does.
std::vector<std::string> wordsOf(const Hit& hit);

/// Outlines what is under the mouse, `box` in pixels of the tile, and describes it in a tooltip beside it.
void tellOf(const PanelContext& c, const Tile& tile, const scene::PixelBox& box, const std::vector<std::string>& lines);

/// The gestures along a time: zooming, moving, selecting, and showing all of it.
void addTime(const PanelContext& c, Gestures& gestures, const TimePointer& pointer);

/// Shows these accesses in all pictures over time.
void showTime(const PanelContext& c, const scene::TimeSpan& span);
/// The factor by which the wheel zooms.
double zoomFactor(float notches);

}  // namespace whorl::app
