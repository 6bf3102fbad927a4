// The regions with their colours: how many of their blocks are cached now, or their costs in a range; and which of them
// evict each other's blocks.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "app/commands/searching.h"
#include "app/panels/panels.h"
#include "app/panels/table_widget.h"
#include "app/panels/widgets.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/totals/ledger.h"

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
    // A variable has no colour of its own, but its name is below the others.
    if (region >= c.trace().regions().size()) {
        ImGui::Dummy({side, side});
        return false;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    drawRegionSign(c, {at.x + side / 2, at.y + side / 2}, side * 0.38f, region);
    if (ImGui::InvisibleButton("swatch", {side, side}))
        c.queue(command::RegionColourCard{static_cast<std::uint32_t>(region)});
    hint("change its colour (y)");
    return ImGui::IsItemHovered();
}

/// Draws the figures, in small letters if there are more than two levels.
void drawFigures(const PanelContext& c, KeptTable& kept, TableLook look) {
    const bool isCrowded = c.machine().levels.size() > 2;
    if (isCrowded) ImGui::PushFont(c.fonts.small);
    drawTable(c, kept, std::move(look));
    if (isCrowded) ImGui::PopFont();
}

/// The owner that a row is about: a region, or a variable.
std::size_t ownerOf(const KeptTable& kept, std::size_t row) {
    return std::get<std::uint64_t>(kept.cell(row, "owner"));
}

/// A click on a row selects the region, one on its sign chooses its colour.
void drawRegions(const PanelContext& c, KeptTable& kept, std::vector<ShownColumn> columns, NumberForm others) {
    const auto& regions = c.trace().regions();
    const auto isRegion = [&](std::size_t r) { return ownerOf(kept, r) < regions.size(); };
    const auto lookOf = [&](std::size_t r) {
        if (!isRegion(r)) {
            return RowLook{.hint = fmt::format("{}: a variable whose memory others have at other times",
                                               cellText(kept.cell(r, "region")))};
        }
        const sim::Region& region = regions[ownerOf(kept, r)];
        return RowLook{
            .hint = fmt::format("{} at {:#x}, {} bytes", region.name, region.base.value, grouped(region.size)),
            .isChosen = c.context.region == static_cast<std::uint32_t>(ownerOf(kept, r))};
    };
    const auto pick = [&](std::size_t r) {
        if (isRegion(r)) c.queue(command::PickRegion{static_cast<std::uint32_t>(ownerOf(kept, r))});
    };
    drawFigures(c, kept,
                {.thing = "region",
                 .columns = std::move(columns),
                 .others = others,
                 .row = lookOf,
                 .clicked = pick,
                 .sign = [&](std::size_t r) { return swatch(c, ownerOf(kept, r)); }});
}

/// A row for each owner; `figures` gives its number for the first column, and those of each level.
template <class Figures>
sim::Table regionTable(const PanelContext& c, const std::vector<std::size_t>& owners, sim::Column first,
                       const char* counted, const Figures& figures) {
    sim::Table table{
        .name = "regions", .title = {}, .columns = {{"region", "region"}, {"owner", ""}, std::move(first)}, .rows = {}};
    for (const auto& level : c.machine().levels) {
        table.columns.push_back({fmt::format("{}_{}", level.name, counted), level.name});
    }
    for (const std::size_t r : owners) {
        std::vector<sim::Cell>& row = table.rows.emplace_back();
        row.emplace_back(c.trace().owners().name(r));
        row.emplace_back(std::uint64_t{r});
        for (const std::uint64_t figure : figures(r)) row.emplace_back(figure);
    }
    return table;
}

/// The numbers below a count.
std::vector<std::size_t> firstOwners(std::size_t count) {
    std::vector<std::size_t> owners(count);
    std::iota(owners.begin(), owners.end(), std::size_t{0});
    return owners;
}

/// The owners that accesses are counted for: several regions of a variable are one.
std::vector<std::size_t> countedOwners(const sim::Trace& trace) {
    std::vector<std::size_t> owners = firstOwners(trace.owners().count());
    std::erase_if(owners, [&](std::size_t r) {
        return r < trace.regions().size() && trace.owners().ofRegion(r) != static_cast<std::uint32_t>(r);
    });
    return owners;
}

/// How many blocks of each region are cached now.
void drawResidents(const PanelContext& c) {
    KeptTable& kept = keptTable(c, "regions now");
    const double cpu = c.context.cpu ? *c.context.cpu : -1.0;
    kept.keep(TableSource({c.context.opened.run}, {static_cast<double>(c.picture()->snapshot.begun().value), cpu}),
              [&] {
                  return regionTable(c, firstOwners(c.trace().regions().size()), {"size", "size"}, "blocks",
                                     [&, counts = residents(c)](std::size_t r) {
                                         std::vector<std::uint64_t> figures(counts[r].begin(), counts[r].end());
                                         figures.insert(figures.begin(), c.trace().regions()[r].size);
                                         return figures;
                                     });
              });
    drawRegions(c, kept, {{.key = "region"}, {.key = "size", .form = NumberForm::bytes, .isMuted = true}},
                NumberForm::whole);
}

