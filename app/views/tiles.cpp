#include "app/views/tiles.h"

#include <algorithm>

#include "app/session/compared_runs.h"

namespace whorl::app {

namespace {

int share(int length, int parts, int gap) {
    return std::max(1, (length - (parts - 1) * gap) / parts);
}

scene::PixelBox boxOf(const gl::Rect& rect) {
    return {{rect.x, rect.y}, {rect.x + rect.width, rect.y + rect.height}};
}

gl::Rect rectOf(const scene::PixelBox& box) {
    return {box.low.x, box.low.y, box.width(), box.height()};
}

}  // namespace

gl::Rect Tile::whole() const {
    const int above = heading + (barRect().y < where.y ? bar : 0);
    return {where.x, where.y - above, where.width, where.height + above};
}

gl::Rect Tile::barRect() const {
    const bool isAbove = view.kind == ViewId::Kind::rings;
    return {where.x, isAbove ? where.y - bar : where.y, where.width, bar};
}

std::vector<Tile> tilesOf(std::span<const ViewId> views, const gl::Rect& canvas, int gap, int together) {
    std::vector<Tile> tiles;
    tiles.reserve(views.size());
    const int count = static_cast<int>(views.size());
    const int columns = automaticColumns(count, {canvas.width, canvas.height}, gap, together);
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

int tileGap(float scale) {
    return std::max(1, static_cast<int>(2 * scale));
}

namespace {

/// The runs whose pictures are shown, in their order.
std::vector<std::size_t> shownRuns(const Session& session) {
    std::vector<std::size_t> runs = orderOfRuns(session);
    if (!isCompared(session) && runs.size() > 1) runs = {session.exchanged ? std::size_t{1} : std::size_t{0}};
    if (runs.empty()) runs = {0};
    return runs;
}

std::vector<ViewId> ofRuns(const ViewId& view, const std::vector<std::size_t>& runs) {
    std::vector<ViewId> views(runs.size(), view);
    for (std::size_t i = 0; i < runs.size(); ++i) views[i].run = static_cast<std::uint8_t>(runs[i]);
    return views;
}

/// Gives tiles of compared runs, which fill an area in rows, one size and headings. They get the size also in a last
/// row with room to spare, so that they have the same scale.
void compare(std::vector<Tile>& tiles, int left, int gap, int heading) {
    const int width = tiles.front().where.width;
    int y = tiles.front().where.y;
    int column = 0;
    for (Tile& tile : tiles) {
        column = tile.where.y == y ? column : 0;
        y = tile.where.y;
        tile.where.x = left + column++ * (width + gap);
        tile.where.width = width;
        tile.heading = std::min(heading, tile.where.height - 1);
        tile.where.y += tile.heading;
        tile.where.height -= tile.heading;
    }
}

/// The rings have their bar above them, in other pictures their title leaves room for it.
void addBar(Tile& tile, float scale) {
    constexpr float kBar = 23;
    tile.bar = std::min(static_cast<int>(kBar * scale), tile.where.height - 1);
    if (tile.view.kind != ViewId::Kind::rings) return;
    tile.where.y += tile.bar;
    tile.where.height -= tile.bar;
}

}  // namespace

std::vector<Tile> tilesOn(const Session& session, const gl::Rect& canvas, float scale) {
    const std::vector<std::size_t> runs = shownRuns(session);
    const auto together = static_cast<int>(runs.size());
    const ViewSettings& settings = session.viewSettings;
    const gl::Rect room = underHeadings(session, canvas, scale);
    const int gap = tileGap(scale);
    const int heading = isCompared(session) ? headingHeight(session, scale) : 0;
    std::vector<Tile> all;
    const auto add = [&](const std::vector<ViewId>& views, const gl::Rect& where) {
        std::vector<Tile> tiles = tilesOf(views, where, gap, together);
        if (heading > 0) compare(tiles, where.x, gap, heading);
        all.insert(all.end(), tiles.begin(), tiles.end());
    };
    if (settings.arrangement && settings.shown.size() > 1) {
        const TileTree tree = withViews(*settings.arrangement, settings.shown, {room.width, room.height});
        for (const PlacedView& placed : placedViews(tree, boxOf(room), gap)) {
            add(ofRuns(placed.view, runs), rectOf(placed.where));
        }
    } else {
        std::vector<ViewId> views;
        for (const ViewId& view : settings.shown) {
            const std::vector<ViewId> each = ofRuns(view, runs);
            views.insert(views.end(), each.begin(), each.end());
        }
        add(views, room);
    }
    if (session.framesTiles()) {
        for (Tile& tile : all) addBar(tile, scale);
    }
    return all;
}

std::vector<MovableBorder> bordersOn(const Session& session, std::span<const Tile> tiles, const gl::Rect& canvas,
                                     float scale) {
    std::vector<MovableBorder> borders;
    if (!session.framesTiles() || session.viewSettings.shown.size() < 2) return borders;
    const gl::Rect room = underHeadings(session, canvas, scale);
    const auto together = static_cast<int>(shownRuns(session).size());
    const TileTree tree = session.viewSettings.tiles({room.width, room.height}, together);
    std::size_t number = 0;
    for (const TileBorder& border : bordersOf(tree, boxOf(room), tileGap(scale))) {
        const glm::ivec2 middle = (border.where.low + border.where.high) / 2;
        const auto crosses = [&](const Tile& tile) {
            const scene::PixelBox box = boxOf(tile.whole());
            const scene::PixelBox inner{box.low + 2, box.high - 2};
            return inner.contains(middle);
        };
        if (std::ranges::none_of(tiles, crosses)) borders.push_back({border, number});
        ++number;
    }
    return borders;
}

gl::Rect ringsOf(std::span<const Tile> tiles, const gl::Rect& canvas, std::size_t run) {
    const ViewId rings{ViewId::Kind::rings, 0, static_cast<std::uint8_t>(run)};
    const auto tile = std::find_if(tiles.begin(), tiles.end(), [&](const Tile& t) { return t.view == rings; });
    return tile == tiles.end() ? canvas : tile->where;
}

}  // namespace whorl::app
