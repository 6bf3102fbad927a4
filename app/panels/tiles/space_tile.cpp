#include "app/panels/tiles/space_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/labels.h"
#include "app/panels/tiles/tile_frame.h"
#include "app/views/space/describe_node.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

/// Mouse actions on a picture in space: rotating, moving, zooming, picking, drawing a lens.
class SpaceMouse {
  public:
    SpaceMouse(const PanelContext& c, const Tile& tile)
        : c_(c),
          tile_(tile),
          size_(tile.where.width, tile.where.height),
          at_(ImGui::GetMousePos().x - static_cast<float>(tile.where.x),
              ImGui::GetMousePos().y - static_cast<float>(tile.where.y)),
          historyViews_(*c.historyViews(tile.view.run)),
          camera_(historyViews_.cameraOf(tile.view, c.session, size_, c.scale)) {}

    /// `pressed`: a button was pressed and released on the picture.
    void act(bool pressed) {
        if (c_.session.viewSettings.lensWanted && tile_.view.kind == ViewId::Kind::blocks) {
            camera_ = historyViews_.lensCameraOf(tile_.view, c_.session, size_, c_.scale);
            put();
        }
        keepSight();
        if (ImGui::IsItemClicked()) c_.edits.dragged = false;
        if (layLens() || drag() || !ImGui::IsItemHovered()) return;
        const float notches = ImGui::GetIO().MouseWheel;
        if (notches != 0) {
            camera_.zoom(std::pow(1.25f, notches), at_, size_);
            put();
        }
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
            c_.edits.dragged = true;
            put(false);
            return;
        }
        const auto found = under(at_);
        if (pressed && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !c_.edits.dragged) click(found);
        if (found) tellOf(*found);
    }

    /// Records for tests what can be picked where.
    void namePlaces() const {
        if (c_.places == nullptr || !c_.places->scans()) return;
        c_.places->scan(tile_.where, [&](glm::vec2 at) {
            const auto found = under(at);
            return found ? pickCommand(*found).text() : std::string();
        });
    }

  private:
    std::optional<std::uint32_t> under(glm::vec2 at) const {
        return historyViews_.pick(tile_.view, c_.session, size_, c_.scale, at);
    }
    const sim::History& history() const { return historyViews_.history(); }
    bool words() const { return historyViews_.showsWords(c_.session.viewSettings); }

    void put(bool byHand = true) const { c_.queue(command::Camera{tile_.view.withoutRun(), byHand, camera_}); }

    /// Keys that move the camera need its position.
    void keepSight() const {
        const auto known = c_.session.viewSettings.sights.find(tile_.view.withoutRun());
        const bool same = known != c_.session.viewSettings.sights.end() && known->second.camera == camera_;
        const bool byHand = known != c_.session.viewSettings.sights.end() && known->second.byHand;
        if (!same && !byHand) put(false);
    }

    bool drag() {
        bool any = false;
        for (const ImGuiMouseButton button : {ImGuiMouseButton_Left, ImGuiMouseButton_Middle}) {
            if (!ImGui::IsItemActive() || !ImGui::IsMouseDragging(button)) continue;
            const ImVec2 way = ImGui::GetMouseDragDelta(button);
            ImGui::ResetMouseDragDelta(button);
            c_.edits.dragged = true;
            any = true;
            if (way.x == 0 && way.y == 0) continue;
            const bool moves =
                button == ImGuiMouseButton_Middle || c_.session.viewSettings.dragMoves != ImGui::GetIO().KeyShift;
            if (moves) {
                camera_.pan({way.x, way.y}, size_);
            } else {
                camera_.turn({way.x, way.y}, size_);
            }
            put();
        }
        return any;
    }

    /// Ctrl-dragging in a BlockView sets the lens to the time between the press and the mouse.
    bool layLens() const {
        std::optional<double>& began = c_.edits.lensDrag;
        if (tile_.view.kind != ViewId::Kind::blocks) return false;
        const auto now = [&] { return historyViews_.timeAt(tile_.view, c_.session, size_, c_.scale, at_); };
        if (ImGui::IsItemClicked() && ImGui::GetIO().KeyCtrl) began = static_cast<double>(now());
        if (!began || !ImGui::IsItemActive()) {
            if (ImGui::IsItemDeactivated()) began.reset();
            return false;
        }
        c_.edits.dragged = true;
        const auto a = static_cast<sim::Cycles>(*began);
        const sim::Cycles b = now();
        if (a != b) c_.queue(command::Lens{std::min(a, b), std::max(a, b)});
        return true;
    }

    void click(std::optional<std::uint32_t> found) const {
        if (found) {
            c_.queue(pickCommand(*found));
        } else if (c_.session.viewSettings.hasPicks()) {
            c_.queue(command::PickNone{});
        }
    }

    Command pickCommand(std::uint32_t found) const {
        if (tile_.view.kind == ViewId::Kind::sources) return command::PickSource{history().sources[found].id};
        if (tile_.view.kind == ViewId::Kind::objects) {
            return command::PickObject{objectPickOf((words() ? history().words : history().objects)[found])};
        }
        const sim::HistoryLevel& level = history().levels[tile_.view.level];
        const StayPick pick = pickOf(level, tile_.view.level, found);
        return command::PickStay{pick, sim::ByteAddress{pick.block.value * level.blockSize}};
    }

    void tellOf(std::uint32_t found) const {
        NodeDescription description;
        if (tile_.view.kind == ViewId::Kind::sources) {
            description = describeSource(history(), historyViews_.trace(), found);
        } else if (tile_.view.kind == ViewId::Kind::objects) {
            description = describeObject(history(), historyViews_.trace(), words(), found);
        } else {
            description = describeStay(history(), historyViews_.trace(), tile_.view.level, found);
        }
        description.lines.insert(description.lines.begin(), description.title);
        drawTooltip(c_, description.lines);
    }

    const PanelContext& c_;
    const Tile& tile_;
    glm::vec2 size_;
    glm::vec2 at_;
    HistoryViews& historyViews_;
    scene::SpaceCamera camera_;
};

}  // namespace

void drawSpaceTile(const PanelContext& c, const Tile& tile) {
    HistoryViews* historyViews = c.historyViews(tile.view.run);
    if (historyViews == nullptr || !historyViews->has(tile.view)) {
        drawHistoryPending(c, tile);
        return;
    }
    const glm::vec2 size(tile.where.width, tile.where.height);
    const scene::SpaceScene& scene = historyViews->scene(tile.view, c.session, size, c.scale);
    drawLabels(c, tile.where, scene.labels, scene.background, size / 2.0f);
    ImGui::SetCursorPos({static_cast<float>(tile.where.x), static_cast<float>(tile.where.y)});
    const std::string id = "space " + wordOf(tile.view);
    const bool pressed = ImGui::InvisibleButton(
        id.c_str(), {size.x, size.y},
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
    SpaceMouse mouse(c, tile);
    mouse.act(pressed);
    mouse.namePlaces();
    const bool wordsFit = historyViews->wordsFit();
    if (wordsFit != c.session.viewSettings.wordsFit) c.queue(command::WordsFit{wordsFit});
}

}  // namespace whorl::app
