#include "app/panels/tiles/tile_frame.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "app/panels/panels.h"
#include "app/panels/text_lines.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

constexpr const char* kHeld = "tile";  ///< what is dragged
constexpr float kReach = 3;            ///< half the width in which a border is taken hold of, pixels at scale 1
constexpr float kMinTile = 90;         ///< the length to which tiles are sized, pixels at scale 1
constexpr float kMargin = 0.6f;        ///< before the title, in heights of the text

ImVec2 cornerOf(const gl::Rect& rect) {
    return {static_cast<float>(rect.x), static_cast<float>(rect.y)};
}
ImVec2 endOf(const gl::Rect& rect) {
    return {static_cast<float>(rect.x + rect.width), static_cast<float>(rect.y + rect.height)};
}

bool isAlone(const PanelContext& c) {
    return !c.context.viewSettings.aside.empty();
}

bool isActive(const PanelContext& c, const ViewId& view) {
    // With a single view, every tile would be marked as active; an audience sees no mark.
    const ViewSettings& settings = c.context.viewSettings;
    return view.withoutRun() == settings.active && settings.shown.size() > 1 && !c.session.onStage();
}

float widthOf(const PanelContext& c, const scene::Label& label) {
    return c.fonts.body->CalcTextSizeA(label.size, FLT_MAX, 0, label.text.c_str()).x;
}

bool isCorner(const scene::Label& label) {
    return label.kind == scene::Label::Kind::corner;
}

/// Whether a text lies in the bar at the top of its picture.
bool isInBar(const Tile& tile, const scene::Label& label) {
    const float middle = label.at.y + (isCorner(label) ? label.size / 2 : 0);
    return tile.bar > 0 && tile.where.y == tile.barRect().y && middle < static_cast<float>(tile.bar);
}

/// A small tile has fewer buttons, and the smallest none.
int buttonsOf(const PanelContext& c, const Tile& tile) {
    if (c.isSaved || tile.bar <= 0) return 0;
    return std::clamp((tile.where.width - 2 * tile.bar) / (2 * tile.bar), 0, 2);
}

/// A button in the bar, the n-th from its right end.
bool barButton(const PanelContext& c, const Tile& tile, int n, const std::string& name, const std::string& help) {
    const gl::Rect bar = tile.barRect();
    const auto side = static_cast<float>(bar.height);
    ImGui::SetCursorScreenPos({endOf(bar).x - static_cast<float>(n + 1) * side, cornerOf(bar).y});
    const bool isPressed = ImGui::InvisibleButton(name.c_str(), {side, side});
    nameItem(c, fmt::format("{} {}", name, wordOf(tile.view)));
    hint(help);
    return isPressed;
}

/// The sign of the last item: a cross to close, a square for alone, a smaller one for all again.
void drawSign(const PanelContext& c, bool isCross, float share) {
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const ImVec2 middle(std::floor((low.x + high.x) / 2) + 0.5f, std::floor((low.y + high.y) / 2) + 0.5f);
    const float r = std::round(share * (high.y - low.y));
    const ImU32 ink = packed(ImGui::IsItemHovered() ? c.colours().text : c.colours().muted);
    const float thick = std::max(1.0f, 1.2f * c.scale);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (!isCross) return list.AddRect({middle.x - r, middle.y - r}, {middle.x + r, middle.y + r}, ink, 0, 0, thick);
    list.AddLine({middle.x - r, middle.y - r}, {middle.x + r, middle.y + r}, ink, thick);
    list.AddLine({middle.x - r, middle.y + r}, {middle.x + r, middle.y - r}, ink, thick);
}

void drawButtons(const PanelContext& c, const Tile& tile) {
    const ViewId view = tile.view.withoutRun();
    const int count = buttonsOf(c, tile);
    if (count > 0) {
        if (barButton(c, tile, 0, "close", "close this view")) c.queue(command::View{view});
        drawSign(c, true, 0.2f);
    }
    if (count > 1) {
        const std::string help =
            withKey(isAlone(c) ? "show all views again" : "show this view alone", command::ViewAlone{});
        if (barButton(c, tile, 1, "alone", help)) showAlone(c, view);
        drawSign(c, false, isAlone(c) ? 0.12f : 0.2f);
    }
}

