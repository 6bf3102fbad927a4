// Where in all of its rows, and in all of the time, a zoomed BlockView is: bars at its edges, which are dragged to move
// what is shown.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

/// To be called before the tile's own item, so that the bars take the mouse where they are.
void drawBlockBars(const PanelContext& c, const Tile& tile, const ViewQuery& query, BlockViews& views);

}  // namespace whorl::app
