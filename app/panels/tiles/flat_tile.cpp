#include "app/panels/tiles/flat_tile.h"

#include <fmt/format.h>

#include <cmath>

#include "app/panels/labels.h"
#include "app/panels/tiles/tile_controls.h"
#include "app/panels/tiles/tile_mouse.h"
#include "app/panels/time_mouse.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

class FlatMouse {
  public:
    FlatMouse(const PanelContext& c, const Tile& tile, Views& views, const ViewQuery& query)
        : c_(c), tile_(tile), views_(views), query_(query), at_(mouseIn(tile)) {}

    /// `pressed`: a button was pressed and released on the picture.
    void act(bool pressed) const {
        if (const auto plane = views_.planeAt(query_, at_)) return actOnPlane(*plane, pressed);
        if (const auto time = views_.timeAt(query_, at_)) {
            const bool isUsed = actOnTime(c_, *time, true);
            if (isTimeClick(c_)) clickAt(*time);
            if (isUsed && isTimeDragged(c_)) return;
        } else if (pressed && ImGui::IsMouseReleased(ImGuiMouseButton_Left)) {
            if (const auto hit = views_.hitAt(query_, at_)) clickOn(c_, *hit);
        }
        if (ImGui::IsItemHovered()) describe(views_.hitAt(query_, at_));
    }

    /// Records for tests what can be clicked where.
    void namePlaces() const {
        if (c_.places == nullptr || !c_.places->scans()) return;
        c_.places->scan(tile_.where, [&](glm::vec2 at) {
            const auto hit = views_.hitAt(query_, glm::ivec2(at));
            if (hit && hit->time) return Command(c_.ofOpenRun(command::Seek{*hit->time})).text();
            return hit && !hit->click.empty() ? hit->click.front().text() : std::string();
        });
    }

  private:
    void actOnPlane(const PlanePointer& plane, bool pressed) const {
        const bool isDoubleClick = beginsDoubleClick(c_);
        if (ImGui::IsItemClicked()) c_.edits.movesInset = plane.isInset;
        if (c_.edits.movesInset && ImGui::IsItemActive()) {
            if (const auto centred = plane.centred()) c_.queue(*centred);
            return;
        }
        if (drag(plane) || !ImGui::IsItemHovered()) return;
        const float notches = ImGui::GetIO().MouseWheel;
        if (notches != 0) c_.queue(plane.zoomed(notches > 0 ? 1 : -1));
        if (isDoubleClick) return c_.queue(plane.fitted);
        const auto hit = views_.hitAt(query_, at_);
        const bool isClick = pressed && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !c_.edits.dragged;
        if (hit && isClick) clickOn(c_, *hit);
        describe(hit);
    }

    bool drag(const PlanePointer& plane) const {
        for (const ImGuiMouseButton button : {ImGuiMouseButton_Left, ImGuiMouseButton_Middle}) {
            if (!ImGui::IsItemActive() || !ImGui::IsMouseDragging(button)) continue;
            const ImVec2 way = ImGui::GetMouseDragDelta(button);
            ImGui::ResetMouseDragDelta(button);
            c_.edits.dragged = true;
            if (way.x != 0 || way.y != 0) c_.queue(plane.moved({static_cast<int>(way.x), static_cast<int>(way.y)}));
            return true;
        }
        return false;
    }

    /// Where nothing is to be picked, a click goes to the time.
    void clickAt(const TimePointer& time) const {
        if (const auto hit = views_.hitAt(query_, at_)) return clickOn(c_, *hit);
        c_.queue(command::Seek{std::floor(time.here.from)});
    }

    void describe(const std::optional<Hit>& hit) const {
        if (!hit) return;
        if (hit->box.isEmpty()) return drawTooltip(c_, hit->describe());
        tellOf(c_, tile_, hit->box, hit->describe());
    }

    const PanelContext& c_;
    const Tile& tile_;
    Views& views_;
    const ViewQuery& query_;
    glm::ivec2 at_;
};

/// How much of what the view shows has been computed, in the upper right corner.
void drawProgress(const PanelContext& c, const Tile& tile, double fraction) {
    if (fraction < 0) return;
    const std::string words = fmt::format("{:.0f} %", 100 * fraction);
    const float right = static_cast<float>(tile.where.x + tile.where.width) - 8 * c.scale;
    const ImVec2 at(right - ImGui::CalcTextSize(words.c_str()).x, static_cast<float>(tile.where.y) + 4 * c.scale);
    ImGui::GetWindowDrawList()->AddText(at, packed(c.colours().accent), words.c_str());
}

}  // namespace

void drawFlatTile(const PanelContext& c, const Tile& tile, Views& views, const scene::FlatScene& picture) {
    const ViewQuery query{tile.view, c.context, {tile.where.width, tile.where.height}, c.scale};
    drawLabels(c, tile.where, picture.labels, picture.background, glm::vec2(query.size) / 2.0f);
    drawProgress(c, tile, views.fraction(tile.view));
    if (const auto wanted = views.wanted(query)) c.queue(*wanted);
    const scene::PixelBox area = views.mouseArea(query);
    if (!area.isEmpty()) {
        const bool pressed = takeMouse(tile, area);
        const FlatMouse mouse(c, tile, views, query);
        mouse.act(pressed);
        mouse.namePlaces();
    }
    if (c.context.panels) drawControls(c, tile, views.controls(query).all());
}

}  // namespace whorl::app
