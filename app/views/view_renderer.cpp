#include "app/views/view_renderer.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "app/views/run_views.h"

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

/// Puts another colour behind a picture.
template <class Scene>
void setGround(Scene& scene, scene::Rgba ground) {
    scene.background = ground;
}
void setGround(scene::FlatScene& scene, scene::Rgba ground) {
    const scene::Rgba own = std::exchange(scene.background, ground);
    const glm::ivec2 size(scene.raster.width(), scene.raster.height());
    const std::vector<scene::Rgba> pixels = scene.raster.pixels();
    scene.raster = scene::Raster(size, ground);
    for (int y = 0; y < size.y; ++y) {
        for (int x = 0, until = 0; x < size.x; x = until) {
            const scene::Rgba colour = pixels[std::size_t(y) * std::size_t(size.x) + std::size_t(x)];
            until = x + 1;
            while (until < size.x && pixels[std::size_t(y) * std::size_t(size.x) + std::size_t(until)] == colour)
                ++until;
            if (!(colour == own)) scene.raster.fill({{x, y}, {until, y + 1}}, colour);
        }
    }
}

/// Paints a scene, if there is a painter for it.
template <class Painter, class Scene>
void paintWith(Painter* painter, const Scene& scene, const gl::Rect& where, int framebufferHeight,
               const std::optional<scene::Rgba>& ground) {
    if (painter == nullptr) return;
    if (!ground || *ground == scene.background) return painter->paint(scene, where, framebufferHeight);
    Scene copy = scene;
    setGround(copy, *ground);
    painter->paint(copy, where, framebufferHeight);
}

}  // namespace

sim::Expected<std::unique_ptr<ViewRenderer>> ViewRenderer::create() {
    std::unique_ptr<ViewRenderer> viewRenderer(new ViewRenderer);
    auto rings = WHORL_TRY(gl::Painter::create());
    viewRenderer->rings_[ViewId{}] = std::move(rings);
    // Created now to find out whether its shaders compile.
    auto space = WHORL_TRY(gl::SpacePainter::create());
    viewRenderer->spaces_[ViewId{ViewId::Kind::sources}] = std::move(space);
    auto flat = WHORL_TRY(gl::FlatPainter::create());
    viewRenderer->flats_[ViewId{ViewId::Kind::memory}] = std::move(flat);
    return viewRenderer;
}

void ViewRenderer::paint(std::span<const Tile> tiles, const RunViews& runs, const Session& session, float scale,
                         int framebufferHeight, std::optional<scene::Rgba> ground) {
    for (const Tile& tile : tiles) {
        const TileScene shown = sceneOf(tile, runs, session, scale);
        if (const auto* rings = std::get_if<const scene::Scene*>(&shown)) {
            paintWith(painterFor(rings_, tile.view), **rings, tile.where, framebufferHeight, ground);
        } else if (const auto* flat = std::get_if<const scene::FlatScene*>(&shown)) {
            paintWith(painterFor(flats_, tile.view), **flat, tile.where, framebufferHeight, ground);
        } else if (const auto* space = std::get_if<const scene::SpaceScene*>(&shown)) {
            paintWith(painterFor(spaces_, tile.view), **space, tile.where, framebufferHeight, ground);
        }
    }
}

}  // namespace whorl::app
