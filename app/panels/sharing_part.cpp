// Sharing, one of the tables of what costs most: the blocks that CPUs invalidate for each other, under each a row for
// each offset that is accessed, and the layout changes that help. The rows are those of `whorl sharing --csv`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "app/panels/cost_parts.h"
#include "app/panels/widgets.h"
#include "sim/analysis/sharing_trials.h"
#include "sim/report/sharing_report.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

using Column = sim::SharingColumn;

/// A column as it is shown: its heading and what it means.
struct ShownColumn {
    Column column;
    const char* heading;
    const char* means;
};
constexpr std::array<ShownColumn, 14> kColumns = {{
    {Column::place, "block / place", "the level and the address of a block, and what is in it; what is at an offset"},
    {Column::offset, "offset", "bytes from the start of the block"},
    {Column::cpus, "CPUs", "those that access it"},
    {Column::reads, "reads", "accesses that read, over the span above"},
    {Column::writes, "writes", "accesses that write, over the span above"},
    {Column::lost, "cycles lost",
     "access cycles, beyond a look-up in the nearest level, of accesses that missed a copy invalidated by another CPU, "
     "and of upgrades that invalidated one. A miss in several levels counts at the farthest."},
    {Column::kind, "kind", "of most misses: false sharing, where CPUs use different words; true sharing, the same"},
    {Column::lines, "source lines", "those that access it, the costliest first"},
    {Column::cure, "cure",
     "the change of the layout that saves most, at least 1 % of all stall cycles, tried on this machine; for all "
     "blocks alike"},
    {Column::savedElapsed, "saves elapsed", "cycles until all CPUs have finished, over the span above"},
    {Column::savedCycles, "saves cycles", "access cycles of all CPUs, over the span above"},
    {Column::falseMisses, "false misses", "misses by false sharing at this level"},
    {Column::trueMisses, "true misses", "misses by true sharing at this level"},
    {Column::invalidations, "invalidated", "copies of the block in caches of this level that were invalidated"},
}};

std::vector<std::size_t> tableColumns() {
    std::vector<std::size_t> out;
    out.reserve(kColumns.size());
    for (const ShownColumn& shown : kColumns) out.push_back(static_cast<std::size_t>(shown.column));
    return out;
}

/// "whole run", or "accesses 1 000 to 2 000".
std::string spanOf(const PanelContext& c, sim::Range range) {
    if (range.from.value == 0 && range.to.value >= c.trace().size()) return "whole run";
    return fmt::format("accesses {} to {}", grouped(range.from.value), grouped(range.to.value));
}

std::string adviceOf(const sim::Trial& cure) {
    return cure.changes.size() == 1 ? sim::asAdvice(cure.changes.front())
                                    : fmt::format("{} changes together", cure.changes.size());
}

/// A button that applies the changes of a cure.
void drawCure(const PanelContext& c, const sim::Trial& cure, float width, const std::string& remarks = {}) {
    std::string specs;
    for (const sim::LayoutChange& change : cure.changes) specs += " " + sim::asText(change);
    ImGui::PushID(specs.c_str());
    if (ImGui::SmallButton(cut(adviceOf(cure), width - 2 * ImGui::GetStyle().FramePadding.x).c_str())) {
        for (const sim::LayoutChange& change : cure.changes) c.queue(command::Change{change});
    }
    nameItem(c, "sharing cure" + specs);
    std::string words = remarks.empty() ? "" : remarks + '\n';
    for (const sim::LayoutChange& change : cure.changes) words += sim::asAdvice(change) + '\n';
    hint(fmt::format("{}it {}\nclick to try it in this run, beside the run as it was (what if)", words,
                     sim::savingsOf(cure)));
    ImGui::PopID();
}

/// Why a block has no cure.
void drawNoCure(const PanelContext& c, const sim::SharingReport& report, const sim::SharingGroup& group) {
    muted(c, group.alternating.empty() ? "none" : "contiguous chunks");
    const std::string remarks = sim::remarksOn(report, group);
    hint(remarks.empty() ? "no change of the layout was found to try" : remarks);
}

std::string wordsOf(const sim::FieldLine& line, const sim::Trace& trace) {
    return fmt::format("{}: {}, {}, {} lost", siteName(trace, trace.site(line.site)),
                       sim::counted(line.reads, "read", "reads"), sim::counted(line.writes, "write", "writes"),
                       sim::counted(line.lost, "cycle", "cycles"));
}

