// Sharing, one of the tables of what costs most: the blocks that CPUs invalidate for each other, under each a row for
// each offset that is accessed, and the layout changes that help. The rows are those of `whorl sharing --csv`.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "app/panels/panels.h"
#include "app/panels/table_widget.h"
#include "app/panels/widgets.h"
#include "app/session/words.h"
#include "app/views/space/highlights.h"
#include "sim/analysis/orders.h"
#include "sim/analysis/sharing_trials.h"
#include "sim/report/sharing_report.h"
#include "sim/report/sharing_table.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

/// Sets the width of the column: about the longest of the common cures.
constexpr const char* kCureSample = "align each Quadrant to 256 bytes  ";

const std::vector<ShownColumn>& sharingColumns() {
    static const std::vector<ShownColumn> kColumns = {
        {"place", "block / place", "the level, address and contents of a block; the name at each offset"},
        {.key = "offset", .means = "bytes from the start of the block", .ascends = true},
        {.key = "cpus", .means = "CPUs that access it", .sample = "0-3 12-15"},
        {.key = "reads", .means = "read accesses, over the span above"},
        {.key = "writes", .means = "write accesses, over the span above"},
        {.key = "lost",
         .means =
             "access cycles, beyond a look-up in the nearest level, of accesses that missed a copy invalidated by "
             "another CPU, and of upgrades that invalidated one. A miss in several levels counts at the farthest."},
        {.key = "kind",
         .means = "the cause of most misses: false sharing if CPUs use different words, true sharing if the same",
         .sample = "false sharing"},
        {"lines", "source lines", "lines that access it, the costliest first", "windtunnel.h:1234 +99 "},
        {"cure", "cure",
         "the layout change that saves most, at least 1 % of all stall cycles, simulated on this machine; for all "
         "blocks alike",
         kCureSample},
        {"saved_elapsed", "saves elapsed", "cycles until all CPUs have finished, over the span above"},
        {"saved_cycles", "saves cycles", "access cycles of all CPUs, over the span above"},
        {.key = "false_sharing", .means = "misses by false sharing at this level"},
        {.key = "true_sharing", .means = "misses by true sharing at this level"},
        {.key = "invalidations", .means = "copies of the block in caches of this level that were invalidated"},
    };
    return kColumns;
}

/// "whole run", or "accesses 1 000 to 2 000"; and in which order, where there is another one, as CPUs share more in one
/// than in the other.
std::string spanOf(const PanelContext& c, sim::Range range) {
    const bool isWhole = range.from.value == 0 && range.to.value >= c.trace().size();
    std::string span = isWhole ? std::string("whole run")
                               : fmt::format("accesses {} to {}", grouped(range.from.value), grouped(range.to.value));
    if (!sim::hasOtherOrder(c.trace())) return span;
    return fmt::format("{}, {}", span, kOrderWords[c.trace().isInVirtualTime() ? 1 : 0]);
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
    hint(fmt::format("{}it {}\nclick to apply it, and compare with the original run (what if)", words,
                     sim::savingsOf(cure)));
    ImGui::PopID();
}

