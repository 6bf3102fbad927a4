#include "app/panels/tiles/space_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/labels.h"
#include "app/panels/tiles/block_bars.h"
#include "app/panels/tiles/tile_mouse.h"
#include "app/panels/time_mouse.h"
#include "app/views/space/describe_node.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

/// Mouse actions on a picture in space: turning, moving, zooming, picking; in BlockViews also those along the time, and
/// drawing a lens.
class SpaceMouse {
  public:
    SpaceMouse(const PanelContext& c, const Tile& tile)
        : c_(c),
          tile_(tile),
          size_(tile.where.width, tile.where.height),
          at_(ImGui::GetMousePos().x - static_cast<float>(tile.where.x),
              ImGui::GetMousePos().y - static_cast<float>(tile.where.y)),
          historyViews_(*c.historyViews(tile.view)),
          camera_(historyViews_.cameraOf(tile.view, c.context, size_, c.scale)) {}

    /// `pressed`: a button was pressed and released on the picture.
    void act(bool pressed) {
        showLens();
        keepSight();
        const bool isDoubleClick = beginsDoubleClick(c_);
        if (layLens() || selectRange() || drag() || !ImGui::IsItemHovered()) return;
        turnWheel();
        if (isDoubleClick) {
            put(false);
            if (isBlocks() && c_.context.seen) c_.queue(command::TimeAll{});
            if (isBlocks()) showRows(std::nullopt);
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
        return historyViews_.pick(tile_.view, c_.context, size_, c_.scale, at);
    }
    bool isBlocks() const { return tile_.view.kind == ViewId::Kind::blocks; }
    const sim::History& history() const { return historyViews_.history(); }
    /// The cycle under the mouse, in a BlockView.
    double timeHere() const { return historyViews_.timeAt(tile_.view, c_.context, size_, c_.scale, at_); }
    scene::Interval shown() const { return historyViews_.blockTime().shown(c_.context.seen); }
    bool words() const { return historyViews_.showsWords(c_.context.viewSettings); }

    void put(bool byHand = true) const { c_.queue(command::Camera{tile_.view.withoutRun(), byHand, camera_}); }

    /// Keys that move the camera need its position.
    void keepSight() const {
        const auto known = c_.context.viewSettings.sights.find(tile_.view.withoutRun());
        const bool same = known != c_.context.viewSettings.sights.end() && known->second.camera == camera_;
        const bool byHand = known != c_.context.viewSettings.sights.end() && known->second.byHand;
        if (!same && !byHand) put(false);
    }

    bool drag() {
        bool any = false;
        for (const ImGuiMouseButton button : {ImGuiMouseButton_Left, ImGuiMouseButton_Middle, ImGuiMouseButton_Right}) {
            if (!ImGui::IsItemActive() || !ImGui::IsMouseDragging(button)) continue;
            const ImVec2 way = ImGui::GetMouseDragDelta(button);
            ImGui::ResetMouseDragDelta(button);
            c_.edits.dragged = true;
            any = true;
            if (way.x != 0 || way.y != 0) dragBy(button, {way.x, way.y});
        }
        return any;
    }

    /// The middle button moves and the right one turns; the left one does either. In a BlockView that is seen face on,
    /// the rows and the time move.
    void dragBy(ImGuiMouseButton button, glm::vec2 way) {
        const bool isLeft = button == ImGuiMouseButton_Left;
        const bool isSwapped = !isBlocks() && ImGui::GetIO().KeyShift;
        const bool moves =
            button == ImGuiMouseButton_Middle || (isLeft && c_.context.viewSettings.dragMoves != isSwapped);
        if (isFlat() && button != ImGuiMouseButton_Right) {
            if (c_.context.seen) moveTime(way.x);
            if (way.y != 0) {
                const double rows = historyViews_.rowsAcross(tile_.view, c_.context, size_, c_.scale, way.y);
                showRows(scene::movedRows(rowsShown(), -rows));
            }
            return;
        }
        if (moves) {
            camera_.pan(way, size_);
        } else {
            camera_.turn(way, size_);
        }
        put();
    }

    bool isFlat() const { return isBlocks() && camera_.isFacing(scene::Plane::yz); }
    const std::optional<scene::RowSpan>& rowsShown() const { return c_.context.viewSettings.blocksOf(tile_.view).rows; }
    void showRows(const std::optional<scene::RowSpan>& rows) const {
        if (rows == rowsShown()) return;
        const scene::RowSpan span = rows.value_or(scene::RowSpan{});
        c_.queue(command::BlockRows{tile_.view.withoutRun(), span.from, span.to});
    }

    /// What was under the pointer follows it.
    void moveTime(float pixels) const {
        if (pixels == 0) return;
        const double cycles = historyViews_.cyclesAcross(tile_.view, c_.context, size_, c_.scale, pixels);
        showTime(c_, historyViews_.blockTime().moved(shown(), -cycles));
    }

    /// Ctrl-dragging in a BlockView sets the lens to the time between the press and the mouse.
    bool layLens() const {
        std::optional<double>& began = c_.edits.lensDrag;
        if (!isBlocks()) return false;
        if (ImGui::IsItemClicked() && ImGui::GetIO().KeyCtrl) began = timeHere();
        if (!began || !ImGui::IsItemActive()) {
            if (ImGui::IsItemDeactivated()) began.reset();
            return false;
        }
        c_.edits.dragged = true;
        const auto a = static_cast<sim::Cycles>(*began);
        const auto b = static_cast<sim::Cycles>(timeHere());
        if (a != b) c_.queue(command::Lens{std::min(a, b), std::max(a, b)});
        return true;
    }

    /// Shift-dragging in a BlockView selects the accesses between the press and the mouse.
    bool selectRange() const {
        TimeDrag& drag = c_.edits.timeDrag;
        if (!isBlocks()) return false;
        const auto here = [&] { return std::round(history().accessesAt(timeHere())); };
        if (ImGui::IsItemActivated()) {
            const bool selects = ImGui::GetIO().KeyShift && ImGui::IsMouseDown(ImGuiMouseButton_Left);
            drag = selects ? TimeDrag{.kind = TimeDrag::Kind::range, .anchor = here()} : TimeDrag{};
        }
        if (ImGui::IsItemDeactivated()) drag = {};
        if (drag.kind != TimeDrag::Kind::range || !ImGui::IsItemActive()) return false;
        if (ImGui::GetIO().MouseDelta.x != 0 && (drag.moved || ImGui::IsMouseDragging(ImGuiMouseButton_Left, 3))) {
            drag.moved = c_.edits.dragged = true;
            c_.queue(command::Range{drag.anchor, here()});
        }
        return true;
    }

    /// The wheel zooms the time of a BlockView, with Shift its rows, with Ctrl both; in other views, and with Ctrl
    /// where it is seen from aside, it comes nearer.
    void turnWheel() {
        const float notches = ImGui::GetIO().MouseWheel;
        if (notches == 0) return;
        const bool isCtrl = ImGui::GetIO().KeyCtrl;
        if (!isBlocks() || (isCtrl && !isFlat())) {
            camera_.zoom(std::pow(1.25f, notches), at_, size_);
            put();
            return;
        }
        const bool isShift = ImGui::GetIO().KeyShift;
        if (isShift || isCtrl) zoomRows(timeZoom(notches));
        if (!isShift) showTime(c_, historyViews_.blockTime().zoomed(shown(), timeHere(), timeZoom(notches)));
    }

    /// About the row under the pointer; seen from aside, about the middle of those that are shown.
    void zoomRows(double factor) const {
        const scene::RowSpan span = rowsShown().value_or(scene::RowSpan{});
        const double pivot = isFlat() ? historyViews_.rowShareAt(tile_.view, c_.context, size_, c_.scale, at_)
                                      : (span.from + span.to) / 2;
        const std::uint32_t all = historyViews_.rowsOf(tile_.view, c_.context);
        showRows(scene::zoomedRows(rowsShown(), pivot, factor, all));
    }

    /// Shows the time of the lens if that was wanted: all BlockViews have one, those of the open run answer. Without a
    /// lens, one is laid over the middle of what is shown.
    void showLens() const {
        if (!isBlocks() || tile_.view.run != 0 || !c_.context.viewSettings.lensWanted) return;
        std::optional<scene::Interval> lens = c_.context.viewSettings.lens;
        if (!lens) {
            const scene::Interval all = shown();
            lens = scene::Interval{std::floor(all.from + 0.4 * all.length()), std::ceil(all.from + 0.6 * all.length())};
            c_.queue(command::Lens{static_cast<sim::Cycles>(lens->from), static_cast<sim::Cycles>(lens->to)});
        }
        showTime(c_, historyViews_.blockTime().seenFor(*lens));
    }

    void click(std::optional<std::uint32_t> found) const {
        if (found) {
            const bool opens = ImGui::GetIO().KeyShift && tile_.view.kind != ViewId::Kind::sources;
            if (opens && tile_.view.kind == ViewId::Kind::objects) {
                const sim::CostNode& node = objectsShown()[*found];
                c_.queue(command::PickMemory{node.address, std::max<std::uint64_t>(1, node.size)});
            }
            c_.queue(pickCommand(*found));
            if (opens) c_.queue(command::HistoryShow{});
        } else if (c_.context.selected || c_.context.viewSettings.hasPicks()) {
            c_.queue(command::SelectNone{});
        }
    }

    const std::vector<sim::CostNode>& objectsShown() const { return words() ? history().words : history().objects; }

    Command pickCommand(std::uint32_t found) const {
        if (tile_.view.kind == ViewId::Kind::sources) return command::PickSource{history().sources[found].id};
        if (tile_.view.kind == ViewId::Kind::objects) {
            return command::PickObject{objectPickOf(objectsShown()[found])};
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
            const auto cell = historyViews_.cellAround(tile_.view, c_.context, size_, c_.scale, found, at_);
            if (cell) description.lines.push_back(describeCell(*cell));
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

void drawSpaceTile(const PanelContext& c, const Tile& tile, const scene::SpaceScene& picture) {
    HistoryViews* const historyViews = c.historyViews(tile.view);
    const glm::vec2 size(tile.where.width, tile.where.height);
    drawLabels(c, tile.where, picture.labels, picture.background, size / 2.0f);
    if (tile.view.kind == ViewId::Kind::blocks) drawBlockBars(c, tile, *historyViews);
    ImGui::SetCursorPos({static_cast<float>(tile.where.x), static_cast<float>(tile.where.y)});
    const std::string id = "space " + wordOf(tile.view);
    const bool pressed = ImGui::InvisibleButton(
        id.c_str(), {size.x, size.y},
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
    SpaceMouse mouse(c, tile);
    mouse.act(pressed);
    mouse.namePlaces();
    if (tile.view.kind == ViewId::Kind::blocks) return;
    const bool wordsFit = historyViews->wordsFit();
    if (wordsFit != c.context.viewSettings.wordsFit) c.queue(command::WordsFit{wordsFit});
}

}  // namespace whorl::app
