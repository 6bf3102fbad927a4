// The controls of a view, in a row under its title: as many as fit, the first ones first; a button at its end opens all
// of them. Their places do not depend on what is picked.
#pragma once

#include <span>

#include "app/panels/panel_context.h"

namespace whorl::app {

void drawControls(const PanelContext& c, const Tile& tile, std::span<const ViewControl> controls);

}  // namespace whorl::app
