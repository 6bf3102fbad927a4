// The regions with their colours: how many of their blocks are cached now, or their costs in a range; and which of them
// evict each other's blocks.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "app/commands/searching.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/totals/eviction_pairs.h"

namespace whorl::app {

namespace {

using Counts = std::vector<std::vector<std::uint32_t>>;

/// Adds the blocks in a cache of a level to the counts of their regions.
void count(const sim::Trace& trace, const sim::Cache& cache, std::size_t level, Counts& counts) {
    std::size_t region = 0;
    for (std::uint32_t s = 0; s < cache.sets(); ++s) {
        if (cache.occupied(sim::SetIndex{s}) == 0) continue;
        for (std::uint32_t w = 0; w < cache.ways(); ++w) {
            const sim::Line line = cache.line(sim::SetIndex{s}, sim::WayIndex{w});
            if (!line.valid) continue;
            const sim::ByteAddress address = cache.addressOf(line.block);
            const auto& regions = trace.regions();
            if (region >= regions.size() || !regions[region].contains(address)) region = trace.regionAt(address);
            if (region < regions.size()) ++counts[region][level];
        }
    }
}

/// How many blocks of each region each level holds in the shown caches, by region and level.
Counts residents(const PanelContext& c) {
    const std::size_t levels = c.machine().levels.size();
    const auto& regions = c.trace().regions();
    Counts counts(regions.size(), std::vector<std::uint32_t>(levels));
    for (std::size_t l = 0; l < levels; ++l) {
        for (std::uint32_t index = 0; index < c.machine().caches(l); ++index) {
            const bool shown = !c.context.cpu || index == c.machine().cacheOf(l, *c.context.cpu);
            if (shown) count(c.trace(), c.picture()->snapshot.cache(l, index), l, counts);
        }
    }
    return counts;
}

/// A click on it is not one on the row: it selects another colour. Returns true when the mouse is on it.
bool swatch(const PanelContext& c, std::size_t region) {
    const float side = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    drawRegionSign(c, {at.x + side / 2, at.y + side / 2}, side * 0.38f, region);
    if (ImGui::InvisibleButton("swatch", {side, side}))
        c.queue(command::RegionColourCard{static_cast<std::uint32_t>(region)});
    hint("change its colour (y)");
    return ImGui::IsItemHovered();
}

/// The name spans the whole row, so that a click anywhere in it selects the region.
void drawName(const PanelContext& c, std::size_t r) {
    const sim::Region& region = c.trace().regions()[r];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const bool chosen = c.context.region == static_cast<std::uint32_t>(r);
    ImGui::PushID(static_cast<int>(r));
    const bool onSwatch = swatch(c, r);
    ImGui::SameLine();
    if (ImGui::Selectable(region.name.c_str(), chosen, ImGuiSelectableFlags_SpanAllColumns)) {
        c.queue(command::PickRegion{static_cast<std::uint32_t>(r)});
    }
    ImGui::PopID();
    if (!onSwatch) hint(fmt::format("{} at {:#x}, {} bytes", region.name, region.base.value, grouped(region.size)));
}

/// One row per region; `figures` fills the columns after the name.
template <class Figures>
void drawFigures(const PanelContext& c, std::span<const std::string> columns, Figures&& figures) {
    const auto count = static_cast<int>(1 + columns.size());
    if (!ImGui::BeginTable("regions", count, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp)) return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.0f);
    for (const std::string& column : columns) {
        ImGui::TableSetupColumn(column.c_str(), ImGuiTableColumnFlags_WidthFixed);
    }
    ImGui::PushStyleColor(ImGuiCol_Text, c.colours().muted);
    ImGui::TableHeadersRow();
    ImGui::PopStyleColor();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(c.trace().regions().size()));
    while (clipper.Step()) {
        for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
            drawName(c, static_cast<std::size_t>(r));
            figures(static_cast<std::size_t>(r));
        }
    }
    ImGui::EndTable();
}

/// The same, in small letters when there are many columns.
template <class Figures>
void drawTable(const PanelContext& c, std::span<const std::string> columns, Figures&& figures) {
    const bool crowded = columns.size() > 3;
    if (crowded) ImGui::PushFont(c.fonts.small);
    drawFigures(c, columns, figures);
    if (crowded) ImGui::PopFont();
}

