// The listing, with the line of the current access lit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/panel.h"
#include "sim/run/sentence.h"

namespace whorl::app {

namespace {

/// The line with its indentation halved when it is in steps of four, so that more of it can be seen.
std::string narrowed(const std::string& line) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    return line.substr(indent % 4 == 0 ? indent / 2 : 0);
}

/// The line is drawn as a whole, so that the light behind it reaches from edge to edge.
void drawLine(const PanelContext& c, std::size_t number, const std::string& text, bool current, bool miss) {
    const Theme colours = c.colours();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetTextLineHeightWithSpacing();
    if (current) {
        const float right = at.x + std::max(ImGui::GetContentRegionAvail().x, ImGui::GetScrollMaxX() + 4000);
        const ImVec2 from(at.x - 4 * c.scale, at.y - 1);
        ImGui::GetWindowDrawList()->AddRectFilled(from, {right, at.y + height - 2}, packed(colours.selected), 3);
        const ImVec4 bar = miss ? colours.warning : colours.accent;
        ImGui::GetWindowDrawList()->AddRectFilled(from, {from.x + 3 * c.scale, at.y + height - 2}, packed(bar));
    }
    ImGui::PushStyleColor(ImGuiCol_Text, colours.muted);
    ImGui::Text("%3zu ", number);
    ImGui::PopStyleColor();
    ImGui::SameLine(0, 0);
    ImGui::TextUnformatted(narrowed(text).c_str());
}

/// Brings the line into sight, by half pages, so that a loop of a few lines does not rock the listing. Where it scrolls
/// to depends on the line and the panel's height alone: a recorded frame must not tell of the frames before it.
void keepInSight(std::uint32_t line, const PanelContext& c) {
    if (line == c.edits.listedLine) return;
    c.edits.listedLine = line;
    const float y = static_cast<float>(line - 1) * ImGui::GetTextLineHeightWithSpacing();
    const float seen = ImGui::GetWindowHeight();
    const float page = seen / 2;
    ImGui::SetScrollY(std::floor(std::max(0.0f, y - seen / 4) / page) * page);
}

}  // namespace

void drawSourcePanel(const PanelContext& c) {
    const sim::Step* step = c.picture == nullptr ? nullptr : c.picture->moment.current();
    sim::Site site = step == nullptr ? sim::Site{} : c.trace().site(step->access.site);
    if (site.line == 0 && c.picture != nullptr && !c.trace().files().empty()) site.file = 0;
    const bool known = c.picture != nullptr && !c.trace().files().empty();
    heading(c, known ? fmt::format("SOURCE  {}", c.trace().files()[site.file].path).c_str() : "SOURCE");
    if (!known) {
        muted(c, "This trace does not say which\nsource lines made its accesses.");
        return;
    }
    const sim::SourceFile& file = c.trace().files()[site.file];
    if (file.lines.empty()) {
        muted(c, site.line == 0 ? "" : fmt::format("line {} (the file's text was not found)", site.line));
        return;
    }
    ImGui::BeginChild("listing", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::PushFont(c.fonts.mono);
    if (site.line != 0) keepInSight(site.line, c);
    const bool miss = step != nullptr && sim::servedBy(*step, c.machine()) > 0;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(file.lines.size()), ImGui::GetTextLineHeightWithSpacing());
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const auto number = static_cast<std::size_t>(i) + 1;
            drawLine(c, number, file.lines[static_cast<std::size_t>(i)], number == site.line, miss);
        }
    }
    ImGui::PopFont();
    ImGui::EndChild();
}

}  // namespace whorl::app
