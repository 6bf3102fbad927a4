// A view in space in its tile.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/panels/labels.h"
#include "app/panels/mouse.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "render/scene/colour.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

constexpr float kThick = 9;     ///< thickness of a bar, in pixels at scale 1
constexpr float kMinThumb = 7;  ///< least length of the mark for the shown part, in pixels at scale 1
constexpr std::size_t kParts = 60;

/// A part of all, both from 0 to 1.
struct Share {
    double from = 0;
    double to = 1;
};

struct Bar {
    ImVec2 from;
    ImVec2 to;
    bool isUpright = false;

    float length() const { return isUpright ? to.y - from.y : to.x - from.x; }
    /// The rectangle of a part of it.
    std::pair<ImVec2, ImVec2> of(Share part, float least) const {
        const auto all = static_cast<double>(length());
        double a = part.from * all;
        double b = part.to * all;
        const double more = std::max(0.0, (static_cast<double>(least) - (b - a)) / 2);
        a = std::max(0.0, a - more);
        b = std::min(all, b + more);
        const auto low = static_cast<float>(a);
        const auto high = static_cast<float>(b);
        return isUpright ? std::pair(ImVec2(from.x, from.y + low), ImVec2(to.x, from.y + high))
                         : std::pair(ImVec2(from.x + low, from.y), ImVec2(from.x + high, to.y));
    }
    double shareAt(ImVec2 mouse) const {
        const float at = isUpright ? mouse.y - from.y : mouse.x - from.x;
        return static_cast<double>(at / std::max(1.0f, length()));
    }
};

/// Draws the bar with the shown part marked. While it is pressed, returns the share of all to which the middle of the
/// shown part should move.
std::optional<double> drawBar(const PanelContext& c, const Bar& bar, Share shown, const std::vector<float>& weights,
                              const char* id, const std::string& help) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(bar.from, bar.to, packed(c.colours().panel), 2);
    list.AddRect(bar.from, bar.to, packed(c.colours().border), 2);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto count = static_cast<double>(weights.size());
        const auto [a, b] = bar.of({static_cast<double>(i) / count, static_cast<double>(i + 1) / count}, 1);
        ImVec4 ink = c.colours().muted;
        ink.w = 0.85f * weights[i];
        list.AddRectFilled(a, b, packed(ink));
    }
    const auto [a, b] = bar.of(shown, kMinThumb * c.scale);
    ImVec4 inside = c.colours().accent;
    inside.w = 0.25f;
    list.AddRectFilled(a, b, packed(inside), 2);
    list.AddRect(a, b, packed(c.colours().accent), 2, 0, std::max(1.0f, 1.5f * c.scale));
    ImGui::SetCursorScreenPos(bar.from);
    ImGui::InvisibleButton(id, {bar.to.x - bar.from.x, bar.to.y - bar.from.y});
    nameItem(c, id);
    hint(help);
    if (!ImGui::IsItemActive()) return std::nullopt;
    return bar.shareAt(ImGui::GetMousePos());
}

ImVec2 cornerOf(const Tile& tile) {
    return {static_cast<float>(tile.where.x), static_cast<float>(tile.where.y)};
}

void drawRows(const PanelContext& c, const Tile& tile, const ViewQuery& query, BlockViews& views,
              const BlockPlot& plot) {
    const auto& rows = c.context.viewSettings.blocksOf(tile.view).rows;
    if (!rows) return;
    const ImVec2 corner = cornerOf(tile);
    const float right = corner.x + static_cast<float>(tile.where.width) - 3 * c.scale;
    const Bar bar{{right - kThick * c.scale, corner.y + plot.low.y}, {right, corner.y + plot.high.y}, true};
    const std::string help = fmt::format("the rows shown, of {}: drag to move; a double click in the view shows all",
                                         grouped(views.rowsOf(query)));
    const auto at = drawBar(c, bar, {rows->from, rows->to}, views.rowWeights(query, kParts), "rows of the view", help);
    if (!at) return;
    const auto moved = scene::movedRows(rows, *at - (rows->from + rows->to) / 2);
    if (moved && moved != rows) c.queue(command::BlockRows{tile.view.withoutRun(), moved->from, moved->to});
}

