// The counts of each level: up to the playhead, or of the range.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/panels.h"
#include "app/panels/table_widget.h"
#include "app/panels/widgets.h"
#include "sim/report/report.h"

namespace whorl::app {

namespace {

/// The counts of one range, whatever their source.
struct Shown {
    const sim::Counters& counters;
    std::vector<sim::Cycles> cycles;  ///< by CPU
    const MissKindCounts* kinds;      ///< null while they are unknown
    std::vector<sim::StaySum> stays;  ///< by level; empty while they are unknown
    bool kindsAreOld = false;
};

void words(const PanelContext& c, const char* text) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    muted(c, text);
}

void row(const PanelContext& c, const char* text, const sim::Counters& counters,
         std::uint64_t (*value)(const sim::CacheCounters&)) {
    words(c, text);
    for (std::size_t l = 0; l < counters.levels(); ++l) numberCell(sim::grouped(value(counters.level(l))));
}

/// Draws a row if any value is not 0. `always`: draw it anyway, as this machine could have such values.
void rowIfAny(const PanelContext& c, const char* text, const sim::Counters& counters, bool always,
              std::uint64_t (*value)(const sim::CacheCounters&)) {
    bool any = always;
    for (std::size_t l = 0; l < counters.levels(); ++l) any |= value(counters.level(l)) != 0;
    if (any) row(c, text, counters, value);
}

void rates(const PanelContext& c, const sim::Counters& counters) {
    words(c, "hit rate");
    for (std::size_t l = 0; l < counters.levels(); ++l) {
        const sim::CacheCounters level = counters.level(l);
        numberCell(level.accesses() == 0 ? "–" : fmt::format("{:.1f} %", 100 * level.hitRate()));
    }
}

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

/// The misses by kind, those possible on this machine.
void kindRows(const PanelContext& c, const Shown& shown) {
    const auto any = [&](std::size_t kind) {
        return shown.kinds != nullptr &&
               std::any_of(shown.kinds->begin(), shown.kinds->end(), [&](const auto& l) { return l[kind] != 0; });
    };
    const MutedScope aged(c, shown.kindsAreOld);
    for (std::size_t k = 0; k < sim::kMissKinds; ++k) {
        if (!canHappen(c.machine(), static_cast<sim::MissKind>(k)) && !any(k)) continue;
        kindWords(c, k);
        for (std::size_t l = 0; l < c.machine().levels.size(); ++l) {
            numberCell(shown.kinds == nullptr ? "–" : sim::grouped((*shown.kinds)[l][k]));
        }
    }
    if (shown.kinds != nullptr) kindBars(c, *shown.kinds);
}

/// How many of the bytes filled were used.
void useRows(const PanelContext& c, const Shown& shown) {
    const auto value = [&](std::size_t l, auto&& words) {
        const bool isKnown = !shown.stays.empty() && shown.stays[l].fills > 0;
        numberCell(isKnown ? words(shown.stays[l], c.machine().levels[l].block) : "–");
    };
    words(c, "utilization");
    hint("share of the filled bytes that were used before their block left, or until the end");
    for (std::size_t l = 0; l < c.machine().levels.size(); ++l) {
        value(l, [](const sim::StaySum& stays, std::uint32_t block) {
            return fmt::format("{:.1f} %", 100 * stays.utilization(block));
        });
    }
    words(c, "  fills to save");
    hint("fills that would be unnecessary if all filled bytes were used");
    for (std::size_t l = 0; l < c.machine().levels.size(); ++l) {
        value(l,
              [](const sim::StaySum& stays, std::uint32_t block) { return sim::grouped(stays.savedByFullUse(block)); });
    }
}

void drawTable(const PanelContext& c, const Shown& shown) {
    const sim::Counters& counters = shown.counters;
    const auto columns = static_cast<int>(1 + counters.levels());
    if (counters.levels() == 0 ||
        !ImGui::BeginTable("statistics", columns, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchSame))
        return;
    // Numbers come first: in a narrow panel the longest names are cut.
    constexpr float kMaxOfNames = 0.42f;
    const float names =
        std::min(ImGui::CalcTextSize("  back-invalidations").x, kMaxOfNames * ImGui::GetContentRegionAvail().x);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, names);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    ImGui::TableNextColumn();
    for (const auto& level : c.machine().levels) numberCell(level.name);
    rates(c, counters);
    row(c, "requests", counters, [](const sim::CacheCounters& l) { return l.accesses(); });
    row(c, "hits", counters, [](const sim::CacheCounters& l) { return l.hits(); });
    row(c, "misses", counters, [](const sim::CacheCounters& l) { return l.misses(); });
    kindRows(c, shown);
    useRows(c, shown);
    row(c, "evictions", counters, [](const sim::CacheCounters& l) { return l.evictions; });
    row(c, "write-backs", counters, [](const sim::CacheCounters& l) { return l.writebacks; });
    rowIfAny(c, "write-throughs", counters, false, [](const sim::CacheCounters& l) { return l.writeThroughs; });
    const bool shared = canHappen(c.machine(), sim::MissKind::falseSharing);
    rowIfAny(c, "invalidations", counters, shared, [](const sim::CacheCounters& l) { return l.invalidations; });
    rowIfAny(c, "downgrades", counters, shared, [](const sim::CacheCounters& l) { return l.downgrades; });
    rowIfAny(c, "upgrades", counters, shared, [](const sim::CacheCounters& l) { return l.upgrades; });
    rowIfAny(c, "back-invalidations", counters, false, [](const sim::CacheCounters& l) { return l.backInvalidations; });
    rowIfAny(c, "left with page", counters, false, [](const sim::CacheCounters& l) { return l.pagedOut; });
    rowIfAny(c, "prefetches", counters, false, [](const sim::CacheCounters& l) { return l.prefetches; });
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

void drawPages(const PanelContext& c, const sim::Counters& counters) {
    const auto words = [](const std::vector<std::uint64_t>& counts) { return sim::grouped(sim::ofAllCpus(counts)); };
    if (!counters.tlbMisses.empty()) muted(c, fmt::format("TLB: {} misses", words(counters.tlbMisses)));
    if (counters.pageFaults.empty()) return;
    muted(c,
          fmt::format("pages: {} faults, {} written back", words(counters.pageFaults), words(counters.pageWritebacks)));
}

void draw(const PanelContext& c, const Shown& shown) {
    // Large numbers for many levels side by side need a small font.
    const bool crowded = c.machine().levels.size() > 2 || ImGui::GetContentRegionAvail().x < 240 * c.scale;
    if (crowded) ImGui::PushFont(c.fonts.small);
    drawTable(c, shown);
    if (crowded) ImGui::PopFont();
    for (const std::string& line : sim::trafficInWords(shown.counters, c.machine())) mutedWrapped(c, line);
    drawPages(c, shown.counters);
    drawClocks(c, shown.cycles);
}

/// The stays of the blocks filled so far, summed; empty until the run is complete.
std::vector<sim::StaySum> staysSoFar(const sim::Run& run, const sim::Counters& soFar) {
    const auto uses = run.uses();
    std::vector<sim::StaySum> stays;
    for (std::size_t l = 0; uses != nullptr && l < uses->size(); ++l) {
        stays.push_back((*uses)[l].sumOf(soFar.level(l).fills));
    }
    return stays;
}

std::vector<sim::StaySum> staysOf(const RangeFigures& range) {
    const sim::Measures& measures = range.measures;
    std::vector<sim::StaySum> stays;
    for (std::size_t l = 0; l < measures.machine.levels.size(); ++l) {
        stays.push_back(measures.ledger->staysAt(measures.machine, l));
    }
    return stays;
}

std::vector<sim::Cycles> clocksOf(const sim::Simulator& now) {
    std::vector<sim::Cycles> clocks(now.machine().cpus);
    for (std::uint32_t cpu = 0; cpu < clocks.size(); ++cpu) clocks[cpu] = now.clock(cpu);
    return clocks;
}

}  // namespace

void drawStatisticsPanel(const PanelContext& c) {
    headingOfFigures(c, "STATISTICS", "so far");
    if (c.picture() == nullptr) return;
    if (const RangeFigures* range = c.range()) {
        const MutedScope aged(c, c.isOld());
        draw(c, {range->measures.counters, range->measures.cycles, &range->kinds, staysOf(*range)});
        return;
    }
    // Until the range is measured, the figures already known.
    const MutedScope aged(c, c.context.range.has_value());
    const sim::Simulator& now = c.picture()->snapshot.now;
    const KindsSoFar* kinds = c.results.soFar.get();
    const bool old = kinds == nullptr || static_cast<double>(kinds->at.value) != std::ceil(c.picture()->snapshot.t);
    draw(c, {now.counters(), clocksOf(now), kinds == nullptr ? nullptr : &kinds->kinds,
             staysSoFar(*c.context.opened.run, now.counters()), old});
}

}  // namespace whorl::app
