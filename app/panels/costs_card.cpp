// What costs most: why, with advice that was tried; and tables of functions, lines, regions, objects, fields, classes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "app/panels/cost_rows.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/words.h"
#include "sim/report/why_report.h"

namespace whorl::app {

namespace {

using Measured = std::shared_ptr<const sim::Measures>;

/// The measures of the range, or of the whole run; null while they are not known.
Measured measuresOf(const PanelContext& c) {
    if (!c.session.range) return c.session.opened.run->measures();
    return c.range() == nullptr ? nullptr : Measured(c.results.range, &c.range()->measures);
}

/// Picks the thing of a row in all views. A line is shown where it is, which it is not while accesses are played.
void pick(const PanelContext& c, CostTab tab, const std::string& name, const sim::Measures& measures) {
    c.edits.costs.picked = name;
    const auto command = pickOf(tab, name, measures, c.trace());
    if (!command) return;
    if ((tab == CostTab::lines || tab == CostTab::functions) && c.session.player.playing()) c.queue(command::Play{});
    c.queue(*command);
}

// --- why

void drawCureButton(const PanelContext& c, const sim::StallRow& row) {
    if (!row.cure) return;
    if (ImGui::SmallButton("try it")) {
        for (const sim::LayoutChange& change : row.cure->changes) c.queue(command::Change{change});
    }
    hint("change the layout so in this run, beside the run as it was (what if)");
}

/// The figures of a row in words: "61 % of the stall cycles, 4 096 L1 misses: 4 032 capacity, stride constant 512".
std::string figuresOf(const sim::StallRow& row, const sim::WhyReport& report) {
    const double share = report.lost == 0 ? 0 : 100 * static_cast<double>(row.lost) / static_cast<double>(report.lost);
    std::string out = fmt::format("{} stall cycles, {:.1f} % of all; {} {} misses", grouped(row.lost), share,
                                  grouped(row.missesAt(0)), report.machine.levels[0].name);
    std::string kinds;
    for (std::size_t k = 0; k < sim::kMissKinds; ++k) {
        if (row.misses[0][k] == 0) continue;
        kinds += fmt::format("{}{} {}", kinds.empty() ? ": " : ", ", grouped(row.misses[0][k]), sim::kMissKindWords[k]);
    }
    const sim::StrideSummary& stride = row.line ? row.array.stride : row.stride;
    out += kinds + fmt::format("; strides {}", sim::strideInWords(stride));
    if (row.stays[0].fills > 0) {
        out += fmt::format("; {:.0f} % of the fetched bytes used",
                           100 * row.stays[0].utilization(report.machine.levels[0].block));
    }
    return out;
}

void drawStall(const PanelContext& c, const sim::StallRow& row, const sim::WhyReport& report,
               const sim::Measures* measures) {
    ImGui::PushStyleColor(ImGuiCol_Text, c.colours().accent);
    const bool isClicked = ImGui::Selectable(row.name.c_str(), false, 0, {ImGui::CalcTextSize(row.name.c_str()).x, 0});
    ImGui::PopStyleColor();
    nameItem(c, "why " + row.name);
    hint("show it in all views");
    if (isClicked && measures != nullptr) {
        pick(c, row.line ? CostTab::lines : CostTab::regions, row.name, *measures);
    }
    if (row.cure) ImGui::SameLine();
    drawCureButton(c, row);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(sim::adviceFor(row, report).c_str());
    muted(c, figuresOf(row, report));
    ImGui::PopTextWrapPos();
    ImGui::Dummy({0, 4 * c.scale});
}

void drawStalls(const PanelContext& c, const char* words, const std::vector<sim::StallRow>& rows,
                const sim::WhyReport& report, const sim::Measures* measures) {
    heading(c, words);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        drawStall(c, rows[i], report, measures);
        ImGui::PopID();
    }
    if (rows.empty()) muted(c, "none stalls");
}

void drawWhy(const PanelContext& c, const sim::Measures* measures) {
    const auto& report = c.results.why;
    if (report == nullptr) {
        if (!c.results.findingWhy) {
            muted(c, c.session.complete() ? "It was cancelled." : "When the run is simulated to its end.");
            return;
        }
        ImGui::ProgressBar(static_cast<float>(std::max(0.0, c.results.whyFraction)), {220 * c.scale, 0},
                           "trying layouts");
        ImGui::SameLine();
        if (ImGui::Button("cancel")) c.queue(command::Costs{});
        return;
    }
    ImGui::PushTextWrapPos(0);
    muted(c, fmt::format("whole run: {} stall cycles of {} cycles; {} tried", grouped(report->lost),
                         grouped(report->cycles), sim::counted(report->tried, "layout", "layouts")));
    ImGui::PopTextWrapPos();
    ImGui::Dummy({0, 4 * c.scale});
    const std::array<const char*, 2> words = {"SOURCE LINES THAT STALL MOST", "ARRAYS THAT STALL MOST"};
    ImGui::PushID("lines");
    drawStalls(c, words[0], report->lines, *report, measures);
    ImGui::PopID();
    drawStalls(c, words[1], report->arrays, *report, measures);
}

// --- tables

/// The columns that people read.
std::vector<std::size_t> shownColumns(const sim::Table& table) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (!table.columns[i].heading.empty()) shown.push_back(i);
    }
    return shown;
}

