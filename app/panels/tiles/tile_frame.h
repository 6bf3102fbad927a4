// What the tiles of all views have in common.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

/// The frame around a tile among others, brighter around the active one; a press into another makes that the active
/// one. Where runs are compared, which of them the tile shows.
void drawTileFrame(const PanelContext& c, const Tile& tile);

/// In place of a view of a run's history while that is not known: why.
void drawHistoryPending(const PanelContext& c, const Tile& tile);

}  // namespace whorl::app
