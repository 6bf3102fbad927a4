// The counts of each level: up to the playhead, or of the range.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/panels/panels.h"
#include "app/panels/table_widget.h"
#include "app/panels/widgets.h"
#include "app/tasks/figure_rows.h"

namespace whorl::app {

namespace {

/// The tab that explains a kind of miss in full, and a hint for it.
struct KindLead {
    CostTab tab;
    std::string_view words;
};
KindLead leadOf(sim::MissKind kind) {
    const bool isSharing = kind == sim::MissKind::trueSharing || kind == sim::MissKind::falseSharing;
    return isSharing
               ? KindLead{sharingTab(), "blocks that CPUs invalidate for each other, by which CPUs, and what helps"}
               : KindLead{CostTab::why, "the lines and arrays that stall most, how they miss, and what helps"};
}

/// A square in the kind's colour before its name; a click leads to where they come from.
void kindWords(const PanelContext& c, std::size_t kind) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = 0.5f * ImGui::GetTextLineHeight();
    const ImVec2 from(at.x + 4 * c.scale, at.y + side / 2);
    ImGui::GetWindowDrawList()->AddRectFilled(from, {from.x + side, from.y + side}, kindColour(c, kind));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + side + 10 * c.scale);
    const std::string name(sim::kMissKindWords[kind]);
    const KindLead lead = leadOf(static_cast<sim::MissKind>(kind));
    ImGui::PushStyleColor(ImGuiCol_Text, c.colours().muted);
    const bool isClicked = ImGui::Selectable(name.c_str(), false, 0, {ImGui::CalcTextSize(name.c_str()).x, 0});
    ImGui::PopStyleColor();
    nameItem(c, "misses " + name);
    hint(fmt::format("click to see {}", lead.words));
    if (isClicked) c.queue(command::CostsBy{lead.tab});
}

void kindBars(const PanelContext& c, const MissKindCounts& kinds) {
    std::array<ImU32, sim::kMissKinds> colours{};
    for (std::size_t k = 0; k < colours.size(); ++k) colours[k] = kindColour(c, k);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const float height = 6 * c.scale;
    ImGui::Dummy({1, height});
    for (const auto& level : kinds) {
        ImGui::TableNextColumn();
        stackedBar(ImGui::GetCursorScreenPos(), {ImGui::GetContentRegionAvail().x, height}, level, colours);
    }
}

void drawTable(const PanelContext& c, const Figures& figures) {
    const std::size_t levels = c.machine().levels.size();
    if (levels == 0 || !ImGui::BeginTable("statistics", static_cast<int>(1 + levels),
                                          ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchSame))
        return;
    // Numbers come first: in a narrow panel the longest names are cut.
    constexpr float kMaxOfNames = 0.42f;
    const float names =
        std::min(ImGui::CalcTextSize("  back-invalidations").x, kMaxOfNames * ImGui::GetContentRegionAvail().x);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, names);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    ImGui::TableNextColumn();
    for (const auto& level : c.machine().levels) numberCell(level.name);
    const std::vector<FigureRow> rows = figureRows(figures, c.machine());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const FigureRow& row = rows[i];
        const MutedScope aged(c, row.kind && figures.kindsAreOld);
        if (row.kind) {
            kindWords(c, *row.kind);
        } else {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            muted(c, row.words);
            if (!row.help.empty()) hint(row.help);
        }
        for (const std::string& cell : row.cells) numberCell(cell);
        const bool isLastKind = row.kind && !rows[i + 1].kind;
        if (isLastKind && figures.kinds != nullptr) kindBars(c, *figures.kinds);
    }
    ImGui::EndTable();
}

/// The access cycles of each CPU, relative to the longest.
void drawClocks(const PanelContext& c, const std::vector<sim::Cycles>& cycles) {
    if (cycles.size() == 1) {
        muted(c, fmt::format("access cycles: {}", sim::grouped(cycles.front())));
        return;
    }
    KeptTable& kept = keptTable(c, "clocks");
    kept.keep(TableSource({c.context.opened.run}, {cycles.begin(), cycles.end()}), [&] {
        sim::Table table{
            .name = "clocks", .title = {}, .columns = {{"cpu", "CPU"}, {"cycles", "access cycles"}}, .rows = {}};
        for (std::size_t cpu = 0; cpu < cycles.size(); ++cpu) table.rows.push_back({std::uint64_t{cpu}, cycles[cpu]});
        return table;
    });
    drawTable(c, kept,
              {.thing = "clock",
               .columns = {{.key = "cpu", .ascends = true},
                           {.key = "cycles"},
                           {.key = "cycles", .heading = " ", .isBar = true}},
               .row = [&](std::size_t cpu) {
                   const bool isShown = cpu == c.context.cpu;
                   return RowLook{.colour = isShown ? std::optional(c.colours().accent) : std::nullopt};
               }});
}

void draw(const PanelContext& c, const Figures& figures) {
    // Large numbers for many levels side by side need a small font.
    const bool crowded = c.machine().levels.size() > 2 || ImGui::GetContentRegionAvail().x < 240 * c.scale;
    if (crowded) ImGui::PushFont(c.fonts.small);
    drawTable(c, figures);
    if (crowded) ImGui::PopFont();
    for (const std::string& line : figureLines(figures, c.machine())) mutedWrapped(c, line);
    drawClocks(c, figures.cycles);
}

}  // namespace

void drawStatisticsPanel(const PanelContext& c) {
    headingOfFigures(c, "STATISTICS", "so far");
    if (c.picture() == nullptr) return;
    if (const RangeFigures* range = c.range()) {
        const MutedScope aged(c, c.isOld());
        draw(c, figuresIn(*range));
        return;
    }
    // Until the range is measured, the figures already known.
    const MutedScope aged(c, c.context.range.has_value());
    draw(c, figuresSoFar(*c.context.opened.run, c.picture()->snapshot, c.results.soFar.get()));
}

}  // namespace whorl::app
