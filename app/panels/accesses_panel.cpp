// The last accesses, the latest on top.
#include <fmt/format.h>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "sim/report/sentence.h"

namespace whorl::app {

namespace {

/// "hit", or the levels that missed: the same words for the same thing in every row, so that the column can be scanned.
std::string outcome(const sim::Step& step, const sim::MachineConfig& machine) {
    const std::size_t level = sim::servedBy(step, machine);
    return machine.levelName(level);
}

void row(const PanelContext& c, const sim::Step& step) {
    const bool miss = sim::servedBy(step, c.machine()) > 0;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    muted(c, grouped(step.tick.value));
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(step.access.isWrite() ? "write" : "read");
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(c.trace().placeOf(step.access.address, step.tick).c_str());
    hint(sim::sentenceFor(step, c.trace(), c.machine()));
    ImGui::TableNextColumn();
    if (miss) ImGui::PushStyleColor(ImGuiCol_Text, c.colours().warning);
    ImGui::TextUnformatted(outcome(step, c.machine()).c_str());
    if (miss) ImGui::PopStyleColor();
}

void drawTable(const PanelContext& c) {
    if (!ImGui::BeginTable("accesses", 4, ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY)) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("access", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableSetupColumn("to", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("found in", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableHeadersRow();
    const auto& recent = c.picture()->snapshot.recent;
    constexpr std::size_t kRows = 64;
    for (std::size_t i = recent.size(); i-- > 0 && recent.size() - i <= kRows;) row(c, recent[i]);
    ImGui::EndTable();
}

}  // namespace

void drawAccessesPanel(const PanelContext& c) {
    heading(c, "LAST ACCESSES");
    if (c.picture() == nullptr) return;
    ImGui::PushFont(c.fonts.small);
    drawTable(c);
    ImGui::PopFont();
}

}  // namespace whorl::app