/// Accesses, and how many of them missed in each level.
void drawMeasured(const PanelContext& c, const sim::TallyTable& sums) {
    KeptTable& kept = keptTable(c, "regions");
    kept.keep(TableSource({c.results.range}), [&] {
        return regionTable(c, countedOwners(c.trace()), {"accesses", "accesses"}, "misses", [&](std::size_t r) {
            std::vector<std::uint64_t> figures{sums.accesses(r)};
            for (std::size_t l = 0; l < sums.levels(); ++l) figures.push_back(sums.misses(r, l));
            return figures;
        });
    });
    const MutedScope aged(c, c.isOld());
    drawRegions(c, kept, {{.key = "region"}, {.key = "accesses", .form = NumberForm::rough}}, NumberForm::rough);
}

/// A row for each pair of regions, a column for each level.
sim::Table evictionTable(const PanelContext& c, const sim::Conflicts& conflicts) {
    sim::Table table{.name = "evictions",
                     .title = {},
                     .columns = {{"pair", "by → of"}, {"evictor", ""}, {"victim", ""}},
                     .rows = {}};
    const auto& levels = c.machine().levels;
    for (const auto& level : levels) table.columns.push_back({level.name + "_evictions", level.name});
    for (const sim::EvictionPair& pair : sim::evictionPairs(conflicts, levels.size())) {
        std::vector<sim::Cell> row{
            fmt::format("{} → {}", regionName(c.trace(), pair.evictor), regionName(c.trace(), pair.victim)),
            std::uint64_t{pair.evictor}, std::uint64_t{pair.victim}};
        for (const std::uint64_t count : pair.evictions) row.emplace_back(count);
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// The pair of regions that a row is about.
RegionPair pairOf(const KeptTable& kept, std::size_t r) {
    const auto number = [&](const char* key) {
        return static_cast<std::uint32_t>(std::get<std::uint64_t>(kept.cell(r, key)));
    };
    return {number("evictor"), number("victim")};
}

/// "nodes…able → mapped 2": both names are cut, as each of them matters.
std::string cutPair(const std::string& by, const std::string& of, float width) {
    constexpr const char* kArrow = " → ";
    const auto wide = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
    const float room = width - wide(kArrow);
    // What one does not need is the other's.
    const auto share = [&](float other) { return std::max(room / 2, room - other); };
    return cut(by, share(wide(of))) + kArrow + cut(of, share(wide(by)));
}

std::string describePair(const PanelContext& c, const KeptTable& kept, std::size_t r) {
    const RegionPair pair = pairOf(kept, r);
    std::string counts;
    for (const auto& level : c.machine().levels) {
        const auto times = std::get<std::uint64_t>(kept.cell(r, level.name + "_evictions"));
        counts += fmt::format("\n{}: {}", level.name, sim::counted(times, "time", "times"));
    }
    return fmt::format("accesses to {} evicted {} of {}{}", regionName(c.trace(), pair.evictor),
                       pair.evictor == pair.victim ? "other blocks" : "blocks", regionName(c.trace(), pair.victim),
                       counts);
}

/// Which regions evict whose blocks, their own included, from which level. `of`: the measures that own the conflicts.
void drawEvictions(const PanelContext& c, const std::shared_ptr<const void>& of, const sim::Conflicts& conflicts) {
    KeptTable& kept = keptTable(c, "evictions");
    kept.keep(TableSource({of}), [&] { return evictionTable(c, conflicts); });
    if (kept.table().rows.empty()) return;
    ImGui::Dummy({0, 6 * c.scale});
    headingOfFigures(c, "EVICTIONS BY REGION", "whole run");
    const MutedScope aged(c, c.context.range.has_value() && c.isOld());
    drawFigures(c, kept,
                {.thing = "evictions",
                 .others = NumberForm::rough,
                 .row =
                     [&](std::size_t r) {
                         return RowLook{.hint = describePair(c, kept, r),
                                        .isChosen = c.context.pair == pairOf(kept, r)};
                     },
                 .clicked =
                     [&](std::size_t r) {
                         const RegionPair pair = pairOf(kept, r);
                         c.queue(command::PickPair{pair.evictor, pair.victim});
                     },
                 .fitted =
                     [&](std::size_t r, float width) {
                         const RegionPair pair = pairOf(kept, r);
                         return cutPair(regionName(c.trace(), pair.evictor), regionName(c.trace(), pair.victim), width);
                     }});
}

}  // namespace

void drawRegionsPanel(const PanelContext& c) {
    headingOfFigures(c, c.range() != nullptr ? "MISSES BY REGION" : "REGIONS", "cached now");
    if (c.picture() == nullptr) return;
    if (const RangeFigures* const range = c.range()) {
        drawMeasured(c, range->measures.ledger->owners);
        drawEvictions(c, c.results.range, range->measures.ledger->regionConflicts);
        return;
    }
    drawResidents(c);
    if (const auto whole = c.context.opened.run->measures()) {
        drawEvictions(c, whole, whole->ledger->regionConflicts);
    }
}

}  // namespace whorl::app
