#include "app/panels/mouse.h"

#include <algorithm>
#include <cmath>

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
    // The release of the second press must not count as a click.
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
    const scene::PixelBox highlighted{box.low + corner - 1, box.high + corner + 1};
    ImGui::GetWindowDrawList()->AddRect(
        {static_cast<float>(highlighted.low.x), static_cast<float>(highlighted.low.y)},
        {static_cast<float>(highlighted.high.x), static_cast<float>(highlighted.high.y)}, packed(c.colours().accent), 0,
        0, std::max(1.0f, c.scale));
    drawTooltip(c, lines, highlighted);
}

void showTime(const PanelContext& c, const scene::TimeSpan& span) {
    c.queue(command::TimeSeen{span.from, span.to});
}

double timeZoom(float notches) {
    return std::pow(1.4, static_cast<double>(notches));
}

bool actOnTime(const PanelContext& c, const TimePointer& pointer, bool movesHere) {
    TimeDrag& drag = c.edits.timeDrag;
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemHovered() && io.MouseWheel != 0 && pointer.zoomed)
        showTime(c, pointer.zoomed(timeZoom(io.MouseWheel)));
    if (ImGui::IsItemActivated()) {
        const bool selects = io.KeyShift || ImGui::IsMouseDown(ImGuiMouseButton_Right);
        // Two drags from the same place are no double click; a double click may follow a drag soon.
        const bool isSecond = ImGui::GetMouseClickedCount(ImGuiMouseButton_Left) >= 2 && !drag.moved && !selects;
        drag = {.kind = selects || !pointer.moved ? TimeDrag::Kind::range
                        : movesHere               ? TimeDrag::Kind::move
                                                  : TimeDrag::Kind::none,
                .anchor = std::round(pointer.here.from),
                .moved = isSecond && !pointer.isWhole,
                .clicks = !selects && ImGui::IsMouseDown(ImGuiMouseButton_Left),
                .before = isSecond ? drag.before : c.context.player.position()};
        if (drag.moved) {
            c.queue(command::TimeAll{});
            // The first of the two clicks has moved the playhead, which was not meant.
            if (c.context.player.position() != drag.before) c.queue(command::Seek{drag.before});
            return true;
        }
    }
    if (!ImGui::IsItemActive()) return false;
    const float moved = io.MouseDelta.x;
    // In a picture with rows of time, vertical movement counts, too.
    const bool isMoved = moved != 0 || (!pointer.moved && io.MouseDelta.y != 0);
    if (isMoved && (drag.moved || ImGui::IsMouseDragging(ImGuiMouseButton_Left, 3) ||
                    ImGui::IsMouseDragging(ImGuiMouseButton_Right, 3))) {
        drag.moved = true;
        const double end = pointer.here.from >= drag.anchor ? pointer.here.to : pointer.here.from;
        if (drag.kind == TimeDrag::Kind::range) c.queue(command::Range{drag.anchor, std::round(end)});
        if (drag.kind == TimeDrag::Kind::move) showTime(c, pointer.moved(moved));
    }
    return drag.kind != TimeDrag::Kind::none;
}

bool isTimeDragged(const PanelContext& c) {
    return c.edits.timeDrag.moved;
}

bool isTimeClick(const PanelContext& c) {
    return ImGui::IsItemDeactivated() && !c.edits.timeDrag.moved && c.edits.timeDrag.clicks;
}

}  // namespace whorl::app