/// Why a block has no cure.
void drawNoCure(const PanelContext& c, const sim::SharingReport& report, const sim::SharingGroup& group) {
    muted(c, group.alternating.empty() ? "none" : "contiguous chunks");
    const std::string remarks = sim::remarksOn(report, group);
    hint(remarks.empty() ? "no layout change to try" : remarks);
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
    hint(all + "click to show the first line");
    if (isClicked) pickCost(c, command::PickSource{lines.front().site.value});
    if (more.empty()) return;
    ImGui::SameLine();
    if (ImGui::SmallButton(more.c_str())) ImGui::OpenPopup("lines");
    if (!ImGui::BeginPopup("lines")) return;
    for (const sim::FieldLine& line : lines) {
        if (ImGui::Selectable(wordsOf(line, trace).c_str())) pickCost(c, command::PickSource{line.site.value});
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

/// A row as it is drawn: a block in colour, its offsets indented below it. Only names are cut; the hint has them in
/// full.
RowLook lookOf(const PanelContext& c, const sim::SharingReport& report, const KeptTable& kept, std::size_t r) {
    const sim::SharingRow& row = c.edits.costs.sharing[r];
    const auto text = [&](std::string_view key) { return cellText(kept.cell(r, key)); };
    const std::string block = fmt::format("{} {}", text("level"), text("block"));
    const std::string id = row.field ? fmt::format("{}+{}", block, text("offset")) : block;
    RowLook look{.name = (row.field ? "offset " : "block ") + id, .isChosen = id == c.edits.costs.picked};
    if (row.field) {
        look.before = "    ";
        look.hint =
            fmt::format("{}\n{}, {} bytes, offset {} in the block at {}{}", text("place"), text("level"), text("bytes"),
                        text("offset"), text("block"), usesOf(report.blocks[row.block].fields[*row.field]));
    } else {
        look.before = block + "  ";
        look.hint =
            fmt::format("{}, block of {} bytes at {}\n{}", text("level"), text("bytes"), text("block"), text("place"));
        look.colour = c.colours().accent;
    }
    return look;
}

void pickRow(const PanelContext& c, const sim::SharingReport& report, const KeptTable& kept, std::size_t r) {
    const std::string name = lookOf(c, report, kept, r).name;
    c.edits.costs.picked = name.substr(name.find(' ') + 1);
    const sim::History* const history = c.historyViews() == nullptr ? nullptr : &c.historyViews()->history();
    for (const Command& command : picksOf(report, c.edits.costs.sharing[r], history, c.context.viewSettings)) {
        c.queue(command);
    }
}

/// Draws the cells that are not plain text: lines and cures, which can be clicked, and CPUs, which may be many.
bool drawSharingCell(const PanelContext& c, const sim::SharingReport& report, const sim::SharingRow& row,
                     const sim::SharingGroup& group, const std::string& key) {
    if (key == "lines") {
        drawLines(c, linesOf(report, row));
    } else if (key == "cure" && !row.field && group.cures.empty()) {
        drawNoCure(c, report, group);
    } else if (key == "cure" && !row.field) {
        drawCure(c, group.cures.front(), ImGui::GetContentRegionAvail().x, remarksOn(report, group));
    } else if (key == "cpus") {
        const std::string cpus = cpusOf(report.blocks[row.block], row);
        ImGui::TextUnformatted(cut(cpus, ImGui::GetContentRegionAvail().x).c_str());
        hint(cpus);
    } else {
        return false;
    }
    return true;
}

/// The table of `whorl sharing --csv`, with what its rows are about.
KeptTable& keptSharing(const PanelContext& c, const std::shared_ptr<const sim::SharingReport>& report) {
    KeptTable& kept = keptTable(c, "sharing");
    bool isNew = false;
    kept.keep(TableSource({report}), [&] {
        sim::SharingTable made = sharingTable(*report, c.trace());
        c.edits.costs.sharing = std::move(made.rows);
        isNew = true;
        return std::move(made.table);
    });
    if (!isNew) return kept;
    std::vector<std::uint8_t> depths;
    for (const sim::SharingRow& row : c.edits.costs.sharing) depths.push_back(row.field ? 1 : 0);
    const auto& columns = kept.table().columns;
    kept.nest(std::move(depths), {sim::columnOf(columns, "place"), sim::columnOf(columns, "block")});
    return kept;
}

/// Why there is nothing, or not yet. Returns whether there is something.
bool hasReport(const PanelContext& c) {
    const auto& report = c.results.sharing;
    if (c.machine().cpus < 2) {
        muted(c, "Sharing needs several CPUs: choose another machine.");
        return false;
    }
    if (report == nullptr && !c.results.findingSharing) {
        muted(c, c.context.complete() ? "It was cancelled: close this and open it again."
                                      : "Available once the run is simulated.");
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
    // Drawn here too, because the column of cures may be out of sight in a small window.
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
    KeptTable& kept = keptSharing(c, report);
    drawTableTools(c, kept, "costs", "whorl-sharing");
    const MutedScope aged(c, c.results.findingSharing);
    const std::vector<std::size_t> groupOf = groupsOfBlocks(*report);
    drawTable(c, kept,
              {.thing = "sharing",
               .columns = sharingColumns(),
               .others = std::nullopt,
               .order = "lost",
               .room = TableLook::Room::sideways,
               .row = [&](std::size_t r) { return lookOf(c, *report, kept, r); },
               .clicked = [&](std::size_t r) { pickRow(c, *report, kept, r); },
               .cell =
                   [&](std::size_t r, const std::string& key) {
                       const sim::SharingRow& row = c.edits.costs.sharing[r];
                       return drawSharingCell(c, *report, row, report->groups[groupOf[row.block]], key);
                   }});
}

}  // namespace whorl::app
