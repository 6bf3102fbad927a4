// The rings in their tile: labels, and for the open run also the legend, the minimap and mouse actions. The scene
// itself is painted below.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

void drawRingsTile(const PanelContext& c, const Tile& tile);

}  // namespace whorl::app
