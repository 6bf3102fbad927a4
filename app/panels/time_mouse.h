// Mouse actions along the time axis, the same in every picture over time: the wheel zooms at the pointer, Shift+drag
// (or the right button) selects a range, a drag moves what is seen, a double click shows all.
#pragma once

#include "app/panels/panel_context.h"
#include "app/views/views.h"
#include "render/scene/time_axis.h"

namespace whorl::app {

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
