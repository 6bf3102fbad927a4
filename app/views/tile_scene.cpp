#include "app/views/tile_scene.h"

#include "app/session/beside.h"

namespace whorl::app {

TileScene sceneOf(const Tile& tile, const RunViews& runs, const Session& session, float scale) {
    RunView* const run = runs.at(tile.view.run);
    if (run == nullptr) return {};
    const glm::ivec2 pixels(tile.where.width, tile.where.height);
    const auto picture = [&](const RunContext& context) {
        return run->views(tile.view).pictureOf({tile.view, context, pixels, scale});
    };
    return tile.view.run == 0 ? picture(session) : picture(contextOf(session, tile.view.run));
}

}  // namespace whorl::app
