// All tiles of the window: pictures with what lies over them, their bars, and the borders between them.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>

#include "app/panels/panels.h"
#include "app/panels/tiles/tile_frame.h"
#include "app/panels/widgets.h"
#include "app/session/compared_runs.h"

namespace whorl::app {

namespace {

/// Explains why a view of a run's history is not available yet, in place of that view. `fraction`: see
/// Views::fraction().
void drawHistoryPending(const PanelContext& c, const Tile& tile, double fraction) {
    std::string words = "The history is computed when the run is complete.";
    if (fraction >= 0) words = fmt::format("Computing the history of each block: {:.0f} %", 100 * fraction);
    const auto width = static_cast<float>(tile.where.width);
    const float wrap = std::max(1.0f, width - 16 * c.scale);
    const ImVec2 size = ImGui::CalcTextSize(words.c_str(), nullptr, false, wrap);
    const ImVec2 at(static_cast<float>(tile.where.x) + (width - size.x) / 2,
                    static_cast<float>(tile.where.y) + (static_cast<float>(tile.where.height) - size.y) / 2);
    ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, packed(c.colours().muted),
                                        words.c_str(), nullptr, wrap);
}

void drawTile(const PanelContext& c, const Tile& tile) {
    RunView* const run = c.runs.at(tile.view.run);
    if (run == nullptr) return;
    Views& views = run->views(tile.view);
    const glm::ivec2 size(tile.where.width, tile.where.height);
    const TileScene picture = views.pictureOf({tile.view, c.context, size, c.scale});
    const auto* const space = std::get_if<const scene::SpaceScene*>(&picture);
    const auto* const flat = std::get_if<const scene::FlatScene*>(&picture);
    static const std::vector<scene::Label> kNone;
    drawTileBar(c, tile, space != nullptr ? (*space)->labels : flat != nullptr ? (*flat)->labels : kNone);
    if (std::holds_alternative<const scene::Scene*>(picture)) {
        drawRingsTile(c, tile);
    } else if (space != nullptr) {
        drawSpaceTile(c, tile, **space);
    } else if (flat != nullptr) {
        drawFlatTile(c, tile, views, **flat);
    } else if (tile.view.needsHistory()) {
        drawHistoryPending(c, tile, views.fraction(tile.view));
    }
}

void drawTileOfRun(const PanelContext& c, const Tile& tile) {
    if (tile.view.run == 0) return drawTile(c, tile);
    const RunContext context = contextOf(c.session, tile.view.run);
    const PanelContext ofRun{.session = c.session,
                             .context = context,
                             .opening = c.opening,
                             .runs = c.runs,
                             .results = c.results,
                             .fonts = c.fonts,
                             .scale = c.scale,
                             .commands = c.commands,
                             .edits = c.edits,
                             .places = c.places,
                             .run = tile.view.run,
                             .offers = c.offers};
    drawTile(ofRun, tile);
}

}  // namespace

void drawTiles(const PanelContext& c, const gl::Rect& canvas) {
    drawDifferences(c, canvas);
    const std::vector<Tile> tiles = tilesOn(c.session, canvas, c.scale);
    drawTileBorders(c, tiles, canvas);
    for (const Tile& tile : tiles) {
        drawTileOfRun(c, tile);
        drawTileHeading(c, tile);
        drawTileFrame(c, tile);
        if (c.places == nullptr) continue;
        const ImVec2 from(static_cast<float>(tile.where.x), static_cast<float>(tile.where.y));
        c.places->add("tile " + wordOf(tile.view), from,
                      {from.x + static_cast<float>(tile.where.width), from.y + static_cast<float>(tile.where.height)});
    }
    dropTile(c, tiles);
}

}  // namespace whorl::app
