// A picture in space in its tile: its texts, and what the mouse does there. The picture itself is painted below.
#pragma once

#include "app/panels/panel.h"

namespace whorl::app {

void drawSpaceTile(const PanelContext& c, const Tile& tile);

/// The pictures of the run that a tile shows; null while its history is not known.
HistoryViews* historyViewsOf(const PanelContext& c, const Tile& tile);
/// While there is nothing to be seen: why.
void drawWaiting(const PanelContext& c, const Tile& tile);

/// The frame around a tile among others, brighter around the one that a person works in; a press into another makes
/// that the one.
void drawTileFrame(const PanelContext& c, const Tile& tile);

}  // namespace whorl::app
