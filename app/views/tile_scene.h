// What each tile shows, as plain data: for whoever paints it.
#pragma once

#include <variant>

#include "app/views/run_views.h"
#include "app/views/tiles.h"
#include "render/scene/flat_scene.h"
#include "render/scene/scene.h"
#include "render/scene/space/space_scene.h"

namespace whorl::app {

/// Nothing where the view has no picture yet.
using TileScene = std::variant<std::monostate, const scene::Scene*, const scene::FlatScene*, const scene::SpaceScene*>;

/// The picture of a tile, in its size; owned by the run's views, valid until they are asked again.
TileScene sceneOf(const Tile& tile, const RunViews& runs, const Session& session, float scale);

}  // namespace whorl::app
