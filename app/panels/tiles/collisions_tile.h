// The matrix of collisions in its tile: a row for each region or class that evicts, a column for each whose blocks are
// evicted. A click on a cell goes to its next occurrence.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

void drawCollisionsTile(const PanelContext& c, const Tile& tile);

}  // namespace whorl::app
