// A table of what costs most: sorted by a heading, filtered by name, picked by a click, exported as CSV.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "app/panels/cost_parts.h"
#include "app/panels/widgets.h"
#include "app/session/words.h"

namespace whorl::app {

namespace {

/// The columns that people read.
std::vector<std::size_t> shownColumns(const sim::Table& table) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (!table.columns[i].heading.empty()) shown.push_back(i);
    }
    return shown;
}

/// The kinds of misses of a level, which are in the columns after it, and what misses count where that matters.
std::string kindsAfter(const sim::Table& table, const std::vector<sim::Cell>& row, std::size_t column) {
    if (!table.columns[column].key.ends_with("_misses")) return {};
    std::string out;
    for (std::size_t k = 0; k < sim::kMissKinds && column + 1 + k < row.size(); ++k) {
        const auto* const n = std::get_if<std::uint64_t>(&row[column + 1 + k]);
        if (n != nullptr && *n > 0)
            out += fmt::format("{}{} {}", out.empty() ? "" : "\n", grouped(*n), sim::kMissKindWords[k]);
    }
    if (!out.empty() && sim::hasMoreMisses(table, row)) out += fmt::format("\n{}", sim::kUnitOfMisses);
    return out;
}

void drawCostRow(const PanelContext& c, const sim::Table& table, std::size_t r, const std::vector<std::size_t>& columns,
                 const sim::Measures& measures) {
    const auto& row = table.rows[r];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(static_cast<int>(r));
    const std::string name = costCellText(row.front());
    if (ImGui::Selectable(cut(name, ImGui::GetContentRegionAvail().x).c_str(), name == c.edits.costs.picked,
                          ImGuiSelectableFlags_SpanAllColumns)) {
        pickCost(c, c.session.overlays.costTab, name, measures);
    }
    nameItem(c, "cost " + name);
    hint(name);
    ImGui::PopID();
    for (std::size_t i = 1; i < columns.size(); ++i) {
        numberCell(costCellText(row[columns[i]]));
        const std::string kinds = kindsAfter(table, row, columns[i]);
        if (!kinds.empty()) hint(kinds);
    }
}

void drawRows(const PanelContext& c, const sim::Table& table, const sim::Measures& measures) {
    const std::vector<std::size_t> columns = shownColumns(table);
    constexpr auto kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY |
                            ImGuiTableFlags_ScrollX | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
    const float names = std::max(150 * c.scale, ImGui::GetContentRegionAvail().x * 0.3f);
    if (!ImGui::BeginTable(table.name.c_str(), static_cast<int>(columns.size()), kFlags)) return;
    ImGui::TableSetupScrollFreeze(1, 1);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const sim::Column& column = table.columns[columns[i]];
        if (i == 0) {
            ImGui::TableSetupColumn(column.heading.c_str(), ImGuiTableColumnFlags_WidthFixed, names);
            continue;
        }
        const bool isDefault = column.key == "cycles";
        const float arrow = 14 * c.scale;
        const float width = std::max(ImGui::CalcTextSize(column.heading.c_str()).x + arrow,
                                     ImGui::CalcTextSize(c.edits.costs.widest[columns[i]].c_str()).x);
        ImGui::TableSetupColumn(column.heading.c_str(),
                                ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_PreferSortDescending |
                                    (isDefault ? ImGuiTableColumnFlags_DefaultSort : ImGuiTableColumnFlags_None),
                                width);
    }
    ImGui::TableHeadersRow();
    takeCostOrder(c, columns);
    const std::vector<std::size_t>& rows = costRowsShown(c, table);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()));
    while (clipper.Step()) {
        for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
            drawCostRow(c, table, rows[static_cast<std::size_t>(r)], columns, measures);
        }
    }
    ImGui::EndTable();
}

/// Tables of large traces take a while to make: one is kept until it is of something else.
const std::optional<sim::Table>& tableFor(const PanelContext& c, const SharedMeasures& measures) {
    CostEdits& edits = c.edits.costs;
    const CostTab tab = c.session.overlays.costTab;
    const std::shared_ptr<const sim::History> history =
        c.historyViews() == nullptr ? nullptr : c.historyViews()->shared();
    if (edits.tab == tab && isSame(edits.measures, measures) && isSame(edits.history, history)) return edits.table;
    if (edits.tab != tab) edits.order = {};
    edits.tab = tab;
    edits.measures = measures;
    edits.history = history;
    edits.table = costTable(tab, *measures, history.get(), c.trace());
    edits.rows.reset();
    edits.widest = edits.table ? widestCells(*edits.table) : std::vector<std::string>();
    return edits.table;
}

}  // namespace