/// The costliest line, and a list of the others.
void drawLines(const PanelContext& c, std::vector<sim::FieldLine> lines) {
    const sim::Trace& trace = c.trace();
    std::erase_if(lines, [&](const sim::FieldLine& line) { return !sim::isNamed(trace.site(line.site)); });
    if (lines.empty()) return;
    const std::string more = lines.size() > 1 ? fmt::format("+{}", lines.size() - 1) : "";
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float room =
        ImGui::GetContentRegionAvail().x - (more.empty() ? 0 : ImGui::CalcTextSize(more.c_str()).x + 2 * spacing);
    const std::string name = siteName(trace, trace.site(lines.front().site));
    const std::string shown = cut(name, room);
    ImGui::PushStyleColor(ImGuiCol_Text, c.colours().accent);
    const bool isClicked =
        ImGui::Selectable((shown + "##line").c_str(), false, 0, {ImGui::CalcTextSize(shown.c_str()).x, 0});
    ImGui::PopStyleColor();
    nameItem(c, "sharing line " + name);
    std::string all;
    for (const sim::FieldLine& line : lines) all += wordsOf(line, trace) + '\n';
    hint(all + "click to go to the first");
    if (isClicked) pickLine(c, lines.front().site);
    if (more.empty()) return;
    ImGui::SameLine();
    if (ImGui::SmallButton(more.c_str())) ImGui::OpenPopup("lines");
    if (!ImGui::BeginPopup("lines")) return;
    for (const sim::FieldLine& line : lines) {
        if (ImGui::Selectable(wordsOf(line, trace).c_str())) pickLine(c, line.site);
    }
    ImGui::EndPopup();
}

std::string usesOf(const sim::SharedField& field) {
    std::string out;
    for (const sim::FieldUse& use : field.uses) {
        out += fmt::format("\nCPU {}: {}, {}", use.cpu, sim::counted(use.reads, "read", "reads"),
                           sim::counted(use.writes, "write", "writes"));
    }
    return out;
}

/// "0-3 6" of "0 1 2 3 6".
std::string rangesOf(const std::set<std::uint32_t>& cpus) {
    std::string out;
    for (auto at = cpus.begin(); at != cpus.end(); ++at) {
        const std::uint32_t first = *at;
        while (std::next(at) != cpus.end() && *std::next(at) == *at + 1) ++at;
        out += fmt::format("{}{}", out.empty() ? "" : " ", first);
        if (*at != first) out += fmt::format("-{}", *at);
    }
    return out;
}

/// The CPUs that access what a row is about.
std::string cpusOf(const sim::SharedBlock& block, const sim::SharingRow& row) {
    std::set<std::uint32_t> cpus;
    for (std::size_t f = 0; f < block.fields.size(); ++f) {
        if (row.field && *row.field != f) continue;
        for (const sim::FieldUse& use : block.fields[f].uses) cpus.insert(use.cpu);
    }
    return rangesOf(cpus);
}

/// The first cell, which picks the row.
void drawPlace(const PanelContext& c, const sim::SharingReport& report, const sim::SharingRow& row,
               const std::vector<sim::Cell>& cells) {
    const auto text = [&](Column column) { return costCellText(cells[static_cast<std::size_t>(column)]); };
    const std::string block = fmt::format("{} {}", text(Column::level), text(Column::block));
    // Only names are cut; the hint has them in full.
    const std::string prefix = row.field ? "    " : block + "  ";
    const std::string id = row.field ? fmt::format("{}+{}", block, text(Column::offset)) : block;
    constexpr auto kFlags = ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap;
    // The item spans all columns, also those out of sight; the test aims at the cell.
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const ImVec2 to = {from.x + ImGui::GetContentRegionAvail().x, from.y + ImGui::GetTextLineHeight()};
    if (c.places != nullptr) c.places->add((row.field ? "sharing offset " : "sharing block ") + id, from, to);
    if (!row.field) ImGui::PushStyleColor(ImGuiCol_Text, c.colours().accent);
    const bool isClicked = ImGui::Selectable(
        (prefix + cut(text(Column::place), ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(prefix.c_str()).x))
            .c_str(),
        id == c.edits.costs.picked, kFlags);
    if (!row.field) ImGui::PopStyleColor();
    // Over the other cells their own hints are shown.
    const bool isOverName = (ImGui::TableGetColumnFlags(0) & ImGuiTableColumnFlags_IsHovered) != 0;
    if (isOverName) {
        const sim::SharedBlock& of = report.blocks[row.block];
        hint(row.field ? fmt::format("{}\n{}, {} bytes, offset {} in the block at {}{}", text(Column::place),
                                     text(Column::level), text(Column::bytes), text(Column::offset),
                                     text(Column::block), usesOf(of.fields[*row.field]))
                       : fmt::format("{}, block of {} bytes at {}\n{}", text(Column::level), text(Column::bytes),
                                     text(Column::block), text(Column::place)));
    }
    if (!isClicked) return;
    c.edits.costs.picked = id;
    const sim::History* const history = c.historyViews() == nullptr ? nullptr : &c.historyViews()->history();
    for (const Command& command : picksOf(report, row, history, c.context.viewSettings)) c.queue(command);
}

