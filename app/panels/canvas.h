// The picture's place among the panels: its labels, and what the mouse does there. The picture itself is painted below.
#pragma once

#include "app/panels/panel.h"
#include "app/views/rings/frame_composer.h"
#include "render/gl/painter.h"

namespace whorl::app {

/// Draws the labels of the scene and answers the mouse; gives the block under it.
scene::Target drawCanvas(const PanelContext& c, const FrameComposer* composer, const gl::Rect& canvas);

}  // namespace whorl::app
