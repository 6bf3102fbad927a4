#include "app/views/view_renderer.h"

#include "app/views/tile_scene.h"

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

/// Paints a scene, if there is a painter for it.
template <class Painter, class Scene>
void paintWith(Painter* painter, const Scene& scene, const gl::Rect& where, int framebufferHeight) {
    if (painter != nullptr) painter->paint(scene, where, framebufferHeight);
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
        const TileScene shown = sceneOf(tile, runs, session, scale);
        if (const auto* rings = std::get_if<const scene::Scene*>(&shown)) {
            paintWith(painterFor(rings_, tile.view), **rings, tile.where, framebufferHeight);
        } else if (const auto* flat = std::get_if<const scene::FlatScene*>(&shown)) {
            paintWith(painterFor(flats_, tile.view), **flat, tile.where, framebufferHeight);
        } else if (const auto* space = std::get_if<const scene::SpaceScene*>(&shown)) {
            paintWith(painterFor(spaces_, tile.view), **space, tile.where, framebufferHeight);
        }
    }
}

}  // namespace whorl::app
