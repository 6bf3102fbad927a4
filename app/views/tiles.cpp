#include "app/views/tiles.h"

#include <algorithm>

namespace whorl::app {

namespace {

int share(int length, int parts, int gap) {
    return std::max(1, (length - (parts - 1) * gap) / parts);
}

int bestColumns(int count, const gl::Rect& canvas, int gap) {
    int best = 1;
    int largest = 0;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const int side = std::min(share(canvas.width, columns, gap), share(canvas.height, rows, gap));
        if (side > largest) {
            largest = side;
            best = columns;
        }
    }
    return best;
}

}  // namespace

std::vector<Tile> tilesOf(std::span<const ViewId> views, const gl::Rect& canvas, int gap) {
    std::vector<Tile> tiles;
    tiles.reserve(views.size());
    const int count = static_cast<int>(views.size());
    const int columns = bestColumns(count, canvas, gap);
    const int rows = (count + columns - 1) / std::max(1, columns);
    const int height = share(canvas.height, std::max(1, rows), gap);
    for (int i = 0; i < count; ++i) {
        const int row = i / columns;
        const int inRow = std::min(columns, count - row * columns);
        const int width = share(canvas.width, inRow, gap);
        const int column = i % columns;
        tiles.push_back({views[static_cast<std::size_t>(i)],
                         {canvas.x + column * (width + gap), canvas.y + row * (height + gap), width, height}});
    }
    return tiles;
}

std::vector<Tile> tilesOn(const Session& session, const gl::Rect& canvas, float scale) {
    const std::size_t runs = session.viewSettings.compares ? std::max<std::size_t>(1, session.openRuns().size()) : 1;
    std::vector<ViewId> views;
    for (const ViewId& view : session.viewSettings.shown) {
        for (std::size_t run = runs; run-- > 0;) {
            views.push_back(view);
            views.back().run = static_cast<std::uint8_t>(run);
        }
    }
    return tilesOf(views, canvas, std::max(1, static_cast<int>(2 * scale)));
}

gl::Rect ringsOf(std::span<const Tile> tiles, const gl::Rect& canvas, std::size_t run) {
    const ViewId rings{ViewId::Kind::rings, 0, static_cast<std::uint8_t>(run)};
    const auto tile = std::find_if(tiles.begin(), tiles.end(), [&](const Tile& t) { return t.view == rings; });
    return tile == tiles.end() ? canvas : tile->where;
}

}  // namespace whorl::app