void drawResidents(const PanelContext& c) {
    const auto counts = residents(c);
    std::vector<std::string> columns{"size"};
    for (const auto& level : c.machine().levels) columns.push_back(level.name);
    drawTable(c, columns, [&](std::size_t r) {
        ImGui::TableNextColumn();
        muted(c, roughBytes(c.trace().regions()[r].size));
        for (const std::uint32_t count : counts[r]) numberCell(grouped(count));
    });
}

/// Accesses, and how many of them missed in each level.
void drawMeasured(const PanelContext& c, const sim::TallyTable& table) {
    std::vector<std::string> columns{"accesses"};
    for (const auto& level : c.machine().levels) columns.push_back(level.name);
    const MutedScope aged(c, c.isOld());
    drawTable(c, columns, [&](std::size_t r) {
        numberCell(roughCount(table.accesses(r)));
        for (std::size_t l = 0; l < table.levels(); ++l) {
            numberCell(roughCount(table.misses(r, l)));
            hint(grouped(table.misses(r, l)) + " misses");
        }
    });
}

/// A row of the evictions: the pair, which a click selects, and how often in each level.
void drawPair(const PanelContext& c, const sim::EvictionPair& evictions) {
    const RegionPair pair{evictions.evictor, evictions.victim};
    const std::string evictor = regionName(c.trace(), pair.evictor);
    const std::string victim = regionName(c.trace(), pair.victim);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const std::string words = fmt::format("{} → {}", evictor, victim);
    if (ImGui::Selectable(words.c_str(), c.context.pair == pair, ImGuiSelectableFlags_SpanAllColumns)) {
        c.queue(command::PickPair{pair.evictor, pair.victim});
    }
    std::string counts;
    for (std::size_t l = 0; l < evictions.evictions.size(); ++l) {
        counts += fmt::format("\n{}: {} times", c.machine().levels[l].name, grouped(evictions.evictions[l]));
    }
    hint(fmt::format("accesses to {} evicted {} of {}{}", evictor,
                     pair.evictor == pair.victim ? "other blocks" : "blocks", victim, counts));
    for (const std::uint64_t count : evictions.evictions) numberCell(roughCount(count));
}

/// A row for each pair, a column for each level.
void drawPairs(const PanelContext& c, std::span<const sim::EvictionPair> pairs) {
    const auto& levels = c.machine().levels;
    const auto columns = static_cast<int>(1 + levels.size());
    if (!ImGui::BeginTable("evictions", columns, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp)) return;
    ImGui::TableSetupColumn("by → of", ImGuiTableColumnFlags_WidthStretch, 1.0f);
    for (const auto& level : levels) ImGui::TableSetupColumn(level.name.c_str(), ImGuiTableColumnFlags_WidthFixed);
    ImGui::PushStyleColor(ImGuiCol_Text, c.colours().muted);
    ImGui::TableHeadersRow();
    ImGui::PopStyleColor();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        drawPair(c, pairs[i]);
        ImGui::PopID();
    }
    ImGui::EndTable();
}

/// Which regions evict whose blocks, their own included, from which level: in small letters when there are many levels.
void drawEvictions(const PanelContext& c, const sim::Conflicts& conflicts) {
    const std::size_t levels = c.machine().levels.size();
    const std::vector<sim::EvictionPair> pairs = sim::evictionPairs(conflicts, levels);
    if (pairs.empty()) return;
    ImGui::Dummy({0, 6 * c.scale});
    headingOfFigures(c, "EVICTIONS BY REGION", "whole run");
    constexpr std::size_t kMost = 64;
    const bool crowded = levels > 2;
    if (crowded) ImGui::PushFont(c.fonts.small);
    {
        const MutedScope aged(c, c.context.range.has_value() && c.isOld());
        drawPairs(c, std::span(pairs).first(std::min(kMost, pairs.size())));
    }
    if (crowded) ImGui::PopFont();
    if (pairs.size() > kMost) muted(c, fmt::format("and {} more pairs", grouped(pairs.size() - kMost)));
}

}  // namespace

void drawRegionsPanel(const PanelContext& c) {
    headingOfFigures(c, c.range() != nullptr ? "MISSES BY REGION" : "REGIONS", "cached now");
    if (c.picture() == nullptr) return;
    const RangeFigures* range = c.range();
    if (range != nullptr) {
        drawMeasured(c, range->measures.ledger->regions);
        drawEvictions(c, range->measures.ledger->regionConflicts);
        return;
    }
    drawResidents(c);
    if (const auto whole = c.context.opened.run->measures()) {
        drawEvictions(c, whole->ledger->regionConflicts);
    }
}

}  // namespace whorl::app