void drawRow(const PanelContext& c, const sim::SharingReport& report, const sim::SharingTable& table, std::size_t r,
             const std::vector<std::size_t>& groupOf) {
    const sim::SharingRow& row = table.rows[r];
    const std::vector<sim::Cell>& cells = table.table.rows[r];
    ImGui::TableNextRow();
    if (!row.field) {
        ImVec4 ground = c.colours().accent;
        ground.w = 0.12f;
        ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, ImGui::GetColorU32(ground));
    }
    ImGui::TableNextColumn();
    ImGui::PushID(static_cast<int>(r));
    drawPlace(c, report, row, cells);
    const sim::SharingGroup& group = report.groups[groupOf[row.block]];
    for (std::size_t i = 1; i < kColumns.size(); ++i) {
        const sim::Cell& cell = cells[static_cast<std::size_t>(kColumns[i].column)];
        switch (kColumns[i].column) {
            case Column::lines:
                ImGui::TableNextColumn();
                drawLines(c, linesOf(report, row));
                break;
            case Column::cure:
                ImGui::TableNextColumn();
                if (!row.field && group.cures.empty()) drawNoCure(c, report, group);
                if (!row.field && !group.cures.empty()) {
                    drawCure(c, group.cures.front(), ImGui::GetContentRegionAvail().x, remarksOn(report, group));
                }
                break;
            case Column::kind:
            case Column::cpus: {
                ImGui::TableNextColumn();
                const bool isCpus = kColumns[i].column == Column::cpus;
                const std::string text = isCpus ? cpusOf(report.blocks[row.block], row) : costCellText(cell);
                ImGui::TextUnformatted(cut(text, ImGui::GetContentRegionAvail().x).c_str());
                hint(text);
                break;
            }
            default:
                numberCell(costCellText(cell));
        }
    }
    ImGui::PopID();
}

/// The width of a column of a table that is so wide.
float columnWidth(const PanelContext& c, const ShownColumn& shown, float room) {
    constexpr float kArrow = 14;
    const auto wide = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
    const float least = wide(shown.heading) + kArrow * c.scale;
    switch (shown.column) {
        case Column::place:
            return std::max(170 * c.scale, room * 0.28f);
        case Column::kind:
            return std::max(least, wide("false sharing"));
        case Column::cpus:
            return std::max(least, wide("0-3 12-15"));
        case Column::lines:
            return std::max(least, wide("windtunnel.h:1234 +99 "));
        case Column::cure:
            return std::max(least, wide("align each Quadrant to 256 bytes") + 2 * ImGui::GetStyle().FramePadding.x);
        default:
            return std::max(least, wide(c.edits.costs.widest[static_cast<std::size_t>(shown.column)]));
    }
}

void drawHeadings() {
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
        ImGui::TableSetColumnIndex(static_cast<int>(i));
        ImGui::TableHeader(kColumns[i].heading);
        hint(kColumns[i].means);
    }
}

