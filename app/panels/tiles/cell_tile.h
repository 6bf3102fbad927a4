// A view of cells in its tile: its texts, the controls beside them, and mouse actions. The picture itself is painted
// below.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

void drawCellTile(const PanelContext& c, const Tile& tile);

}  // namespace whorl::app
