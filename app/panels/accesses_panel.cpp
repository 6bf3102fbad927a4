// The last accesses: the latest is at the top.
#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/table_widget.h"
#include "app/panels/widgets.h"
#include "sim/report/sentence.h"

namespace whorl::app {

namespace {

sim::Table accessTable(const PanelContext& c) {
    constexpr std::size_t kRows = 64;
    const auto& recent = c.picture()->snapshot.recent;
    sim::Table table{.name = "last_accesses",
                     .title = {},
                     .columns = {{"tick", "access"},
                                 {"cpu", c.machine().cpus > 1 ? "CPU" : ""},
                                 {"op", ""},
                                 {"place", "to"},
                                 {"served_by", "found in"}},
                     .rows = {},
                     .ranked = false};
    for (std::size_t i = recent.size(); i-- > 0 && table.rows.size() < kRows;) {
        const sim::Step& step = recent[i];
        table.rows.push_back({step.tick.value, std::uint64_t{step.access.cpu},
                              std::string(step.access.isWrite() ? "write" : "read"),
                              c.trace().placeOf(step.access.address, step.tick),
                              c.machine().levelName(sim::servedBy(step, c.machine()))});
    }
    return table;
}

void drawAccesses(const PanelContext& c) {
    const auto& recent = c.picture()->snapshot.recent;
    KeptTable& kept = keptTable(c, "accesses");
    kept.keep(TableSource({c.context.opened.run}, {static_cast<double>(c.picture()->snapshot.begun().value)}),
              [&] { return accessTable(c); });
    const auto stepOf = [&](std::size_t r) -> const sim::Step& { return recent[recent.size() - 1 - r]; };
    std::vector<ShownColumn> columns{{.key = "tick", .keeps = 1, .ascends = true, .isMuted = true},
                                     {.key = "op"},
                                     {.key = "place"},
                                     {.key = "served_by", .keeps = 3}};
    const std::size_t own = c.machine().cpus > 1 ? 1 : 0;
    columns.insert(columns.begin() + 1, own, {.key = "cpu", .keeps = 2});
    drawTable(
        c, kept,
        {.thing = "access",
         .columns = std::move(columns),
         .named = 2 + own,
         .room = TableLook::Room::scrolls,
         .sorts = false,
         .row = [&](std::size_t r) { return RowLook{.hint = sim::sentenceFor(stepOf(r), c.trace(), c.machine())}; },
         .cell =
             [&](std::size_t r, const std::string& key) {
                 const bool isMiss = key == "served_by" && sim::servedBy(stepOf(r), c.machine()) > 0;
                 if (!isMiss) return false;
                 ImGui::PushStyleColor(ImGuiCol_Text, c.colours().warning);
                 ImGui::TextUnformatted(cellText(kept.cell(r, key)).c_str());
                 ImGui::PopStyleColor();
                 return true;
             }});
}

}  // namespace

void drawAccessesPanel(const PanelContext& c) {
    heading(c, "LAST ACCESSES");
    if (c.picture() == nullptr) return;
    ImGui::PushFont(c.fonts.small);
    drawAccesses(c);
    ImGui::PopFont();
}

}  // namespace whorl::app
