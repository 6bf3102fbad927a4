#include "app/panels/tiles/tile_frame.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace whorl::app {

namespace {

/// Shows in a tile's corner which of the compared runs it shows.
void drawRunOf(const PanelContext& c, const Tile& tile) {
    if (c.runs.size() < 2 || !c.session.viewSettings.compares) return;
    const bool isOpen = tile.view.run == 0;
    const char* const words = isOpen ? "with the changes" : "as it was";
    const float room = 10 * c.scale;
    const float right = static_cast<float>(tile.where.x + tile.where.width);
    const ImVec2 at(right - ImGui::CalcTextSize(words).x - room, static_cast<float>(tile.where.y) + room);
    ImGui::GetWindowDrawList()->AddText(at, packed(isOpen ? c.colours().accent : c.colours().muted), words);
}

}  // namespace

void drawTileFrame(const PanelContext& c, const Tile& tile) {
    if (c.session.viewSettings.shown.size() < 2 && c.runs.size() < 2) return;
    drawRunOf(c, tile);
    const ViewId view = tile.view.withoutRun();
    const bool isActive = view == c.session.viewSettings.active;
    const ImVec2 from(static_cast<float>(tile.where.x), static_cast<float>(tile.where.y));
    const ImVec2 to(from.x + static_cast<float>(tile.where.width), from.y + static_cast<float>(tile.where.height));
    const Theme colours = c.colours();
    ImGui::GetWindowDrawList()->AddRect(from, to, packed(isActive ? colours.accent : colours.selected), 0, 0,
                                        isActive ? 1.5f * c.scale : 1);
    const bool isOver = ImGui::IsMouseHoveringRect(from, to) &&
                        // The press has already activated the tile's own area.
                        ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    if (isOver && !isActive && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        c.queue(command::ViewActive{view});
    }
}

void drawHistoryPending(const PanelContext& c, const Tile& tile) {
    const RunView* run = c.runs.at(tile.view.run);
    std::string words = "The history is computed when the run is complete.";
    if (run != nullptr && run->fraction() >= 0) {
        words = fmt::format("Computing the history of each block: {:.0f} %", 100 * run->fraction());
    }
    const auto width = static_cast<float>(tile.where.width);
    const float wrap = std::max(1.0f, width - 16 * c.scale);
    const ImVec2 size = ImGui::CalcTextSize(words.c_str(), nullptr, false, wrap);
    const ImVec2 at(static_cast<float>(tile.where.x) + (width - size.x) / 2,
                    static_cast<float>(tile.where.y) + (static_cast<float>(tile.where.height) - size.y) / 2);
    ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, packed(c.colours().muted),
                                        words.c_str(), nullptr, wrap);
}

}  // namespace whorl::app
