#include "app/panels/mouse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/labels.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

/// Pixels that the mouse moves before a press is a drag.
constexpr float kThreshold = 3;

/// What a press begins.
MouseDrag begun(const PanelContext& c, const Gestures& gestures) {
    const ImGuiIO& io = ImGui::GetIO();
    const MouseDrag& last = c.edits.drag;
    MouseDrag drag{.playhead = c.context.player.position()};
    drag.asks = ImGui::IsMouseDown(ImGuiMouseButton_Right);
    if (drag.asks) return drag;
    const bool isLeft = ImGui::IsMouseDown(ImGuiMouseButton_Left);
    // With Shift or Ctrl, or after a drag, two presses are not a double click.
    const bool isSecond = isLeft && ImGui::GetMouseClickedCount(ImGuiMouseButton_Left) >= 2 && !last.moved;
    if (isSecond && !io.KeyShift && !io.KeyCtrl && gestures.showAll) {
        gestures.showAll();
        // The first of the two clicks has moved the playhead, which was not meant.
        if (c.context.player.position() != last.playhead) c.queue(command::Seek{last.playhead});
        return {.moved = true, .playhead = last.playhead};
    }
    drag.clicks = isLeft;
    if (io.KeyShift) {
        if (gestures.time) drag.kind = MouseDrag::Kind::select;
        drag.anchor = gestures.time ? std::round(gestures.time->from) : 0;
    } else if (gestures.handle) {
        drag.kind = MouseDrag::Kind::carry;
        drag.handle = *gestures.handle;
        drag.clicks = isLeft && !drag.handle.atOnce;
    } else {
        const bool moves = gestures.move && !io.KeyCtrl;
        drag.kind = moves ? MouseDrag::Kind::move : MouseDrag::Kind::turn;
    }
    return drag;
}

/// The pixels that the mouse has been dragged since the last frame in which it was.
glm::vec2 draggedBy() {
    for (const ImGuiMouseButton button : {ImGuiMouseButton_Left, ImGuiMouseButton_Middle, ImGuiMouseButton_Right}) {
        if (!ImGui::IsMouseDragging(button, kThreshold)) continue;
        const ImVec2 way = ImGui::GetMouseDragDelta(button, kThreshold);
        ImGui::ResetMouseDragDelta(button);
        return {way.x, way.y};
    }
    return {0, 0};
}

void drag(const PanelContext& c, const Gestures& gestures) {
    MouseDrag& drag = c.edits.drag;
    const glm::vec2 way = draggedBy();
    const bool isMoved = way != glm::vec2(0);
    drag.moved = drag.moved || isMoved;
    if (drag.kind == MouseDrag::Kind::carry && gestures.carry && (isMoved || ImGui::IsItemActivated())) {
        if (drag.moved || drag.handle.atOnce) gestures.carry(drag.handle);
    }
    if (!isMoved) return;
    if (drag.kind == MouseDrag::Kind::select && gestures.time) {
        const double end = gestures.time->from >= drag.anchor ? gestures.time->to : gestures.time->from;
        c.queue(command::Range{drag.anchor, std::round(end)});
    }
    if (drag.kind == MouseDrag::Kind::move && gestures.move) gestures.move(way);
    if (drag.kind == MouseDrag::Kind::turn && gestures.turn) gestures.turn(way);
}

void showCursor(const Gestures& gestures, const MouseDrag& drag) {
    if (!ImGui::IsItemActive()) {
        if (gestures.handle) ImGui::SetMouseCursor(gestures.handle->cursor);
    } else if (drag.kind == MouseDrag::Kind::carry) {
        ImGui::SetMouseCursor(drag.handle.cursor);
    } else if (drag.kind == MouseDrag::Kind::move && drag.moved) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    }
}

}  // namespace

glm::ivec2 mouseIn(const Tile& tile) {
    const ImVec2 mouse = ImGui::GetMousePos();
    if (!ImGui::IsMousePosValid(&mouse)) return {-1, -1};
    return {static_cast<int>(mouse.x) - tile.where.x, static_cast<int>(mouse.y) - tile.where.y};
}

