// The contents of the whole window: lays out the panels and the picture, and draws them. The same for a real window and
// for frames without one.
#pragma once

#include "app/panels/panel_context.h"
#include "render/gl/painter.h"

namespace whorl::app {

/// The rectangle of the picture, in pixels of the window. Depends on the session alone, so that the picture can be made
/// before the panels are drawn.
gl::Rect canvasOf(const Session& session, int width, int height, float scale);

/// Draws all panels and the overlays on the views with ImGui, between NewFrame and Render. Queues commands in the
/// context.
void drawInterface(const PanelContext& context, int width, int height);

/// Whether a list or menu is open over the panels; closes it, if one is.
bool isListOpen();
bool closeList();

}  // namespace whorl::app
