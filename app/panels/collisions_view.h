// The matrix of collisions in its tile: a row for each culprit, a column for each victim. A click on a cell goes to the
// next moment at which it happened.
#pragma once

#include "app/panels/panel.h"

namespace whorl::app {

void drawCollisions(const PanelContext& c, const Tile& tile);

}  // namespace whorl::app
