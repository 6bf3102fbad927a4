// A view in space (SourceView, ObjectView, BlockView) in its tile: its texts and mouse actions. The scene itself is
// painted below.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

void drawSpaceTile(const PanelContext& c, const Tile& tile, const scene::SpaceScene& picture);

}  // namespace whorl::app