/// The title as the handle of the tile.
void drawHandle(const PanelContext& c, const Tile& tile, const std::string& title) {
    const gl::Rect bar = tile.barRect();
    const ViewId view = tile.view.withoutRun();
    ImGui::SetCursorScreenPos(cornerOf(bar));
    const ImVec2 size(std::max(1.0f, titleRoom(c, tile)), static_cast<float>(bar.height));
    ImGui::InvisibleButton("title", size, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    nameItem(c, "title " + wordOf(tile.view));
    const bool isHeld = ImGui::IsItemActive() || ImGui::GetDragDropPayload() != nullptr;
    if (!isHeld)
        hint(isAlone(c) ? "double click: show all views again" : "drag: move this view; double click: show it alone");
    if (ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) showAlone(c, view);
    }
    if (!isAlone(c) && ImGui::IsMouseDown(ImGuiMouseButton_Left) && ImGui::BeginDragDropSource()) {
        ImGui::SetDragDropPayload(kHeld, &view, sizeof view);
        ImGui::TextUnformatted(title.c_str());
        ImGui::EndDragDropSource();
    }
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) c.edits.menu = {{.name = title, .view = view}, true};
}

}  // namespace

void showAlone(const PanelContext& c, const ViewId& view) {
    if (view != c.context.viewSettings.active) c.queue(command::ViewActive{view});
    c.queue(command::ViewAlone{});
}

float titleRoom(const PanelContext& c, const Tile& tile) {
    return static_cast<float>(tile.where.width - buttonsOf(c, tile) * tile.bar);
}

void drawTileBar(const PanelContext& c, const Tile& tile, const std::vector<scene::Label>& labels) {
    if (tile.bar <= 0) return;
    const gl::Rect bar = tile.barRect();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(cornerOf(bar), endOf(bar),
                       packed(isActive(c, tile.view) ? c.colours().selected : c.colours().panel));
    const std::string title = titleOf(tile.view.withoutRun(), c.machine());
    const bool isThere = std::ranges::any_of(labels, [&](const auto& l) { return isCorner(l) && isInBar(tile, l); });
    if (!isThere) {
        const float size = viewText(c.scale);
        const float left = std::round(kMargin * size);
        const std::string shown = cutAtEnd(*c.fonts.body, size, titleRoom(c, tile) - left, title);
        const ImVec2 at(cornerOf(bar).x + left,
                        std::round(cornerOf(bar).y + (static_cast<float>(bar.height) - size) / 2));
        list.AddText(c.fonts.body, size, at, packed(c.colours().text), shown.c_str());
    }
    if (c.isSaved) return;
    ImGui::PushID(wordOf(tile.view).c_str());
    drawHandle(c, tile, title);
    drawButtons(c, tile);
    ImGui::PopID();
}

std::vector<scene::Label> labelsUnderBar(const PanelContext& c, const Tile& tile, std::vector<scene::Label> labels) {
    const float room = titleRoom(c, tile);
    for (scene::Label& label : labels) {
        if (!isInBar(tile, label)) continue;
        label.at.y = std::round((static_cast<float>(tile.bar) - (isCorner(label) ? label.size : 0)) / 2);
        const float width = widthOf(c, label);
        const float left = label.at.x - (isCorner(label) ? 0 : width / 2);
        if (left + width <= room) continue;
        // What follows the title is left out before it is cut to nothing.
        const bool isCut = isCorner(label) && (&label == &labels.front() || left + 3 * label.size < room);
        label.text = isCut ? cutAtEnd(*c.fonts.body, label.size, room - left, label.text) : std::string();
    }
    std::erase_if(labels, [](const scene::Label& label) { return label.text.empty(); });
    return labels;
}

void drawTileFrame(const PanelContext& c, const Tile& tile) {
    if (c.context.viewSettings.shown.size() < 2 && c.runs.size() < 2) return;
    const bool active = isActive(c, tile.view);
    const ImVec2 from = cornerOf(tile.whole());
    const ImVec2 to = endOf(tile.whole());
    const Theme colours = c.colours();
    ImGui::GetWindowDrawList()->AddRect(from, to, packed(active ? colours.accent : colours.selected), 0, 0,
                                        active ? 1.5f * c.scale : 1);
    const bool isOver = ImGui::IsMouseHoveringRect(from, to) &&
                        // The press has already activated the tile's own area.
                        ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    if (isOver && !active && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        c.queue(command::ViewActive{tile.view.withoutRun()});
    }
}

