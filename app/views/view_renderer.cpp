#include "app/views/view_renderer.h"

#include "app/session/beside.h"

namespace whorl::app {

namespace {

/// The painter of a view, created on first use. Null if it cannot be created.
template <class Painter>
Painter* painterFor(std::map<ViewId, std::unique_ptr<Painter>>& painters, const ViewId& view) {
    std::unique_ptr<Painter>& painter = painters[view];
    if (!painter) {
        if (auto made = Painter::create()) painter = std::move(*made);
    }
    return painter.get();
}

/// The picture of a flat view; null if the view is not flat, or there is no picture yet.
const scene::FlatScene* flatSceneOf(RunView& run, const ViewId& view, const Session& session, glm::ivec2 size,
                                    float scale) {
    if (view.cells()) return &run.cellViews().scene(view, session, size, scale);
    if (view.isOverTime() && session.opened.run) {
        return &run.timeViews().scene(view, session, run.composer().overview(), size, scale);
    }
    if (view.kind == ViewId::Kind::collisions && run.collisionView() != nullptr) {
        return &run.collisionView()->picture(session, size, scale).scene;
    }
    return nullptr;
}

}  // namespace

sim::Expected<std::unique_ptr<ViewRenderer>> ViewRenderer::create() {
    std::unique_ptr<ViewRenderer> viewRenderer(new ViewRenderer);
    auto rings = gl::Painter::create();
    if (!rings) return tl::unexpected(rings.error());
    viewRenderer->rings_[ViewId{}] = std::move(*rings);
    // Created now to find out whether its shaders compile.
    auto space = gl::SpacePainter::create();
    if (!space) return tl::unexpected(space.error());
    viewRenderer->spaces_[ViewId{ViewId::Kind::sources}] = std::move(*space);
    auto flat = gl::FlatPainter::create();
    if (!flat) return tl::unexpected(flat.error());
    viewRenderer->flats_[ViewId{ViewId::Kind::memory}] = std::move(*flat);
    return viewRenderer;
}

void ViewRenderer::paint(std::span<const Tile> tiles, const RunViews& runs, const Session& session, float scale,
                         int framebufferHeight) {
    for (const Tile& tile : tiles) {
        paint(tile, runs, tile.view.run == 0 ? session : sessionOf(session, tile.view.run), scale, framebufferHeight);
    }
}

void ViewRenderer::paint(const Tile& tile, const RunViews& runs, const Session& session, float scale,
                         int framebufferHeight) {
    const ViewId& view = tile.view;
    RunView* run = runs.at(view.run);
    if (run == nullptr) return;
    if (view.kind == ViewId::Kind::rings) {
        const Picture* picture = run->composer().picture();
        gl::Painter* painter = picture == nullptr ? nullptr : painterFor(rings_, view);
        if (painter != nullptr) painter->paint(picture->scene, tile.where, framebufferHeight);
    }
    const glm::ivec2 pixels(tile.where.width, tile.where.height);
    if (const scene::FlatScene* const flat = flatSceneOf(*run, view, session, pixels, scale)) {
        gl::FlatPainter* painter = painterFor(flats_, view);
        if (painter != nullptr) painter->paint(*flat, tile.where, framebufferHeight);
        return;
    }
    HistoryViews* historyViews = run->historyViews(view);
    if (!view.isSpace() || historyViews == nullptr || !historyViews->has(view)) return;
    gl::SpacePainter* painter = painterFor(spaces_, view);
    if (painter == nullptr) return;
    const glm::vec2 size(tile.where.width, tile.where.height);
    painter->paint(historyViews->scene(view, session, size, scale), tile.where, framebufferHeight);
}

}  // namespace whorl::app
