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
    Mouse(const PanelContext& c, const FrameComposer& composer, const gl::Rect& canvas) : c_(c), composer_(composer) {
        at_ = {ImGui::GetMousePos().x - static_cast<float>(canvas.x),
               ImGui::GetMousePos().y - static_cast<float>(canvas.y)};
    }

    void act() {
        if (!usesMouse()) return;
        const scene::Target target = under(at_);
        const auto hit = hitOn(target);
        Gestures gestures;
        gestures.zoom = [&](float notches) {
            c_.queue(command::ZoomAt{static_cast<float>(zoomFactor(notches)),
                                     inUnits(at_ - c_.picture()->scene.size / 2.0f)});
        };
        if (c_.context.camera.zoomed()) {
            gestures.move = [&](glm::vec2 pixels) { c_.queue(command::Drag{inUnits(pixels)}); };
            gestures.showAll = [&] { c_.queue(command::ZoomReset{}); };
        }
        gestures.click = [&] { pickOrNone(c_, hit); };
        if (hit && !ImGui::IsPopupOpen("block")) gestures.tell = [&] { drawTooltip(c_, wordsOf(*hit)); };
        app::act(c_, gestures);
        if (hit && !c_.session.talk.on && ImGui::IsItemHovered() && !c_.edits.drag.moved &&
            ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
            c_.edits.menu = selectionOf(target);
            ImGui::OpenPopup("block");
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

    /// Nothing where there is nothing.
    std::optional<Hit> hitOn(const scene::Target& target) const {
        if (target.kind == scene::Target::Kind::none) return std::nullopt;
        const Command select = selectCommand(target);
        Hit hit{.click = {select}, .describe = [this, target] {
                    return scene::describe(target, c_.picture()->snapshot, composer_.subject());
                }};
        if (selectionOf(target).byte) hit.shift = Commands{select, command::HistoryShow{}};
        return hit;
    }

    static Command selectCommand(const scene::Target& target) {
        if (target.kind == scene::Target::Kind::line || target.kind == scene::Target::Kind::slot) {
            return command::Select{target.address};
        }
        return command::SelectPart{target};
    }

    const PanelContext& c_;
    const FrameComposer& composer_;
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
void drawOverRings(const PanelContext& c, const FrameComposer& composer, const Tile& tile) {
    const gl::Rect& canvas = tile.where;
    drawSelectionMark(c, composer, canvas);
    // In a small tile the legend would hide the rings.
    const bool hasRoom =
        c.context.viewSettings.shown.size() == 1 || std::min(canvas.width, canvas.height) > 480 * c.scale;
    if (c.context.panels && c.context.legend && hasRoom) drawLegend(c, canvas);
    drawMinimap(c, composer, canvas);
    takeMouse(tile, {{0, 0}, {canvas.width, canvas.height}});
    Mouse mouse(c, composer, canvas);
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
    if (tile.view.run == 0) drawOverRings(c, run->composer(), tile);
}

}  // namespace whorl::app