std::string textOf(const sim::Cell& cell) {
    if (const auto* number = std::get_if<std::uint64_t>(&cell)) return grouped(*number);
    if (const auto* ratio = std::get_if<double>(&cell)) return fmt::format("{:.1f}", *ratio);
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return {};
}

/// The kinds of misses of a level, which are in the columns after it.
std::string kindsAfter(const sim::Table& table, const std::vector<sim::Cell>& row, std::size_t column) {
    if (!table.columns[column].key.ends_with("_misses")) return {};
    std::string out;
    for (std::size_t k = 0; k < sim::kMissKinds && column + 1 + k < row.size(); ++k) {
        const auto* const n = std::get_if<std::uint64_t>(&row[column + 1 + k]);
        if (n != nullptr && *n > 0)
            out += fmt::format("{}{} {}", out.empty() ? "" : "\n", grouped(*n), sim::kMissKindWords[k]);
    }
    return out;
}

void drawCostRow(const PanelContext& c, const sim::Table& table, std::size_t r, const std::vector<std::size_t>& columns,
                 const sim::Measures& measures) {
    const auto& row = table.rows[r];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(static_cast<int>(r));
    const std::string name = textOf(row.front());
    if (ImGui::Selectable(cut(name, ImGui::GetContentRegionAvail().x).c_str(), name == c.edits.costs.picked,
                          ImGuiSelectableFlags_SpanAllColumns)) {
        pick(c, c.session.overlays.costTab, name, measures);
    }
    nameItem(c, "cost " + name);
    hint(name);
    ImGui::PopID();
    for (std::size_t i = 1; i < columns.size(); ++i) {
        numberCell(textOf(row[columns[i]]));
        const std::string kinds = kindsAfter(table, row, columns[i]);
        if (!kinds.empty()) hint(kinds);
    }
}

/// The order that a click on a heading chose.
void takeOrder(const PanelContext& c, const std::vector<std::size_t>& columns) {
    const ImGuiTableSortSpecs* const specs = ImGui::TableGetSortSpecs();
    if (specs == nullptr || specs->SpecsCount == 0) return;
    const auto& chosen = specs->Specs[0];
    c.edits.costs.order = {.column = columns[static_cast<std::size_t>(chosen.ColumnIndex)],
                           .isDescending = chosen.SortDirection == ImGuiSortDirection_Descending};
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
    takeOrder(c, columns);
    const std::vector<std::size_t> rows = costRows(table, c.edits.costs.filter, c.edits.costs.order);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()));
    while (clipper.Step()) {
        for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
            drawCostRow(c, table, rows[static_cast<std::size_t>(r)], columns, measures);
        }
    }
    ImGui::EndTable();
}

