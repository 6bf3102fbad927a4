// What each tile shows, as plain data: for whoever paints it.
#pragma once

#include "app/views/run_views.h"
#include "app/views/tiles.h"

namespace whorl::app {

/// The picture of a tile, in its size; owned by the run's views, valid until they are asked again.
TileScene sceneOf(const Tile& tile, const RunViews& runs, const Session& session, float scale);

}  // namespace whorl::app
