#include "app/panels/tiles/tile_frame.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace whorl::app {

void drawTileFrame(const PanelContext& c, const Tile& tile) {
    if (c.context.viewSettings.shown.size() < 2 && c.runs.size() < 2) return;
    const ViewId view = tile.view.withoutRun();
    // Of a single view every tile would be the active one; to an audience none is.
    const bool isActive =
        view == c.context.viewSettings.active && c.context.viewSettings.shown.size() > 1 && !c.session.onStage();
    const ImVec2 from(static_cast<float>(tile.where.x), static_cast<float>(tile.where.y - tile.heading));
    const ImVec2 to(from.x + static_cast<float>(tile.where.width),
                    static_cast<float>(tile.where.y + tile.where.height));
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

}  // namespace whorl::app
