// Costs over time in their tile: texts, controls and mouse actions; the picture itself is painted below.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

void drawCyclesTile(const PanelContext& c, const Tile& tile);

}  // namespace whorl::app
