// The listing, with the line of the current access highlighted, and the cost of each line in a range.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "sim/report/sentence.h"

namespace whorl::app {

namespace {

/// The line with its indentation halved when it is in steps of four, so that more of it is visible.
std::string_view narrowed(std::string_view line) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    return line.substr(indent % 4 == 0 ? indent / 2 : 0);
}

/// The costs of the lines of one file in the range.
struct LineHeat {
    std::vector<std::uint64_t> lines;  ///< by line, from 0; empty when nothing is measured
    std::uint64_t most = 0;

    std::uint64_t at(std::size_t number) const { return number < lines.size() ? lines[number] : 0; }
};

/// Whether the numbers before the lines are misses; without caches, they are cycles in any case.
bool showsMisses(const PanelContext& c) {
    return c.context.heat == Heat::misses && !c.machine().levels.empty();
}

LineHeat heatOf(const PanelContext& c, std::uint32_t file) {
    LineHeat heat;
    const RangeFigures* range = c.range();
    if (range == nullptr) return heat;
    const sim::TallyTable& table = range->measures.ledger->sites;
    // Without its text, a file has lines up to the last one with a site.
    std::size_t last = c.trace().files()[file].lines.size();
    if (last == 0) {
        for (const sim::Site& site : c.trace().sites()) {
            if (site.file == file) last = std::max<std::size_t>(last, site.line);
        }
    }
    heat.lines.resize(last + 1);
    for (std::size_t s = 0; s < table.rows(); ++s) {
        const sim::Site& site = c.trace().sites()[s];
        if (site.file != file || site.line == 0 || site.line >= heat.lines.size()) continue;
        heat.lines[site.line] += showsMisses(c) ? table.misses(s, 0) : table.cycles(s);
        heat.most = std::max(heat.most, heat.lines[site.line]);
    }
    return heat;
}

/// A number before the line, with a background colour by its share of the hottest line.
void drawHeat(const PanelContext& c, const LineHeat& heat, std::size_t number) {
    if (heat.lines.empty()) return;
    const std::uint64_t cost = heat.at(number);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::CalcTextSize("1 000 000 ").x;
    const float height = ImGui::GetTextLineHeightWithSpacing();
    if (cost > 0) {
        // Red is for misses.
        ImVec4 warmth = showsMisses(c) ? c.colours().warning : c.colours().accent;
        warmth.w = 0.4f;
        const float share = static_cast<float>(cost) / static_cast<float>(heat.most);
        ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y - 1}, {at.x + share * width, at.y + height - 2},
                                                  packed(warmth));
    }
    const std::string words = cost > 0 ? grouped(cost) : std::string();
    const MutedScope aged(c, c.isOld());
    ImGui::Dummy({std::max(0.0f, width - ImGui::CalcTextSize((words + " ").c_str()).x), 1});
    ImGui::SameLine(0, 0);
    ImGui::TextUnformatted((words + " ").c_str());
    ImGui::SameLine(0, 0);
}

/// What to do about a file whose text is not available.
void drawMissingText(const PanelContext& c) {
    mutedWrapped(c, c.context.opened.request.reading.sources.none
                        ? "Texts of source files are left out by --no-sources."
                        : "The text of this file was not found.");
    if (ImGui::SmallButton("look in another folder …")) c.queue(command::Ask{Asks::command, "sources-in "});
    nameItem(c, "sources in");
    hint(wordsWithKey(command::SourcesIn{}));
}

/// The lines of a file whose text is not available, those that have costs.
void drawBareLines(const PanelContext& c, const LineHeat& heat) {
    ImGui::PushFont(c.fonts.mono);
    for (std::size_t number = 1; number < heat.lines.size(); ++number) {
        if (heat.at(number) == 0) continue;
        drawHeat(c, heat, number);
        muted(c, fmt::format("line {}", number));
    }
    ImGui::PopFont();
}

/// Draws the whole line, so that its highlight reaches from edge to edge.
void drawLine(const PanelContext& c, std::size_t number, std::string_view text, bool current, bool miss, bool found,
              const LineHeat& heat) {
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
    if (found) {
        ImGui::GetWindowDrawList()->AddRect({at.x - 3 * c.scale, at.y - 1},
                                            {at.x + ImGui::GetWindowWidth() - 20 * c.scale, at.y + height - 2},
                                            packed(colours.accent), 3);
    }
    drawHeat(c, heat, number);
    ImGui::PushStyleColor(ImGuiCol_Text, found ? colours.accent : colours.muted);
    ImGui::Text("%3zu ", number);
    ImGui::PopStyleColor();
    ImGui::SameLine(0, 0);
    const std::string_view seen = narrowed(text);
    ImGui::TextUnformatted(seen.data(), seen.data() + seen.size());
}

