// All tiles of the window: pictures with what lies over them, their bars, and the borders between them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "app/panels/panels.h"
#include "app/panels/table_rows.h"
#include "app/panels/text_lines.h"
#include "app/panels/tiles/tile_frame.h"
#include "app/panels/widgets.h"
#include "app/session/compared_runs.h"
#include "sim/report/tables.h"

namespace whorl::app {

namespace {

/// What is known of the costs before the history is: a row for each line or region, the most cycles first.
std::optional<sim::Table> costsKnown(const PanelContext& c, const Tile& tile) {
    using Kind = ViewId::Kind;
    const sim::Run& run = *c.context.opened.run;
    if (!run.complete() || (tile.view.kind != Kind::sources && tile.view.kind != Kind::objects)) return std::nullopt;
    const auto measures = run.measures();
    if (!measures || !measures->ledger) return std::nullopt;
    const bool isOfLines = tile.view.kind == Kind::sources;
    return tableBy(isOfLines ? sim::Grouping::line : sim::Grouping::region, *measures, run.trace());
}

/// Bars of the rows that cost most, as many as there is room for.
void drawCostsKnown(const PanelContext& c, const Tile& tile, const sim::Table& table, float y) {
    constexpr std::size_t kMost = 8;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float line = 1.5f * ImGui::GetTextLineHeight();
    const float room = static_cast<float>(tile.where.y + tile.where.height) - y;
    const auto fitting = static_cast<std::size_t>(std::max(0.0f, room / line - 0.5f));
    const float left = static_cast<float>(tile.where.x) + 16 * c.scale;
    const float width = static_cast<float>(tile.where.width) - 32 * c.scale;
    const std::size_t cycles = sim::columnOf(table.columns, "cycles");
    for (std::size_t r = 0; r < std::min({kMost, fitting, table.rows.size()}); ++r, y += line) {
        const auto cost = std::get<std::uint64_t>(table.rows[r][cycles]);
        const double share = static_cast<double>(cost) /
                             std::max(1.0, static_cast<double>(std::get<std::uint64_t>(table.rows.front()[cycles])));
        ImVec4 ink = c.colours().accent;
        ink.w = 0.35f;
        list.AddRectFilled({left, y}, {left + width * static_cast<float>(share), y + 0.85f * line}, packed(ink), 3);
        if (c.places != nullptr) {
            c.places->add("cost of " + cellText(table.rows[r][0]), {left, y}, {left + width, y + line});
        }
        const std::string words =
            fmt::format("{}  {}", cellText(table.rows[r][0]), sim::counted(cost, "cycle", "cycles"));
        list.AddText({left + 6 * c.scale, y + 0.12f * line}, ImGui::GetColorU32(ImGuiCol_Text),
                     cutAtEnd(*ImGui::GetFont(), ImGui::GetFontSize(), width - 12 * c.scale, words).c_str());
    }
}

/// Explains why a view of a run's history is not available yet, in place of that view, above what is known of the
/// costs. `fraction`: see Views::fraction().
void drawHistoryPending(const PanelContext& c, const Tile& tile, double fraction) {
    std::string words = "The history is computed when the run is complete.";
    if (fraction >= 0) words = fmt::format("Computing the history of each block: {:.0f} %", 100 * fraction);
    const auto known = costsKnown(c, tile);
    if (known) words += fmt::format(". The access cycles by {}:", known->columns.front().heading);
    const auto width = static_cast<float>(tile.where.width);
    const auto height = static_cast<float>(tile.where.height);
    const float wrap = std::max(1.0f, width - 16 * c.scale);
    const ImVec2 size = ImGui::CalcTextSize(words.c_str(), nullptr, false, wrap);
    const float above = known ? std::min(height / 4, 60 * c.scale) : (height - size.y) / 2;
    const ImVec2 at(static_cast<float>(tile.where.x) + (width - size.x) / 2, static_cast<float>(tile.where.y) + above);
    ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, packed(c.colours().muted),
                                        words.c_str(), nullptr, wrap);
    if (known) drawCostsKnown(c, tile, *known, at.y + size.y + ImGui::GetTextLineHeight());
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
