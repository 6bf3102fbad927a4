#include "app/views/view_renderer.h"

#include <algorithm>

namespace whorl::app {

namespace {

/// The painter of a view, made when it is first needed. Null when it cannot be made.
template <class Painter>
Painter* painterFor(std::map<ViewId, std::unique_ptr<Painter>>& painters, const ViewId& view) {
    std::unique_ptr<Painter>& painter = painters[view];
    if (!painter) {
        if (auto made = Painter::create()) painter = std::move(*made);
    }
    return painter.get();
}

}  // namespace

sim::Expected<std::unique_ptr<ViewRenderer>> ViewRenderer::create() {
    std::unique_ptr<ViewRenderer> viewRenderer(new ViewRenderer);
    auto rings = gl::Painter::create();
    if (!rings) return tl::unexpected(rings.error());
    viewRenderer->rings_[ViewId{}] = std::move(*rings);
    // Whether its shaders compile shall be known now.
    auto space = gl::SpacePainter::create();
    if (!space) return tl::unexpected(space.error());
    viewRenderer->spaces_[ViewId{ViewId::Kind::sources}] = std::move(*space);
    return viewRenderer;
}

void ViewRenderer::paint(std::span<const Tile> tiles, const Pictures& pictures, const Session& session, float scale,
                         int framebufferHeight) {
    for (const Tile& tile : tiles) {
        const ViewId& view = tile.view;
        if (view.kind == ViewId::Kind::rings) {
            const Picture* picture = view.isBaseline ? pictures.baselineRings : pictures.rings;
            gl::Painter* painter = picture == nullptr ? nullptr : painterFor(rings_, view);
            if (painter != nullptr) painter->paint(picture->scene, tile.where, framebufferHeight);
        }
        HistoryViews* historyViews = view.isBaseline ? pictures.baselineHistoryViews : pictures.historyViews;
        if (!view.isSpace() || historyViews == nullptr || !historyViews->has(view)) continue;
        gl::SpacePainter* painter = painterFor(spaces_, view);
        if (painter == nullptr) continue;
        const glm::vec2 size(tile.where.width, tile.where.height);
        painter->paint(historyViews->scene(view, session, size, scale), tile.where, framebufferHeight);
    }
}

std::vector<Tile> tilesOn(const Session& session, const gl::Rect& canvas, float scale) {
    std::vector<ViewId> views;
    for (ViewId view : session.viewSettings.shown) {
        if (session.baseline && session.viewSettings.compares) {
            view.isBaseline = true;
            views.push_back(view);
            view.isBaseline = false;
        }
        views.push_back(view);
    }
    return tilesOf(views, canvas, std::max(1, static_cast<int>(2 * scale)));
}

gl::Rect ringsOf(std::span<const Tile> tiles, const gl::Rect& canvas, bool first) {
    const ViewId rings{ViewId::Kind::rings, 0, first};
    const auto tile = std::find_if(tiles.begin(), tiles.end(), [&](const Tile& t) { return t.view == rings; });
    return tile == tiles.end() ? canvas : tile->where;
}

}  // namespace whorl::app
