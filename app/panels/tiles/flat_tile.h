// A flat view in its tile: its texts, the controls under its title, and mouse actions. The picture itself is painted
// below. The mouse acts the same way in all of them: the wheel zooms, a drag moves what is seen, with Shift or the
// right button it selects a range of time, a double click shows all, a click picks or goes to a time.
#pragma once

#include "app/panels/panel_context.h"

namespace whorl::app {

void drawFlatTile(const PanelContext& c, const Tile& tile, Views& views, const scene::FlatScene& picture);

}  // namespace whorl::app
