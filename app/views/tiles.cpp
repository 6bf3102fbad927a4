#include "app/views/tiles.h"

#include <algorithm>

#include "app/session/compared_runs.h"

namespace whorl::app {

namespace {

int share(int length, int parts, int gap) {
    return std::max(1, (length - (parts - 1) * gap) / parts);
}

int bestColumns(int count, const gl::Rect& canvas, int gap, int together) {
    int best = 1;
    int largest = 0;
    for (int columns = 1; columns <= count; ++columns) {
        if (columns % together != 0 && together % columns != 0 && count > together) continue;
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

std::vector<Tile> tilesOf(std::span<const ViewId> views, const gl::Rect& canvas, int gap, int together) {
    std::vector<Tile> tiles;
    tiles.reserve(views.size());
    const int count = static_cast<int>(views.size());
    const int columns = bestColumns(count, canvas, gap, together);
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

bool isCompared(const Session& session) {
    return session.compares();
}

bool captionCompares(const Session& session) {
    return isCompared(session) && !session.panels && session.caption;
}

bool hasTitleAlone(const Session& session) {
    return captionCompares(session) && session.openRuns().size() == 2;
}

gl::Rect underHeadings(const Session& session, const gl::Rect& canvas, float scale) {
    gl::Rect rest = canvas;
    if (session.openRuns().size() < 2) return rest;
    const int words = isCompared(session) && !captionCompares(session) ? headingHeight(session, scale) : 0;
    const int controls = session.panels ? controlRowHeight(scale) : 0;
    rest.height = std::max(1, rest.height - words - controls);
    return rest;
}

int headingHeight(const Session& session, float scale) {
    return static_cast<int>((hasTitleAlone(session) ? 24 : 40) * scale);
}

int controlRowHeight(float scale) {
    return static_cast<int>(28 * scale);
}

std::vector<Tile> tilesOn(const Session& session, const gl::Rect& canvas, float scale) {
    const bool compared = isCompared(session);
    std::vector<std::size_t> runs = orderOfRuns(session);
    if (!compared && runs.size() > 1) runs = {session.exchanged ? std::size_t{1} : std::size_t{0}};
    if (runs.empty()) runs = {0};
    std::vector<ViewId> views;
    for (const ViewId& view : session.viewSettings.shown) {
        for (const std::size_t run : runs) {
            views.push_back(view);
            views.back().run = static_cast<std::uint8_t>(run);
        }
    }
    const int gap = std::max(1, static_cast<int>(2 * scale));
    std::vector<Tile> tiles = tilesOf(views, underHeadings(session, canvas, scale), gap, static_cast<int>(runs.size()));
    if (!compared) return tiles;
    // All tiles get one size, also in a last row with room to spare, so that they have the same scale.
    const int width = tiles.front().where.width;
    int y = tiles.front().where.y;
    int column = 0;
    const int heading = headingHeight(session, scale);
    for (Tile& tile : tiles) {
        column = tile.where.y == y ? column : 0;
        y = tile.where.y;
        tile.where.x = canvas.x + column++ * (width + gap);
        tile.where.width = width;
        const int height = std::min(heading, tile.where.height - 1);
        tile.where.y += height;
        tile.where.height -= height;
        tile.heading = height;
    }
    return tiles;
}

gl::Rect ringsOf(std::span<const Tile> tiles, const gl::Rect& canvas, std::size_t run) {
    const ViewId rings{ViewId::Kind::rings, 0, static_cast<std::uint8_t>(run)};
    const auto tile = std::find_if(tiles.begin(), tiles.end(), [&](const Tile& t) { return t.view == rings; });
    return tile == tiles.end() ? canvas : tile->where;
}

}  // namespace whorl::app
