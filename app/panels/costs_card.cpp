// What costs most: a card over the views with tabs: why, and the tables.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/commands/cost_tables.h"
#include "app/commands/file_commands.h"
#include "app/panels/panels.h"
#include "app/panels/table_widget.h"
#include "app/panels/widgets.h"
#include "app/session/words.h"
#include "sim/report/loop_words.h"
#include "sim/report/why_report.h"

namespace whorl::app {

namespace {

using SharedMeasures = std::shared_ptr<const sim::Measures>;

// Why the program stalls, in words: the lines and arrays that stall most, how they miss, and which layout saves cycles.

void drawCureButton(const PanelContext& c, const sim::StallRow& row) {
    if (!row.cure) return;
    if (ImGui::SmallButton("try it")) {
        for (const sim::LayoutChange& change : row.cure->changes) c.queue(command::Change{change});
    }
    hint("apply this layout change, and compare with the original run (what if)");
}

/// "4 096 L1 misses: 64 compulsory, 4 032 capacity".
std::string missesOf(const sim::StallRow& row, std::size_t level, const sim::WhyReport& report) {
    std::string out = fmt::format("{} {} misses", grouped(row.missesAt(level)), report.machine.levelName(level));
    bool isFirst = true;
    for (std::size_t k = 0; k < sim::kMissKinds; ++k) {
        if (row.misses[level][k] == 0) continue;
        out += fmt::format("{} {} {}", isFirst ? ":" : ",", grouped(row.misses[level][k]), sim::kMissKindWords[k]);
        isFirst = false;
    }
    return out;
}

/// The figures of a row in words, those of `whorl why`: "4 096 stall cycles, 61 % of all; 8 192 accesses; …".
std::string figuresOf(const sim::StallRow& row, const sim::WhyReport& report) {
    const double share = report.lost == 0 ? 0 : 100 * static_cast<double>(row.lost) / static_cast<double>(report.lost);
    std::string out = fmt::format("{} stall cycles, {:.1f} % of all; {}", grouped(row.lost), share,
                                  sim::counted(row.accesses, "access", "accesses"));
    if (report.machine.levels.empty()) return out;
    for (std::size_t l = 0; l < row.misses.size(); ++l) out += "; " + missesOf(row, l, report);
    const sim::StrideSummary& stride = row.line ? row.array.stride : row.stride;
    out += fmt::format("; strides {}", sim::strideInWords(stride));
    if (row.stays[0].fills > 0) {
        out += fmt::format("; {:.0f} % of the bytes fetched into {} used",
                           100 * row.stays[0].utilization(report.machine.blockBytes()), report.machine.levelName(0));
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
        const CostSources of{*measures, nullptr, c.trace()};
        c.edits.costs.picked = row.name;
        pickCost(c, row.line ? pickOfLine(row.name, of) : pickOfRegion(row.name, of));
    }
    if (row.cure) ImGui::SameLine();
    drawCureButton(c, row);
    wrapped(sim::adviceFor(row, report));
    for (const std::string& words : sim::hintsInWords(row, report)) wrapped("Hint: " + words);
    if (const std::string apart = sim::apartInWords(row, report); !apart.empty())
        wrapped("Unchanged by any layout: " + apart);
    mutedWrapped(c, figuresOf(row, report));
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
    if (rows.empty()) muted(c, "no stalls");
}

/// Draws how long CPUs wait for each other, and a way to the view that shows when.
void drawWaits(const PanelContext& c, const sim::WhyReport& report) {
    const std::string waits = sim::waitsInWords(report);
    if (waits.empty()) return;
    wrapped(waits);
    const ViewId costs{ViewId::Kind::cycles};
    if (ImGui::SmallButton("see which, and when")) {
        c.queue(command::Costs{});
        c.queue(command::ViewOnly{costs});
    }
    nameItem(c, "why waits");
    hint(fmt::format("only costs over time: what each CPU spends its cycles on ({})", kindOf(costs).key));
    ImGui::Dummy({0, 4 * c.scale});
}

/// Draws in which order the accesses of several CPUs were played, where there is another one.
void drawOrder(const PanelContext& c, const WhyAnswer& answer) {
    if (!answer.order) return;
    wrapped(sim::orderInWords(answer.report, *answer.order));
    nameItem(c, "why order");
    ImGui::Dummy({0, 4 * c.scale});
}

/// Draws what the best other order of the loops saves, and opens it.
void drawLoops(const PanelContext& c, const sim::WhyReport& report) {
    const std::string words = sim::loopsInWords(report);
    if (words.empty()) return;
    wrapped(words);
    mutedWrapped(c, sim::loopTrialsInWords(report));
    if (const sim::LoopTrial* const cure = report.loopCure()) {
        if (ImGui::SmallButton("open it")) c.queue(command::Open{"pattern:" + cure->loops.text});
        nameItem(c, "why loops");
        hint("open the pattern with its loops in this order");
    }
    ImGui::Dummy({0, 4 * c.scale});
}

/// Why it stalls, of the whole run: lines and arrays, with cures to try.
void drawWhy(const PanelContext& c, const sim::Measures* measures) {
    const auto& answer = c.results.why;
    if (answer == nullptr) {
        if (!c.results.findingWhy) {
            muted(c, c.context.complete() ? "It was cancelled: close this and open it again."
                                          : "Available once the run is simulated.");
            return;
        }
        ImGui::ProgressBar(static_cast<float>(std::max(0.0, c.results.whyFraction)), {220 * c.scale, 0},
                           "trying layouts");
        ImGui::SameLine();
        if (ImGui::Button("cancel")) c.queue(command::Costs{});
        return;
    }
    const sim::WhyReport& report = answer->report;
    mutedWrapped(c, fmt::format("whole run: {} stall cycles of {} access cycles; {}", grouped(report.lost),
                                grouped(report.cycles), sim::trialsInWords(report)));
    ImGui::Dummy({0, 4 * c.scale});
    drawOrder(c, *answer);
    drawLoops(c, report);
    drawWaits(c, report);
    ImGui::PushID("lines");
    drawStalls(c, "SOURCE LINES THAT STALL MOST", report.lines, report, measures);
    ImGui::PopID();
    drawStalls(c, "ARRAYS THAT STALL MOST", report.arrays, report, measures);
}

// The tables: sorted by a heading, filtered by name, picked by a click, exported as CSV.

/// The kinds of misses of a level, which are in the columns after it, and what misses count where that matters.
std::string kindsAfter(const KeptTable& kept, std::size_t r, const std::string& key) {
    if (!key.ends_with("_misses")) return {};
    const std::vector<sim::Cell>& row = kept.table().rows[r];
    const std::size_t column = sim::columnOf(kept.table().columns, key);
    std::string out;
    for (std::size_t k = 0; k < sim::kMissKinds && column + 1 + k < row.size(); ++k) {
        const auto* const n = std::get_if<std::uint64_t>(&row[column + 1 + k]);
        if (n != nullptr && *n > 0)
            out += fmt::format("{}{} {}", out.empty() ? "" : "\n", grouped(*n), sim::kMissKindWords[k]);
    }
    if (!out.empty() && sim::hasMoreMisses(kept.table(), row)) out += fmt::format("\n{}", sim::kUnitOfMisses);
    return out;
}

/// The table of the chosen tab.
void drawCostTable(const PanelContext& c, const SharedMeasures& measures) {
    const CostTab tab = c.session.overlays.costTab;
    const CostTable& its = costTable(tab);
    if (measures == nullptr) {
        muted(c, c.context.range ? "being measured …" : "Available once the run is simulated.");
        return;
    }
    std::shared_ptr<const sim::History> history;
    if (its.ofHistory && c.historyViews() != nullptr) history = c.historyViews()->shared();
    if (its.ofHistory && history == nullptr) {
        muted(c, "being computed …");
        return;
    }
    const CostSources of{*measures, history.get(), c.trace()};
    KeptTable& kept = keptTable(c, "costs");
    kept.keep(TableSource({measures, history}, {static_cast<double>(tab)}), [&] { return *tableFor(tab, of); });
    if (kept.table().rows.empty()) {
        muted(c, "No entries.");
        return;
    }
    drawTableTools(c, kept, "costs", fmt::format("whorl-{}", its.word));
    const MutedScope aged(c, c.context.range.has_value() && c.isOld());
    const auto nameOf = [&](std::size_t r) { return cellText(kept.table().rows[r].front()); };
    drawTable(c, kept,
              {.thing = "cost",
               .order = kept.table().ranked ? "cycles" : "",
               .room = TableLook::Room::sideways,
               .row = [&](std::size_t r) { return RowLook{.isChosen = nameOf(r) == c.edits.costs.picked}; },
               .clicked =
                   [&](std::size_t r) {
                       c.edits.costs.picked = nameOf(r);
                       if (its.pick != nullptr) pickCost(c, its.pick(nameOf(r), of));
                   },
               .hint = [&](std::size_t r, const std::string& key) { return kindsAfter(kept, r, key); }});
}

// The card.

/// The measures of the range, or of the whole run; null while they are not known.
SharedMeasures measuresOf(const PanelContext& c) {
    if (!c.context.range) return c.context.opened.run->measures();
    return c.range() == nullptr ? nullptr : SharedMeasures(c.results.range, &c.range()->measures);
}

void drawCardHeading(const PanelContext& c) {
    const char* const words = "WHAT COSTS MOST";
    // "Why" always covers the whole run, sharing has a range of its own, and both tabs show their range.
    if (c.session.overlays.costTab == CostTab::why || c.session.overlays.costTab == sharingTab()) {
        heading(c, words);
    } else {
        headingOfFigures(c, words, "whole run");
    }
    ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize("×").x - 2 * ImGui::GetStyle().FramePadding.x);
    if (ImGui::SmallButton("×")) c.queue(command::Costs{});
    hint(withKey("close", command::Costs{}));
}

void drawTabs(const PanelContext& c) {
    for (std::size_t i = 0; i < costTables().size(); ++i) {
        const auto tab = static_cast<CostTab>(i);
        const std::string word(costTables()[i].word);
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

void drawPart(const PanelContext& c) {
    const SharedMeasures measures = measuresOf(c);
    const CostTab tab = c.session.overlays.costTab;
    if (tab == CostTab::why) return drawWhy(c, measures.get());
    if (tab == sharingTab()) return drawSharing(c);
    drawCostTable(c, measures);
}

}  // namespace

void pickCost(const PanelContext& c, const std::optional<Command>& pick) {
    if (!pick) return;
    if (pick->id() == command::PickSource::kForm.id && c.context.player.playing()) c.queue(command::Play{});
    c.queue(*pick);
}

void drawCostsCard(const PanelContext& c, const gl::Rect& where) {
    const float gap = 6 * c.scale;
    ImGui::SetNextWindowPos({static_cast<float>(where.x) + gap, static_cast<float>(where.y) + gap});
    ImGui::SetNextWindowSize({std::max(300 * c.scale, static_cast<float>(where.width) - 2 * gap),
                              static_cast<float>(where.height) - 2 * gap});
    constexpr auto kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                            ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                            ImGuiWindowFlags_NoNav;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    const bool isOpen = ImGui::Begin("##costs", nullptr, kFlags);
    ImGui::PopStyleVar();
    if (isOpen) {
        ImGui::PushFont(c.fonts.small);
        drawCardHeading(c);
        drawTabs(c);
        ImGui::BeginChild("content");
        drawPart(c);
        ImGui::EndChild();
        ImGui::PopFont();
    }
    ImGui::End();
}

}  // namespace whorl::app