void takeMouse(const Tile& tile, const scene::PixelBox& box) {
    ImGui::SetCursorScreenPos(
        {static_cast<float>(tile.where.x + box.low.x), static_cast<float>(tile.where.y + box.low.y)});
    const std::string id = "picture " + wordOf(tile.view);
    ImGui::InvisibleButton(
        id.c_str(), {static_cast<float>(box.width()), static_cast<float>(box.height())},
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
}

bool usesMouse() {
    return ImGui::IsItemHovered() || ImGui::IsItemActive() || ImGui::IsItemDeactivated();
}

void act(const PanelContext& c, const Gestures& gestures) {
    const bool isOver = ImGui::IsItemHovered();
    if (const float notches = ImGui::GetIO().MouseWheel; isOver && notches != 0) {
        const auto& zoom = ImGui::GetIO().KeyCtrl ? gestures.zoomOther : gestures.zoom;
        if (zoom) zoom(notches);
    }
    MouseDrag& held = c.edits.drag;
    if (ImGui::IsItemActivated()) held = begun(c, gestures);
    if (ImGui::IsItemActive()) drag(c, gestures);
    const bool isUsed = ImGui::IsItemActive() && held.moved;
    if (isOver || isUsed) showCursor(gestures, held);
    if (ImGui::IsItemDeactivated() && held.clicks && !held.moved && gestures.click) gestures.click();
    const bool asks = ImGui::IsItemDeactivated() && held.asks && !held.moved;
    if (asks && isOver && gestures.ask && !c.session.talk.on) {
        c.edits.menu = {gestures.ask(), true};
    }
    if (isOver && !isUsed && gestures.tell) gestures.tell();
}

void clickOn(const PanelContext& c, const Hit& hit) {
    const bool isOther = ImGui::GetIO().KeyShift && hit.shift;
    if (hit.time && !isOther) c.queue(command::Seek{*hit.time});
    for (const Command& command : isOther ? *hit.shift : hit.click) c.queue(command);
}

void pickOrNone(const PanelContext& c, const std::optional<Hit>& hit) {
    if (hit) return clickOn(c, *hit);
    if (c.context.selected || c.context.viewSettings.hasPicks()) c.queue(command::SelectNone{});
}

MenuSubject subjectAt(const PanelContext& c, const Tile& tile, const std::optional<Hit>& hit,
                      const std::optional<double>& time) {
    MenuSubject subject{.view = tile.view, .time = time};
    if (c.context.viewSettings.shown.size() > 1) c.queue(command::ViewActive{tile.view.withoutRun()});
    if (!hit) return subject;
    const std::vector<std::string> lines = hit->describe();
    if (!lines.empty()) subject.name = lines.front();
    subject.next = hit->time;
    // The first command of a click is the one that picks, if any does.
    if (!hit->click.empty() && picksForMenu(hit->click.front())) c.queue(*(subject.pick = hit->click.front()));
    return subject;
}

std::vector<std::string> wordsOf(const Hit& hit) {
    std::vector<std::string> lines = hit.describe();
    if (hit.shift && !hit.shift->empty()) lines.push_back(fmt::format("Shift+click: {}", hit.shift->back().words()));
    return lines;
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

void addTime(const PanelContext& c, Gestures& gestures, const TimePointer& pointer) {
    gestures.time = pointer.here;
    gestures.zoom = [&](float notches) { showTime(c, pointer.zoomed(zoomFactor(notches))); };
    if (pointer.zoomedOther) {
        gestures.zoomOther = [&](float notches) { c.queue(pointer.zoomedOther(zoomFactor(notches))); };
    }
    if (pointer.isWhole) return;
    gestures.move = [&](glm::vec2 pixels) { showTime(c, pointer.moved(pixels)); };
    gestures.showAll = [&] { c.queue(command::TimeAll{}); };
}

void showTime(const PanelContext& c, const scene::TimeSpan& span) {
    c.queue(command::TimeSeen{span.from, span.to});
}

double zoomFactor(float notches) {
    return std::pow(1.3, static_cast<double>(notches));
}

}  // namespace whorl::app
