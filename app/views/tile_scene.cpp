#include "app/views/tile_scene.h"

#include "app/session/beside.h"

namespace whorl::app {

namespace {

TileScene sceneIn(RunView& run, const Tile& tile, const RunContext& context, float scale) {
    const ViewId& view = tile.view;
    const glm::ivec2 pixels(tile.where.width, tile.where.height);
    if (view.kind == ViewId::Kind::rings) {
        const Picture* const picture = run.composer().picture();
        if (picture != nullptr) return &picture->scene;
    } else if (view.cells()) {
        return &run.cellViews().scene(view, context, pixels, scale);
    } else if (view.isOverTime() && context.opened.run) {
        return &run.timeViews().scene(view, context, run.composer().overview(), pixels, scale);
    } else if (view.kind == ViewId::Kind::life && context.opened.run) {
        return &run.lifeViews().picture(view, context, pixels, scale).scene;
    } else if (view.kind == ViewId::Kind::collisions && run.collisionView() != nullptr) {
        return &run.collisionView()->picture(context, pixels, scale).scene;
    } else if (view.isSpace()) {
        HistoryViews* const views = run.historyViews(view);
        if (views != nullptr && views->has(view)) return &views->scene(view, context, glm::vec2(pixels), scale);
    }
    return {};
}

}  // namespace

TileScene sceneOf(const Tile& tile, const RunViews& runs, const Session& session, float scale) {
    RunView* const run = runs.at(tile.view.run);
    if (run == nullptr) return {};
    return tile.view.run == 0 ? sceneIn(*run, tile, session, scale)
                              : sceneIn(*run, tile, contextOf(session, tile.view.run), scale);
}

}  // namespace whorl::app