void drawTime(const PanelContext& c, const Tile& tile, const BlockViews& views, const BlockPlot& plot) {
    if (!c.context.seen) return;
    const sim::History& history = views.history();
    const auto begin = static_cast<double>(history.begin);
    const double all = std::max(1.0, static_cast<double>(history.end) - begin);
    const scene::BlockTime time = views.time();
    const scene::Interval shown = time.shown(c.context.seen);
    const ImVec2 corner = cornerOf(tile);
    const float low = corner.y + plot.low.y - 4 * c.scale;
    const Bar bar{{corner.x + plot.low.x, low - 0.6f * kThick * c.scale}, {corner.x + plot.high.x, low}};
    const std::string help =
        fmt::format("the time shown, of {} cycles: drag to move; a double click in the view shows all",
                    grouped(history.end - history.begin));
    const Share part{(shown.from - begin) / all, std::min(1.0, (shown.to - begin) / all)};
    const auto at = drawBar(c, bar, part, {}, "time of the view", help);
    if (!at) return;
    const double by = begin + *at * all - (shown.from + shown.to) / 2;
    if (std::abs(by) >= 1) showTime(c, time.moved(shown, by));
}

/// To be called before the tile's own item, so that the bars take the mouse where they are.
void drawBlockBars(const PanelContext& c, const Tile& tile, const ViewQuery& query, BlockViews& views) {
    const BlockPlot plot = views.plotOf(query);
    ImGui::PushID(wordOf(tile.view).c_str());
    drawRows(c, tile, query, views, plot);
    drawTime(c, tile, views, plot);
    ImGui::PopID();
}

/// Mouse actions on a picture in space: turning, moving, zooming, picking; in BlockViews also those along the time, and
/// drawing a lens.
class SpaceMouse {
  public:
    SpaceMouse(const PanelContext& c, const Tile& tile, HistoryViews& history)
        : c_(c),
          tile_(tile),
          size_(tile.where.width, tile.where.height),
          at_(ImGui::GetMousePos().x - static_cast<float>(tile.where.x),
              ImGui::GetMousePos().y - static_cast<float>(tile.where.y)),
          history_(history.history()),
          query_{tile.view, c.context, {tile.where.width, tile.where.height}, c.scale},
          views_(history.of(tile.view)),
          blocks_(dynamic_cast<BlockViews*>(&views_)),
          camera_(views_.cameraOf(query_)) {}

    bool isOfBlocks() const { return blocks_ != nullptr; }
    /// Draws the bars of a BlockView, which mark the shown part of its rows and of its time.
    void drawBars() const {
        if (blocks_ != nullptr) drawBlockBars(c_, tile_, query_, *blocks_);
    }

    /// `pressed`: a button was pressed and released on the picture.
    void act(bool pressed) {
        showLens();
        keepSight();
        const bool isDoubleClick = beginsDoubleClick(c_);
        if (layLens() || selectRange() || drag() || !ImGui::IsItemHovered()) return;
        turnWheel();
        if (isDoubleClick) {
            put(false);
            if (blocks_ != nullptr && c_.context.seen) c_.queue(command::TimeAll{});
            if (blocks_ != nullptr) showRows(std::nullopt);
            return;
        }
        const auto hit = views_.hitAt(query_, at_);
        if (pressed && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !c_.edits.dragged) click(hit);
        if (hit) drawTooltip(c_, hit->describe());
    }

    /// Records for tests what can be picked where.
    void namePlaces() const {
        if (c_.places == nullptr || !c_.places->scans()) return;
        c_.places->scan(tile_.where, [&](glm::vec2 at) {
            const auto hit = views_.hitAt(query_, at);
            return hit ? hit->click.front().text() : std::string();
        });
    }

