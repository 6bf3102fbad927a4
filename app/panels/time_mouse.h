// Mouse actions along the time axis, the same in every picture over time: the wheel zooms at the pointer, Shift+drag
// (or the right button) selects a range, a drag moves what is seen, a double click shows all.
#pragma once

#include <functional>
#include <optional>

#include "app/panels/panel_context.h"
#include "render/scene/time_axis.h"

namespace whorl::app {

/// What the pointer is at along the time of a picture, whatever its axis measures.
struct TimePointer {
    double here = 0;      ///< accesses
    bool isWhole = true;  ///< all of the time is shown
    /// What is to be seen after zooming by a factor about the pointer, and after moving by so many pixels.
    std::function<scene::TimeSpan(double factor)> zoomed;
    std::function<scene::TimeSpan(float pixels)> moved;
};

/// To be called after the item that takes the mouse. `movesHere`: whether a
/// press here moves what is seen, rather than something that the caller drags. True if the mouse is being used for
/// these.
bool actOnTime(const PanelContext& c, const TimePointer& pointer, bool movesHere);
/// The same for an axis of accesses; `x` is the pointer in its pixels.
bool actOnTime(const PanelContext& c, const scene::TimeAxis& axis, float x, bool movesHere);

/// Shows these accesses in all pictures over time.
void showTime(const PanelContext& c, const scene::TimeSpan& span);
/// The factor by which the wheel zooms the time.
double timeZoom(float notches);

/// Whether the press has become a drag.
bool isTimeDragged(const PanelContext& c);
/// Whether the last press was a click: released without having dragged.
bool isTimeClick(const PanelContext& c);

}  // namespace whorl::app
