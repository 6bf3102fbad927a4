// The matrix of collisions in its tile: texts, controls and mouse actions; the picture itself is painted below. A click
// on a pair goes to its next occurrence.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

void drawCollisionsTile(const PanelContext& c, const Tile& tile);

}  // namespace whorl::app