/// The mouse on a line that makes accesses: a click picks it, a double click opens it in the editor, and a right click
/// opens its menu.
void takeMouse(const PanelContext& c, std::uint32_t file, std::size_t number) {
    const bool opensMenu = ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    if (!opensMenu && !ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
    const std::vector<sim::Site>& sites = c.trace().sites();
    const auto isIt = [&](const sim::Site& site) { return site.file == file && site.line == number; };
    const auto site = std::find_if(sites.begin(), sites.end(), isIt);
    if (site == sites.end()) return;
    const command::PickSource pick{static_cast<std::uint32_t>(site - sites.begin())};
    c.queue(pick);
    if (opensMenu) {
        c.edits.menuOf = pick;
        c.queue(command::Focus{Field::contextMenu});
    } else if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        c.queue(command::Edit{});
    }
}

void bringIntoSight(std::uint32_t line) {
    const float y = static_cast<float>(line - 1) * ImGui::GetTextLineHeightWithSpacing();
    const float seen = ImGui::GetWindowHeight();
    const float page = seen / 2;
    ImGui::SetScrollY(std::floor(std::max(0.0f, y - seen / 4) / page) * page);
}

/// Scrolls the line into view, by half pages, so that a loop of a few lines does not rock the listing. The scroll
/// position depends on the line and the panel's height alone: a recorded frame must not depend on the frames before it.
void keepInSight(std::uint32_t line, const PanelContext& c) {
    if (line == c.edits.listedLine) return;
    c.edits.listedLine = line;
    bringIntoSight(line);
}

/// Says what the numbers before the lines are, with a switch to the other ones.
void drawHeading(const PanelContext& c, const std::string& path) {
    heading(c, path.empty() ? "SOURCE" : fmt::format("SOURCE  {}", path).c_str());
    if (path.empty() || c.range() == nullptr) return;
    const std::string of = showsMisses(c) ? c.machine().levelName(0) + " misses" : "access cycles";
    ImGui::SameLine();
    ImGui::PushFont(c.fonts.small);
    ImGui::PushStyleColor(ImGuiCol_Text, c.colours().accent);
    if (ImGui::Selectable((of + " of the range").c_str(), false, 0,
                          ImGui::CalcTextSize((of + " of the range").c_str()))) {
        c.queue(changeOf("heat"));
    }
    nameItem(c, "numbers of lines " + of);
    ImGui::PopStyleColor();
    ImGui::PopFont();
    hint("misses or access cycles (h)");
}

}  // namespace

void drawSourcePanel(const PanelContext& c) {
    const sim::Step* step = c.picture() == nullptr ? nullptr : c.picture()->snapshot.current();
    sim::Site site = step == nullptr ? sim::Site{} : c.trace().site(step->access.site);
    if (site.line == 0 && c.picture() != nullptr && !c.trace().files().empty()) site.file = 0;
    const auto& found = c.context.line;
    // The line that was searched for is shown until playback resumes.
    const bool shown = found && !c.context.player.playing() && found->file < c.trace().files().size();
    if (shown && found->file != site.file) site = {.file = found->file, .line = 0, .pc = {}};
    const bool known = c.picture() != nullptr && !c.trace().files().empty();
    drawHeading(c, known ? c.trace().files()[site.file].path : std::string());
    if (!known) {
        muted(c, "This trace has no source lines.");
        return;
    }
    const sim::SourceFile& file = c.trace().files()[site.file];
    if (file.lines.empty()) {
        if (site.line != 0) muted(c, fmt::format("line {}", site.line));
        drawMissingText(c);
        drawBareLines(c, heatOf(c, site.file));
        return;
    }
    ImGui::BeginChild("listing", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::PushFont(c.fonts.mono);
    if (shown && c.edits.foundLine != found) {
        bringIntoSight(found->line);
        c.edits.listedLine = site.line;
    } else if (site.line != 0) {
        keepInSight(site.line, c);
    }
    c.edits.foundLine = found;
    const LineHeat heat = heatOf(c, site.file);
    const bool miss = step != nullptr && sim::servedBy(*step, c.machine()) > 0;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(file.lines.size()), ImGui::GetTextLineHeightWithSpacing());
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const auto number = static_cast<std::size_t>(i) + 1;
            const ImVec2 at = ImGui::GetCursorScreenPos();
            drawLine(c, number, file.lines[static_cast<std::size_t>(i)], number == site.line, miss,
                     found && found->file == site.file && found->line == number, heat);
            nameItem(c, fmt::format("source line {}", number));
            const float left = ImGui::GetWindowPos().x;
            const ImVec2 end(left + ImGui::GetWindowWidth(), at.y + ImGui::GetTextLineHeightWithSpacing());
            if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({left, at.y}, end))
                takeMouse(c, site.file, number);
        }
    }
    ImGui::PopFont();
    ImGui::EndChild();
}

}  // namespace whorl::app
