// The rings in their tile.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/commands/bindings.h"
#include "app/panels/labels.h"
#include "app/panels/mouse.h"
#include "app/panels/panels.h"
#include "render/scene/palette.h"
#include "render/scene/rings/describe.h"
#include "render/scene/rings/event_numbers.h"

namespace whorl::app {

namespace {

/// Mouse actions on the picture.
class Mouse {
  public:
    /// `pressed`: a button was pressed and released on the picture.
    Mouse(const PanelContext& c, const FrameComposer& composer, const gl::Rect& canvas, bool pressed)
        : c_(c), composer_(composer), pressed_(pressed) {
        at_ = {ImGui::GetMousePos().x - static_cast<float>(canvas.x),
               ImGui::GetMousePos().y - static_cast<float>(canvas.y)};
    }

    void act() {
        const bool dragged = drag(ImGuiMouseButton_Left) || drag(ImGuiMouseButton_Middle);
        if (!ImGui::IsItemHovered() || dragged) return;
        zoom();
        const scene::Target target = under(at_);
        const bool isSomething = target.kind != scene::Target::Kind::none;
        click(target);
        if (isSomething && !c_.session.talk.on && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
            c_.edits.menu = selectionOf(target);
            ImGui::OpenPopup("block");
        }
        if (isSomething && !ImGui::IsPopupOpen("block")) {
            drawTooltip(c_, scene::describe(target, c_.picture()->snapshot, composer_.subject()));
        }
    }

    /// Records for tests what can be selected where.
    void namePlaces(const gl::Rect& canvas) const {
        if (c_.places == nullptr || !c_.places->scans()) return;
        c_.places->scan(canvas, [&](glm::vec2 at) {
            const scene::Target target = under(at);
            return target.kind == scene::Target::Kind::none ? std::string() : selectCommand(target).text();
        });
    }

  private:
    scene::Target under(glm::vec2 at) const {
        return scene::pick(c_.picture()->scene, composer_.layout(), c_.picture()->view, at);
    }

    glm::vec2 inUnits(glm::vec2 pixels) const { return pixels / composer_.layout().unit; }

    bool drag(ImGuiMouseButton button) const {
        if (!ImGui::IsItemActive() || !ImGui::IsMouseDragging(button)) return false;
        const ImVec2 way = ImGui::GetMouseDragDelta(button);
        ImGui::ResetMouseDragDelta(button);
        if (way.x != 0 || way.y != 0) c_.queue(command::Drag{inUnits({way.x, way.y})});
        c_.edits.dragged = true;
        if (c_.context.camera.zoomed()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
        return true;
    }

    void zoom() const {
        const float notches = ImGui::GetIO().MouseWheel;
        if (notches == 0) return;
        c_.queue(command::ZoomAt{std::pow(1.25f, notches), inUnits(at_ - c_.picture()->scene.size / 2.0f)});
    }

    /// A click selects only when released where it was pressed; a double click resets the zoom.
    void click(const scene::Target& target) const {
        if (beginsDoubleClick(c_)) {
            if (c_.context.camera.zoomed()) c_.queue(command::ZoomReset{});
            return;
        }
        if (!pressed_ || !ImGui::IsMouseReleased(ImGuiMouseButton_Left) || c_.edits.dragged) return;
        if (target.kind != scene::Target::Kind::none) {
            c_.queue(selectCommand(target));
            if (ImGui::GetIO().KeyShift && selectionOf(target).byte) c_.queue(command::HistoryShow{});
        } else if (c_.context.selected || c_.context.viewSettings.hasPicks()) {
            c_.queue(command::SelectNone{});
        }
    }

    static Command selectCommand(const scene::Target& target) {
        if (target.kind == scene::Target::Kind::line || target.kind == scene::Target::Kind::slot) {
            return command::Select{target.address};
        }
        return command::SelectPart{target};
    }

    const PanelContext& c_;
    const FrameComposer& composer_;
    bool pressed_;
    glm::vec2 at_{0};
};

/// The actions on what was right-clicked.
void drawMenu(const PanelContext& c) {
    if (!ImGui::BeginPopup("block")) return;
    const auto& byte = c.edits.menu.byte;
    if (ImGui::MenuItem("Select")) {
        if (byte) {
            c.queue(command::Select{*byte});
        } else {
            c.queue(command::SelectPart{c.edits.menu.target});
        }
    }
    if (byte) {
        if (ImGui::MenuItem("Watch or unwatch", "w")) c.queue(command::Watch{*byte});
        for (const auto& [words, way] : {std::pair("Next eviction", sim::Direction::forward),
                                         std::pair("Previous eviction", sim::Direction::backward)}) {
            const command::Search search{way, SearchKind::eviction};
            if (!ImGui::MenuItem(words, keysOf(search).c_str())) continue;
            c.queue(command::Select{*byte});
            c.queue(search);
        }
    }
    if (ImGui::MenuItem("Show all", "0", false, c.context.camera.zoomed())) c.queue(command::ZoomReset{});
    if (ImGui::MenuItem("Display settings …", "a")) c.queue(command::PictureCard{});
    ImGui::EndPopup();
}

/// The overlays on the rings of the open run, and the mouse actions there.
void drawOverRings(const PanelContext& c, const FrameComposer& composer, const gl::Rect& canvas) {
    drawSelectionMark(c, composer, canvas);
    // In a small tile the legend would hide the rings.
    const bool hasRoom =
        c.context.viewSettings.shown.size() == 1 || std::min(canvas.width, canvas.height) > 480 * c.scale;
    if (c.context.panels && c.context.legend && hasRoom) drawLegend(c, canvas);
    drawMinimap(c, composer, canvas);
    ImGui::SetCursorPos({static_cast<float>(canvas.x), static_cast<float>(canvas.y)});
    const bool pressed = ImGui::InvisibleButton(
        "canvas", {static_cast<float>(canvas.width), static_cast<float>(canvas.height)},
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
    Mouse mouse(c, composer, canvas, pressed);
    mouse.act();
    mouse.namePlaces(canvas);
    drawMenu(c);
}

}  // namespace

void drawRingsTile(const PanelContext& c, const Tile& tile) {
    RunView* run = c.runs.at(tile.view.run);
    if (run == nullptr || run->composer().picture() == nullptr) return;
    const scene::Scene& scene = run->composer().picture()->scene;
    if (c.edits.numbersAreExplained) {
        drawLabels(c, tile.where, scene.labels, scene.background, scene.centre);
    } else {
        std::vector<scene::Label> labels = scene.labels;
        std::erase_if(labels, scene::isEventNumber);
        drawLabels(c, tile.where, labels, scene.background, scene.centre);
    }
    // The selection belongs to the open run; the others are view-only.
    if (tile.view.run == 0) drawOverRings(c, run->composer(), tile.where);
}

}  // namespace whorl::app
