// A view in space in its tile.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/panels/labels.h"
#include "app/panels/mouse.h"
#include "app/panels/panels.h"
#include "app/panels/tiles/tile_frame.h"
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

/// Mouse actions on a picture in space; in BlockViews also those along the time and the rows, and on the lens.
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

    void act() {
        showLens();
        keepSight();
        if (!usesMouse()) return;
        const auto hit = views_.hitAt(query_, at_);
        Gestures gestures;
        gestures.turn = [&](glm::vec2 pixels) {
            camera_.turn(pixels, size_);
            put();
        };
        gestures.showAll = [&] { showAll(); };
        gestures.click = [&] { pickOrNone(c_, hit); };
        const auto time =
            blocks_ == nullptr ? std::nullopt : std::optional(std::round(history_.accessesAt(timeHere())));
        gestures.ask = [&] { return subjectAt(c_, tile_, hit, time); };
        if (hit) gestures.tell = [&] { drawTooltip(c_, wordsOf(*hit)); };
        if (blocks_ != nullptr) {
            addBlocks(gestures);
        } else {
            addFolded(gestures);
        }
        app::act(c_, gestures);
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
    // The handles of a BlockView, with their anchors in cycles: the other end, and the distance to the lens's start.
    static constexpr int kLensEnd = 0;
    static constexpr int kLens = 1;
    static constexpr float kReach = 5;       ///< pixels at scale 1 about an end of the lens
    static constexpr double kMaxLens = 0.9;  ///< share of the shown time

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

    void addFolded(Gestures& gestures) {
        gestures.zoom = [&](float notches) {
            camera_.zoom(static_cast<float>(zoomFactor(notches)), at_, size_);
            put();
        };
        if (!views_.isZoomed(query_)) return;
        gestures.move = [&](glm::vec2 pixels) {
            camera_.pan(pixels, size_);
            put();
        };
    }

    void addBlocks(Gestures& gestures) {
        const double here = std::round(history_.accessesAt(timeHere()));
        gestures.time = scene::TimeSpan{here, here};
        gestures.zoom = [&](float notches) {
            showTime(c_, blocks_->time().zoomed(shown(), timeHere(), zoomFactor(notches)));
        };
        gestures.zoomOther = [&](float notches) { zoomRows(zoomFactor(notches)); };
        // Seen from aside, what shows all of its time and its rows is turned.
        if (isFlat() || c_.context.seen || rowsShown()) {
            gestures.move = [&](glm::vec2 pixels) {
                if (c_.context.seen) moveTime(pixels.x / seenShare(camera_.right().z));
                if (pixels.y == 0) return;
                const double rows = blocks_->rowsAcross(query_, pixels.y / seenShare(camera_.up().y));
                showRows(scene::movedRows(rowsShown(), -rows));
            };
        }
        gestures.handle = lensHandle();
        gestures.carry = [&](const Handle& held) { carryLens(held); };
    }

    /// The share of a length along an axis that is seen from aside; never so small that a drag leaps.
    static float seenShare(float share) { return std::max(0.2f, std::abs(share)); }

    void showAll() const {
        put(false);
        if (blocks_ == nullptr) return;
        if (c_.context.seen) c_.queue(command::TimeAll{});
        showRows(std::nullopt);
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

    /// With Ctrl, a press lays a new lens. Else it takes hold of one of its ends; within it, of the lens.
    std::optional<Handle> lensHandle() const {
        if (ImGui::GetIO().KeyCtrl) return Handle{kLensEnd, timeHere(), false, ImGuiMouseCursor_ResizeEW};
        const auto& lens = c_.context.viewSettings.lens;
        if (!lens) return std::nullopt;
        const double here = timeHere();
        const double reach = std::abs(blocks_->cyclesAcross(query_, kReach * c_.scale));
        if (std::abs(here - lens->to) <= reach) {
            return Handle{kLensEnd, lens->from, false, ImGuiMouseCursor_ResizeEW};
        }
        if (std::abs(here - lens->from) <= reach) return Handle{kLensEnd, lens->to, false, ImGuiMouseCursor_ResizeEW};
        // A lens that fills the picture would leave nothing to move the time by.
        const bool isWide = lens->length() > kMaxLens * shown().length();
        if (isWide || here < lens->from || here >= lens->to) return std::nullopt;
        return Handle{kLens, here - lens->from, false, ImGuiMouseCursor_Hand};
    }

    void carryLens(const Handle& held) const {
        const auto put = [&](double from, double to) {
            const double end = static_cast<double>(history_.end);
            const auto cycles = [&](double t) { return static_cast<sim::Cycles>(std::clamp(std::round(t), 0.0, end)); };
            if (cycles(from) < cycles(to)) c_.queue(command::Lens{cycles(from), cycles(to)});
        };
        const double here = timeHere();
        if (held.which == kLensEnd) return put(std::min(held.anchor, here), std::max(held.anchor, here));
        const auto& lens = c_.context.viewSettings.lens;
        if (!lens) return;
        const double begin = static_cast<double>(history_.begin);
        const double end = static_cast<double>(history_.end);
        const double from = std::clamp(here - held.anchor, begin, std::max(begin, end - lens->length()));
        put(from, from + lens->length());
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
    drawLabels(c, tile.where, labelsUnderBar(c, tile, picture.labels), picture.background, size / 2.0f);
    SpaceMouse mouse(c, tile, history);
    mouse.drawBars();
    takeMouse(tile, {{0, 0}, {tile.where.width, tile.where.height}});
    mouse.act();
    mouse.namePlaces();
    const bool wordsFit = history.folded().wordsFit();
    if (!mouse.isOfBlocks() && wordsFit != c.context.viewSettings.wordsFit) c.queue(command::WordsFit{wordsFit});
}

}  // namespace whorl::app