  private:
    // In a BlockView: the cycle under the mouse, and those that are shown.
    double timeHere() const { return blocks_->timeAt(query_, at_); }
    scene::Interval shown() const { return blocks_->time().shown(c_.context.seen); }

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
        const bool isSwapped = blocks_ == nullptr && ImGui::GetIO().KeyShift;
        const bool moves =
            button == ImGuiMouseButton_Middle || (isLeft && c_.context.viewSettings.dragMoves != isSwapped);
        if (isFlat() && button != ImGuiMouseButton_Right) {
            if (c_.context.seen) moveTime(way.x);
            if (way.y != 0) {
                const double rows = blocks_->rowsAcross(query_, way.y);
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

    bool isFlat() const { return blocks_ != nullptr && camera_.isFacing(scene::Plane::yz); }
    const std::optional<scene::RowSpan>& rowsShown() const { return c_.context.viewSettings.blocksOf(tile_.view).rows; }
    void showRows(const std::optional<scene::RowSpan>& rows) const {
        if (rows == rowsShown()) return;
        const scene::RowSpan span = rows.value_or(scene::RowSpan{});
        c_.queue(command::BlockRows{tile_.view.withoutRun(), span.from, span.to});
    }

    /// What was under the pointer follows it.
    void moveTime(float pixels) const {
        if (pixels == 0) return;
        const double cycles = blocks_->cyclesAcross(query_, pixels);
        showTime(c_, blocks_->time().moved(shown(), -cycles));
    }

    /// Ctrl-dragging in a BlockView sets the lens to the time between the press and the mouse.
    bool layLens() const {
        std::optional<double>& began = c_.edits.lensDrag;
        if (blocks_ == nullptr) return false;
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
        if (blocks_ == nullptr) return false;
        const auto here = [&] { return std::round(history_.accessesAt(timeHere())); };
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
        if (blocks_ == nullptr || (isCtrl && !isFlat())) {
            camera_.zoom(std::pow(1.25f, notches), at_, size_);
            put();
            return;
        }
        const bool isShift = ImGui::GetIO().KeyShift;
        if (isShift || isCtrl) zoomRows(timeZoom(notches));
        if (!isShift) showTime(c_, blocks_->time().zoomed(shown(), timeHere(), timeZoom(notches)));
    }

    /// About the row under the pointer; seen from aside, about the middle of those that are shown.
    void zoomRows(double factor) const {
        const scene::RowSpan span = rowsShown().value_or(scene::RowSpan{});
        const double pivot = isFlat() ? blocks_->rowShareAt(query_, at_) : (span.from + span.to) / 2;
        showRows(scene::zoomedRows(rowsShown(), pivot, factor, blocks_->rowsOf(query_)));
    }

    /// Shows the time of the lens if that was wanted: all BlockViews have one, those of the open run answer. Without a
    /// lens, one is laid over the middle of what is shown.
    void showLens() const {
        if (blocks_ == nullptr || tile_.view.run != 0 || !c_.context.viewSettings.lensWanted) return;
        std::optional<scene::Interval> lens = c_.context.viewSettings.lens;
        if (!lens) {
            const scene::Interval all = shown();
            lens = scene::Interval{std::floor(all.from + 0.4 * all.length()), std::ceil(all.from + 0.6 * all.length())};
            c_.queue(command::Lens{static_cast<sim::Cycles>(lens->from), static_cast<sim::Cycles>(lens->to)});
        }
        showTime(c_, blocks_->time().seenFor(*lens));
    }

    void click(const std::optional<Hit>& hit) const {
        if (hit) return clickOn(c_, *hit);
        if (c_.context.selected || c_.context.viewSettings.hasPicks()) c_.queue(command::SelectNone{});
    }

    const PanelContext& c_;
    const Tile& tile_;
    glm::vec2 size_;
    glm::vec2 at_;
    const sim::History& history_;
    ViewQuery query_;
    SpaceViews& views_;
    BlockViews* blocks_;  ///< null: it is no BlockView
    scene::SpaceCamera camera_;
};

}  // namespace

void drawSpaceTile(const PanelContext& c, const Tile& tile, const scene::SpaceScene& picture) {
    HistoryViews& history = *c.historyViews(tile.view);
    const glm::vec2 size(tile.where.width, tile.where.height);
    drawLabels(c, tile.where, picture.labels, picture.background, size / 2.0f);
    SpaceMouse mouse(c, tile, history);
    mouse.drawBars();
    ImGui::SetCursorPos({static_cast<float>(tile.where.x), static_cast<float>(tile.where.y)});
    const std::string id = "space " + wordOf(tile.view);
    const bool pressed = ImGui::InvisibleButton(
        id.c_str(), {size.x, size.y},
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
    mouse.act(pressed);
    mouse.namePlaces();
    const bool wordsFit = history.folded().wordsFit();
    if (!mouse.isOfBlocks() && wordsFit != c.context.viewSettings.wordsFit) c.queue(command::WordsFit{wordsFit});
}

}  // namespace whorl::app