namespace {

/// Sizes the tiles at a border that is held.
void carryBorder(const PanelContext& c, const MovableBorder& border) {
    const auto along = [&](glm::ivec2 p) { return static_cast<float>(border.isUpright ? p.x : p.y); };
    const float gap = along(border.where.high) - along(border.where.low);
    const float room = along(border.both.high) - along(border.both.low) - gap;
    if (room < 2) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const float least = std::min(kMinTile * c.scale, room / 2);
    const float at = (border.isUpright ? mouse.x : mouse.y) - gap / 2 - along(border.both.low);
    const float first = std::clamp(std::round(at), least, room - least);
    const float now = along(border.where.low) - along(border.both.low);
    const auto number = static_cast<std::uint32_t>(border.number);
    if (std::abs(first - now) >= 1) c.queue(command::TileBorder{number, static_cast<double>(first / room)});
}

}  // namespace

void drawTileBorders(const PanelContext& c, std::span<const Tile> tiles, const gl::Rect& canvas) {
    if (c.isSaved) return;
    for (const MovableBorder& border : bordersOn(c.session, tiles, canvas, c.scale)) {
        const float reach = kReach * c.scale;
        ImVec2 from(static_cast<float>(border.where.low.x), static_cast<float>(border.where.low.y));
        ImVec2 to(static_cast<float>(border.where.high.x), static_cast<float>(border.where.high.y));
        const ImVec2 line[] = {from, to};
        (border.isUpright ? from.x : from.y) -= reach;
        (border.isUpright ? to.x : to.y) += reach;
        const std::string name = fmt::format("border {}", border.number);
        ImGui::SetCursorScreenPos(from);
        ImGui::InvisibleButton(name.c_str(), {std::max(1.0f, to.x - from.x), std::max(1.0f, to.y - from.y)});
        nameItem(c, name);
        if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) continue;
        ImGui::SetMouseCursor(border.isUpright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
        ImGui::GetForegroundDrawList()->AddRectFilled(line[0], line[1], packed(c.colours().accent));
        const bool isEqualised = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
        if (isEqualised) c.queue(command::TileBorder{static_cast<std::uint32_t>(border.number), 0.5});
        if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1)) carryBorder(c, border);
    }
}

namespace {

/// The tile that is held by its title.
std::optional<ViewId> heldTile() {
    const ImGuiPayload* const held = ImGui::GetDragDropPayload();
    if (held == nullptr || !held->IsDataType(kHeld)) return std::nullopt;
    return *static_cast<const ViewId*>(held->Data);
}

/// Where a tile is put that is dropped at a point of another one: near an edge beside it, else in its place.
TileSide sideAt(ImVec2 from, ImVec2 to, ImVec2 at) {
    constexpr float kNear = 0.3f;
    const float x = (at.x - from.x) / (to.x - from.x);
    const float y = (at.y - from.y) / (to.y - from.y);
    const auto [nearest, side] = std::min({std::pair(x, TileSide::left), std::pair(1 - x, TileSide::right),
                                           std::pair(y, TileSide::above), std::pair(1 - y, TileSide::below)});
    return nearest < kNear ? side : TileSide::swap;
}

void drawZone(const PanelContext& c, ImVec2 from, ImVec2 to, TileSide side) {
    const ImVec2 middle((from.x + to.x) / 2, (from.y + to.y) / 2);
    if (side == TileSide::left) to.x = middle.x;
    if (side == TileSide::right) from.x = middle.x;
    if (side == TileSide::above) to.y = middle.y;
    if (side == TileSide::below) from.y = middle.y;
    ImVec4 inside = c.colours().accent;
    inside.w = 0.25f;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(from, to, packed(inside));
    list.AddRect(from, to, packed(c.colours().accent), 0, 0, 2 * c.scale);
}

}  // namespace

void dropTile(const PanelContext& c, std::span<const Tile> tiles) {
    const auto held = heldTile();
    if (!held) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    for (const Tile& tile : tiles) {
        const ViewId target = tile.view.withoutRun();
        const ImVec2 from = cornerOf(tile.whole());
        const ImVec2 to = endOf(tile.whole());
        const bool isOver = mouse.x >= from.x && mouse.x < to.x && mouse.y >= from.y && mouse.y < to.y;
        if (!isOver || target == *held) continue;
        const TileSide side = sideAt(from, to, mouse);
        drawZone(c, from, to, side);
        if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) c.queue(command::TileMove{*held, side, target});
    }
}

bool endTileDrag() {
    if (!heldTile()) return false;
    ImGui::ClearDragDrop();
    ImGui::ClearActiveID();
    return true;
}

}  // namespace whorl::app
