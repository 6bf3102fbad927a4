// The whole window inside its frame: where the panels and the picture are, and drawing them. The same for a real window
// and for frames without one.
#pragma once

#include "app/panels/panel_context.h"
#include "render/gl/painter.h"

namespace whorl::app {

/// Where the picture is, in pixels of the window. Follows from the session alone, so that the picture can be made
/// before the panels are drawn.
gl::Rect canvasOf(const Session& session, int width, int height, float scale);

/// Draws all panels, and what lies over the views, with ImGui, between NewFrame and Render. Queues commands in the
/// context.
void drawInterface(const PanelContext& context, int width, int height);

}  // namespace whorl::app