void drawFilter(const PanelContext& c, const sim::Table& table) {
    CostEdits& edits = c.edits.costs;
    ImGui::SetNextItemWidth(180 * c.scale);
    std::array<char, 128> text{};
    std::copy_n(edits.filter.data(), std::min(edits.filter.size(), text.size() - 1), text.data());
    ImGui::InputTextWithHint("##filter", "filter by name", text.data(), text.size());
    edits.filter = text.data();
    nameItem(c, "field costs");
    const auto csv = [&] { return sim::tableAsCsv(onlyRows(table, costRows(table, edits.filter, edits.order))); };
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

/// The longest text of each column, for its width.
std::vector<std::string> widestOf(const sim::Table& table) {
    std::vector<std::string> widest(table.columns.size());
    for (const auto& row : table.rows) {
        for (std::size_t i = 1; i < row.size(); ++i) {
            if (std::string text = textOf(row[i]); text.size() > widest[i].size()) widest[i] = std::move(text);
        }
    }
    return widest;
}

template <class T>
bool isSame(const std::weak_ptr<const T>& a, const std::shared_ptr<const T>& b) {
    return !a.owner_before(b) && !b.owner_before(a);
}

/// Tables of large traces take a while to make: one is kept until it is of something else.
const std::optional<sim::Table>& tableFor(const PanelContext& c, const Measured& measures) {
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
    edits.widest = edits.table ? widestOf(*edits.table) : std::vector<std::string>();
    return edits.table;
}

void drawCostTable(const PanelContext& c, const Measured& measures) {
    if (measures == nullptr) {
        muted(c, c.session.range ? "being measured …" : "When the run is simulated to its end.");
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
    drawFilter(c, *table);
    const MutedScope aged(c, c.session.range.has_value() && c.isOld());
    drawRows(c, *table, *measures);
}

void drawTabs(const PanelContext& c) {
    for (std::size_t i = 0; i < kWords<CostTab>.size(); ++i) {
        const auto tab = static_cast<CostTab>(i);
        const std::string word(kWords<CostTab>[i]);
        if (i > 0) ImGui::SameLine();
        const bool isChosen = tab == c.session.overlays.costTab;
        ImGui::PushStyleColor(ImGuiCol_Text, isChosen ? c.colours().accent : c.colours().muted);
        if (ImGui::Selectable(word.c_str(), isChosen, 0, {ImGui::CalcTextSize(word.c_str()).x, 0})) {
            c.queue(command::CostsBy{tab});
        }
        ImGui::PopStyleColor();
        nameItem(c, "costs " + word);
    }
}

}  // namespace

void drawCostsCard(const PanelContext& c, const gl::Rect& canvas) {
    if (!c.session.opened.run) return;
    const float gap = 6 * c.scale;
    const auto x = static_cast<float>(canvas.x);
    const auto height = static_cast<float>(canvas.height);
    const float width = std::max(300 * c.scale, static_cast<float>(canvas.width) - 2 * gap);
    const float tall = std::max(160 * c.scale, height * 0.55f);
    ImGui::SetNextWindowPos({x + gap, static_cast<float>(canvas.y) + height - tall - gap});
    ImGui::SetNextWindowSize({width, tall});
    constexpr auto kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                            ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                            ImGuiWindowFlags_NoNav;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    const bool isOpen = ImGui::Begin("##costs", nullptr, kFlags);
    ImGui::PopStyleVar();
    if (isOpen) {
        ImGui::PushFont(c.fonts.small);
        const bool ofRange = c.session.range.has_value() && c.session.overlays.costTab != CostTab::why;
        headingOfFigures(c, "WHAT COSTS MOST", ofRange ? "the range" : "whole run");
        ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize("×").x -
                        2 * ImGui::GetStyle().FramePadding.x);
        if (ImGui::SmallButton("×")) c.queue(command::Costs{});
        hint(withKey("close", command::Costs{}));
        drawTabs(c);
        ImGui::BeginChild("content");
        const Measured measures = measuresOf(c);
        if (c.session.overlays.costTab == CostTab::why) {
            drawWhy(c, measures.get());
        } else {
            drawCostTable(c, measures);
        }
        ImGui::EndChild();
        ImGui::PopFont();
    }
    ImGui::End();
}

}  // namespace whorl::app
