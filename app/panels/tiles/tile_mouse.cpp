#include "app/panels/tiles/tile_mouse.h"

#include <algorithm>
#include <string>

#include "app/panels/labels.h"
#include "app/panels/widgets.h"

namespace whorl::app {

glm::ivec2 mouseIn(const Tile& tile) {
    const ImVec2 mouse = ImGui::GetMousePos();
    if (!ImGui::IsMousePosValid(&mouse)) return {-1, -1};
    return {static_cast<int>(mouse.x) - tile.where.x, static_cast<int>(mouse.y) - tile.where.y};
}

bool takeMouse(const Tile& tile, const scene::PixelBox& box) {
    ImGui::SetCursorPos({static_cast<float>(tile.where.x + box.low.x), static_cast<float>(tile.where.y + box.low.y)});
    const std::string id = "picture " + wordOf(tile.view);
    return ImGui::InvisibleButton(
        id.c_str(), {static_cast<float>(box.width()), static_cast<float>(box.height())},
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
}

bool beginsDoubleClick(const PanelContext& c) {
    if (!ImGui::IsItemClicked()) return false;
    const bool follows = ImGui::GetMouseClickedCount(ImGuiMouseButton_Left) >= 2 && !ImGui::GetIO().KeyShift;
    // Its release is no click.
    c.edits.dragged = follows && !c.edits.dragged;
    return c.edits.dragged;
}

void clickOn(const PanelContext& c, const Hit& hit) {
    const bool isOther = ImGui::GetIO().KeyShift && hit.shift;
    if (hit.time && !isOther) c.queue(command::Seek{*hit.time});
    for (const Command& command : isOther ? *hit.shift : hit.click) c.queue(command);
}

void tellOf(const PanelContext& c, const Tile& tile, const scene::PixelBox& box,
            const std::vector<std::string>& lines) {
    const glm::ivec2 corner(tile.where.x, tile.where.y);
    const scene::PixelBox lit{box.low + corner - 1, box.high + corner + 1};
    ImGui::GetWindowDrawList()->AddRect({static_cast<float>(lit.low.x), static_cast<float>(lit.low.y)},
                                        {static_cast<float>(lit.high.x), static_cast<float>(lit.high.y)},
                                        packed(c.colours().accent), 0, 0, std::max(1.0f, c.scale));
    drawTooltip(c, lines, lit);
}

}  // namespace whorl::app
