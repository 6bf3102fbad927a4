// Why the program stalls, in words: the lines and arrays that stall most, how they miss, and which layout saves cycles.
#include <fmt/format.h>

#include <algorithm>

#include "app/panels/cost_parts.h"
#include "app/panels/widgets.h"
#include "sim/report/why_report.h"

namespace whorl::app {

namespace {

void drawCureButton(const PanelContext& c, const sim::StallRow& row) {
    if (!row.cure) return;
    if (ImGui::SmallButton("try it")) {
        for (const sim::LayoutChange& change : row.cure->changes) c.queue(command::Change{change});
    }
    hint("change the layout so in this run, beside the run as it was (what if)");
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
    if (rows.empty()) muted(c, "none stalls");
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
    hint(fmt::format("costs over time alone: what each CPU spends its cycles on ({})", kindOf(costs).key));
    ImGui::Dummy({0, 4 * c.scale});
}

}  // namespace

void drawWhy(const PanelContext& c, const sim::Measures* measures) {
    const auto& report = c.results.why;
    if (report == nullptr) {
        if (!c.results.findingWhy) {
            muted(c, c.context.complete() ? "It was cancelled: close this and open it again."
                                          : "When the run is simulated to its end.");
            return;
        }
        ImGui::ProgressBar(static_cast<float>(std::max(0.0, c.results.whyFraction)), {220 * c.scale, 0},
                           "trying layouts");
        ImGui::SameLine();
        if (ImGui::Button("cancel")) c.queue(command::Costs{});
        return;
    }
    mutedWrapped(c, fmt::format("whole run: {} stall cycles of {} access cycles; {} tried", grouped(report->lost),
                                grouped(report->cycles), sim::counted(report->tried, "layout", "layouts")));
    ImGui::Dummy({0, 4 * c.scale});
    drawWaits(c, *report);
    ImGui::PushID("lines");
    drawStalls(c, "SOURCE LINES THAT STALL MOST", report->lines, *report, measures);
    ImGui::PopID();
    drawStalls(c, "ARRAYS THAT STALL MOST", report->arrays, *report, measures);
}

}  // namespace whorl::app
