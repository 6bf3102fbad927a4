// The whole trace from left to right: one row a level, each column as high as the hit rate of the accesses under it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/panel.h"

namespace whorl::app {

namespace {

struct Strip {
    ImVec2 from;
    ImVec2 size;
    double accesses;  ///< of the whole trace

    float x(double tick) const { return from.x + static_cast<float>(tick / accesses) * size.x; }
    double tick(float at) const { return std::clamp(static_cast<double>((at - from.x) / size.x), 0.0, 1.0) * accesses; }
};

void drawRow(const PanelContext& c, const Strip& strip, std::size_t level, float top, float height) {
    const Theme colours = c.colours();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const double built = c.session.end();
    list.AddRectFilled({strip.from.x, top}, {strip.x(built), top + height}, packed(colours.frame));
    ImVec4 bar = colours.accent;
    bar.w = 0.75f;
    const auto columns = static_cast<int>(strip.size.x);
    for (int i = 0; i < columns; ++i) {
        const double from = strip.accesses * i / columns;
        const double to = std::max(from + 1, strip.accesses * (i + 1) / columns);
        if (from >= built) break;
        const auto share =
            c.overview->share(level, static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(std::min(to, built)));
        if (share.requests == 0) continue;
        const float rate = static_cast<float>(share.hits) / static_cast<float>(share.requests);
        const float x = strip.from.x + static_cast<float>(i);
        list.AddRectFilled({x, top + (1 - rate) * height}, {x + 1, top + height}, packed(bar));
    }
    const std::string& name = c.machine().levels[level].name;
    ImGui::PushFont(c.fonts.small);
    const ImVec2 text = ImGui::CalcTextSize(name.c_str());
    if (text.y <= height + 3) {
        const ImVec2 at(strip.from.x - text.x - 6 * c.scale, top + (height - text.y) / 2);
        list.AddText(at, packed(colours.muted), name.c_str());
    }
    ImGui::PopFont();
}

void drawPlayhead(const PanelContext& c, const Strip& strip) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 colour = packed(c.colours().text);
    const float x = std::round(strip.x(c.session.player.position()));
    const float knob = 5 * c.scale;
    list.AddRectFilled({x - c.scale, strip.from.y}, {x + c.scale, strip.from.y + strip.size.y}, colour);
    list.AddTriangleFilled({x - knob, strip.from.y - knob}, {x + knob, strip.from.y - knob},
                           {x, strip.from.y + knob * 0.6f}, colour);
}

void tellRates(const PanelContext& c, const Strip& strip) {
    if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return;
    const double at = std::floor(strip.tick(ImGui::GetMousePos().x));
    const double width = strip.accesses / strip.size.x;
    std::string words = fmt::format("access {}", grouped(static_cast<std::uint64_t>(at)));
    for (std::size_t l = 0; l < c.machine().levels.size(); ++l) {
        const auto share =
            c.overview->share(l, static_cast<std::uint64_t>(at), static_cast<std::uint64_t>(at + std::max(1.0, width)));
        if (share.requests == 0) continue;
        words += fmt::format("\n{} hits {:.1f} % of {}", c.machine().levels[l].name,
                             100.0 * static_cast<double>(share.hits) / static_cast<double>(share.requests),
                             grouped(share.requests));
    }
    ImGui::SetTooltip("%s", words.c_str());
}

}  // namespace

void drawOverviewStrip(const PanelContext& c, float height) {
    const float labels = 30 * c.scale;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float top = 4 * c.scale;
    Strip strip{
        {origin.x + labels, origin.y + top},
        {std::max(20.0f, ImGui::GetContentRegionAvail().x - labels - 4 * c.scale), std::max(6.0f, height - top)},
        static_cast<double>(std::max<std::uint64_t>(1, c.trace().size()))};
    ImGui::SetCursorScreenPos(strip.from);
    ImGui::InvisibleButton("strip", strip.size);
    if (ImGui::IsItemActive()) {
        const double wanted = std::floor(strip.tick(ImGui::GetMousePos().x));
        if (ImGui::IsItemActivated() || ImGui::GetIO().MouseDelta.x != 0) c.queue("seek", wanted);
    }
    tellRates(c, strip);
    const std::size_t levels = c.machine().levels.size();
    const float gap = 2 * c.scale;
    const float row = (strip.size.y - gap * static_cast<float>(levels - 1)) / static_cast<float>(levels);
    for (std::size_t l = 0; l < levels; ++l) {
        drawRow(c, strip, l, strip.from.y + static_cast<float>(l) * (row + gap), row);
    }
    drawPlayhead(c, strip);
}

}  // namespace whorl::app
