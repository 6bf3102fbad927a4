#include "app/panels/tiles/block_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/panels/time_mouse.h"
#include "app/panels/widgets.h"
#include "render/scene/colour.h"

namespace whorl::app {

namespace {

constexpr float kThick = 9;       ///< of a bar, unscaled pixels
constexpr float kLeastThumb = 7;  ///< the part that is shown is marked at least so long, likewise
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

/// Draws the bar with what is shown marked. While it is pressed: the share of all that the middle of what is shown is
/// to be moved to.
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
    const auto [a, b] = bar.of(shown, kLeastThumb * c.scale);
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
    const std::string help = fmt::format(
        "the rows that are shown, of {}: drag it; a double click in the view shows all", grouped(views.rowsOf(query)));
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
        fmt::format("the time that is shown, of {} cycles: drag it; a double click in the view shows all",
                    grouped(history.end - history.begin));
    const Share part{(shown.from - begin) / all, std::min(1.0, (shown.to - begin) / all)};
    const auto at = drawBar(c, bar, part, {}, "time of the view", help);
    if (!at) return;
    const double by = begin + *at * all - (shown.from + shown.to) / 2;
    if (std::abs(by) >= 1) showTime(c, time.moved(shown, by));
}

}  // namespace

void drawBlockBars(const PanelContext& c, const Tile& tile, const ViewQuery& query, BlockViews& views) {
    const BlockPlot plot = views.plotOf(query);
    ImGui::PushID(wordOf(tile.view).c_str());
    drawRows(c, tile, query, views, plot);
    drawTime(c, tile, views, plot);
    ImGui::PopID();
}

}  // namespace whorl::app
