// The life of an object in its tile: texts, controls and mouse actions; the picture itself is painted below. A click on
// a box picks its source line.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

void drawLifeTile(const PanelContext& c, const Tile& tile);

}  // namespace whorl::app
