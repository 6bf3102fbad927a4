// The pictures over time in their tiles: histories of places, and phases. Texts, controls and mouse actions; the
// picture itself is painted below.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

void drawHistoryTile(const PanelContext& c, const Tile& tile);
void drawPhasesTile(const PanelContext& c, const Tile& tile);

}  // namespace whorl::app