std::string costCellText(const sim::Cell& cell) {
    if (const auto* number = std::get_if<std::uint64_t>(&cell)) return grouped(*number);
    if (const auto* ratio = std::get_if<double>(&cell)) return fmt::format("{:.1f}", *ratio);
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return {};
}

void takeCostOrder(const PanelContext& c, const std::vector<std::size_t>& columns) {
    const ImGuiTableSortSpecs* const specs = ImGui::TableGetSortSpecs();
    if (specs == nullptr || specs->SpecsCount == 0) return;
    const auto& chosen = specs->Specs[0];
    const CostOrder order{.column = columns[static_cast<std::size_t>(chosen.ColumnIndex)],
                          .isDescending = chosen.SortDirection == ImGuiSortDirection_Descending};
    if (std::exchange(c.edits.costs.order, order) != order) c.edits.costs.rows.reset();
}

const std::vector<std::size_t>& costRowsShown(const PanelContext& c, const sim::Table& table) {
    CostEdits& edits = c.edits.costs;
    if (!edits.rows) {
        edits.rows = edits.tab == CostTab::sharing && edits.sharing
                         ? sharingRows(*edits.sharing, edits.filter, edits.order)
                         : costRows(table, edits.filter, edits.order);
    }
    return *edits.rows;
}

void drawCostFilter(const PanelContext& c, const sim::Table& table) {
    CostEdits& edits = c.edits.costs;
    ImGui::SetNextItemWidth(180 * c.scale);
    std::array<char, 128> text{};
    std::copy_n(edits.filter.data(), std::min(edits.filter.size(), text.size() - 1), text.data());
    if (ImGui::InputTextWithHint("##filter", "filter by name", text.data(), text.size())) {
        edits.filter = text.data();
        edits.rows.reset();
    }
    nameItem(c, "field costs");
    const auto csv = [&] { return sim::tableAsCsv(onlyRows(table, costRowsShown(c, table))); };
    ImGui::SameLine();
    if (ImGui::Button("copy CSV")) ImGui::SetClipboardText(csv().c_str());
    nameItem(c, "copy costs");
    hint("the rows shown, with all their figures, to the clipboard");
    ImGui::SameLine();
    if (ImGui::Button("save CSV")) {
        edits.saved = SavedTable{.name = "whorl-" + std::string(wordOf(c.session.overlays.costTab)), .text = csv()};
    }
    nameItem(c, "save costs");
    hint("into a new file in the current folder");
}

std::vector<std::string> widestCells(const sim::Table& table) {
    std::vector<sim::Cell> largest(table.columns.size());
    for (const auto& row : table.rows) {
        for (std::size_t i = 1; i < row.size(); ++i) {
            if (largest[i] < row[i]) largest[i] = row[i];
        }
    }
    std::vector<std::string> widest;
    widest.reserve(largest.size());
    for (const sim::Cell& cell : largest) widest.push_back(costCellText(cell));
    return widest;
}

void pickLine(const PanelContext& c, sim::SiteId site) {
    if (c.context.player.playing()) c.queue(command::Play{});
    c.queue(command::PickSource{site.value});
}

void pickCost(const PanelContext& c, CostTab tab, const std::string& name, const sim::Measures& measures) {
    c.edits.costs.picked = name;
    const auto command = pickOf(tab, name, measures, c.trace());
    if (!command) return;
    if ((tab == CostTab::lines || tab == CostTab::functions) && c.context.player.playing()) c.queue(command::Play{});
    c.queue(*command);
}

void drawCostTable(const PanelContext& c, const SharedMeasures& measures) {
    if (measures == nullptr) {
        muted(c, c.context.range ? "being measured …" : "When the run is simulated to its end.");
        return;
    }
    const std::optional<sim::Table>& table = tableFor(c, measures);
    if (!table) {
        muted(c, "being computed …");
        return;
    }
    if (table->rows.empty()) {
        muted(c, "The trace has none.");
        return;
    }
    drawCostFilter(c, *table);
    const MutedScope aged(c, c.context.range.has_value() && c.isOld());
    drawRows(c, *table, *measures);
}

}  // namespace whorl::app