void drawRows(const PanelContext& c, const sim::SharingReport& report, const sim::SharingTable& table) {
    constexpr auto kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY | ImGuiTableFlags_ScrollX |
                            ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
    const float room = ImGui::GetContentRegionAvail().x;
    if (!ImGui::BeginTable("sharing", static_cast<int>(kColumns.size()), kFlags)) return;
    ImGui::TableSetupScrollFreeze(1, 1);
    for (const ShownColumn& shown : kColumns) {
        const bool isText = shown.column == Column::place || shown.column == Column::kind ||
                            shown.column == Column::lines || shown.column == Column::cure ||
                            shown.column == Column::cpus || shown.column == Column::offset;
        ImGui::TableSetupColumn(
            shown.heading,
            ImGuiTableColumnFlags_WidthFixed |
                (isText ? ImGuiTableColumnFlags_None : ImGuiTableColumnFlags_PreferSortDescending) |
                (shown.column == Column::lost ? ImGuiTableColumnFlags_DefaultSort : ImGuiTableColumnFlags_None),
            columnWidth(c, shown, room));
    }
    drawHeadings();
    takeCostOrder(c, tableColumns());
    const std::vector<std::size_t>& rows = costRowsShown(c, table.table);
    const std::vector<std::size_t> groupOf = groupsOfBlocks(report);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()));
    while (clipper.Step()) {
        for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
            drawRow(c, report, table, rows[static_cast<std::size_t>(r)], groupOf);
        }
    }
    ImGui::EndTable();
}

/// Tables of large traces take a while to make: one is kept until it is of another report.
const sim::SharingTable& tableFor(const PanelContext& c, const std::shared_ptr<const sim::SharingReport>& report) {
    CostEdits& edits = c.edits.costs;
    if (edits.tab == CostTab::sharing && edits.sharing && isSame(edits.report, report)) return *edits.sharing;
    if (edits.tab != CostTab::sharing) {
        edits.order = {.column = static_cast<std::size_t>(Column::lost), .isDescending = true};
    }
    edits.tab = CostTab::sharing;
    edits.report = report;
    edits.sharing = sharingTable(*report, c.trace());
    edits.rows.reset();
    edits.widest = widestCells(edits.sharing->table);
    return *edits.sharing;
}

/// Why there is nothing, or not yet. Returns whether there is something.
bool hasReport(const PanelContext& c) {
    const auto& report = c.results.sharing;
    if (c.machine().cpus < 2) {
        muted(c, "The machine has one CPU, which shares blocks with no other: choose one with several.");
        return false;
    }
    if (report == nullptr && !c.results.findingSharing) {
        muted(c, c.context.complete() ? "It was cancelled: close this and open it again."
                                      : "When the run is simulated to its end.");
        return false;
    }
    if (c.results.findingSharing) {
        ImGui::ProgressBar(static_cast<float>(std::max(0.0, c.results.sharingFraction)), {220 * c.scale, 0},
                           "trying layouts");
        ImGui::SameLine();
        if (ImGui::Button("cancel")) c.queue(command::Cancel{});
        if (report != nullptr) ImGui::SameLine();
    }
    if (report == nullptr) return false;
    if (!report->groups.empty()) return true;
    muted(c, fmt::format("No CPU invalidates a block of another: {}.", spanOf(c, report->range)));
    return false;
}

/// What is lost, over which span, and what saves most of it.
void drawSummary(const PanelContext& c, const sim::SharingReport& report) {
    mutedWrapped(c, fmt::format("{}: {} lost by sharing, of {} access cycles; {} tried", spanOf(c, report.range),
                                sim::counted(report.lost, "cycle", "cycles"), grouped(report.cycles),
                                sim::counted(report.tried, "layout", "layouts")));
    // Its column may be out of sight in a small window.
    const std::vector<sim::Trial> cures = allCures(report);
    if (cures.empty()) return;
    const sim::Trial& best = report.together ? *report.together : cures.front();
    ImGui::PushID("best");
    drawCure(c, best, 260 * c.scale);
    ImGui::PopID();
    ImGui::SameLine();
    muted(c, fmt::format("saves most: {} elapsed, {} access cycles", grouped(static_cast<std::uint64_t>(best.elapsed)),
                         grouped(static_cast<std::uint64_t>(best.cycles))));
}

}  // namespace

void drawSharing(const PanelContext& c) {
    if (!hasReport(c)) return;
    const std::shared_ptr<const sim::SharingReport> report = c.results.sharing;
    drawSummary(c, *report);
    const sim::SharingTable& table = tableFor(c, report);
    drawCostFilter(c, table.table);
    const MutedScope aged(c, c.results.findingSharing);
    drawRows(c, *report, table);
}

}  // namespace whorl::app
