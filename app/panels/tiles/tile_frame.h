// What the tiles of all views have in common.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

/// The frame around a tile among others, brighter around the active one; a press in another one makes it active.
void drawTileFrame(const PanelContext& c, const Tile& tile);

/// Explains why a view of a run's history is not available yet, in place of that view. `fraction`: see
/// Views::fraction().
void drawHistoryPending(const PanelContext& c, const Tile& tile, double fraction);

}  // namespace whorl::app
