// Where runs are compared: which of them a tile shows, and by how much they differ.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

/// Draws the strip above a tile: its run, with hits and misses. Draws nothing if there is no such strip.
void drawTileHeading(const PanelContext& c, const Tile& tile);

/// In the strip below the tiles: of two runs the misses of one against those of the other, of more what they have in
/// common; which accesses are counted; and in the window, also while one is shown alone, how they are compared.
void drawDifferences(const PanelContext& c, const gl::Rect& canvas);

}  // namespace whorl::app
