// The regions as a tree: what is in each of them, with its costs in the range or the whole run; and which of them evict
// each other's blocks.
#include "app/panels/regions/regions_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/searching.h"
#include "app/panels/panels.h"
#include "app/panels/regions/region_tree.h"
#include "app/panels/widgets.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/totals/ledger.h"

namespace whorl::app {

namespace {

/// A click on it is not one on the row: it selects another colour. Returns true when the mouse is on it.
bool swatch(const PanelContext& c, const RegionTree::Row& row) {
    const float side = ImGui::GetTextLineHeight();
    if (row.kind != RegionTree::Kind::region) {
        ImGui::Dummy({0, side});
        return false;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    drawRegionSign(c, {at.x + side / 2, at.y + side / 2}, side * 0.38f, row.index);
    if (ImGui::InvisibleButton("swatch", {side, side})) c.queue(command::RegionColourCard{row.index});
    hint("change its colour (y)");
    return ImGui::IsItemHovered();
}

std::string describeRow(const PanelContext& c, const KeptTable& kept, std::size_t r, const RegionTree::Row& row) {
    const std::string name = cellText(kept.cell(r, "region"));
    const std::string bytes = cellText(kept.cell(r, "bytes"));
    switch (row.kind) {
        case RegionTree::Kind::region:
            return fmt::format("{} at {:#x}, {} bytes", name, c.trace().regions()[row.index].base.value, bytes);
        case RegionTree::Kind::group:
            return fmt::format("{}: {} bytes in all; click to see its allocations", name, bytes);
        case RegionTree::Kind::object:
            break;
        case RegionTree::Kind::leftOut:
            return fmt::format("{}: those with the fewest misses; whorl stats --by object lists all", name);
    }
    const sim::Object& object = c.trace().objects()[row.index];
    return fmt::format("{}, {} at {:#x}, {} bytes", name, object.className, object.base.value, bytes);
}

/// Picks what a row is about; a row of several objects opens or closes.
void pickRow(const PanelContext& c, KeptTable& kept, std::size_t r, const RegionTree::Row& row) {
    if (row.kind == RegionTree::Kind::region) c.queue(command::PickRegion{row.index});
    if (row.kind == RegionTree::Kind::group) kept.fold(r);
    if (row.kind != RegionTree::Kind::object) return;
    c.queue(command::PickObject{
        {.kind = sim::CostNode::Kind::object, .id = row.index, .address = c.trace().objects()[row.index].base}});
}

bool isChosen(const PanelContext& c, const RegionTree::Row& row) {
    if (row.kind == RegionTree::Kind::region) return c.context.region == row.index;
    const auto& object = c.context.viewSettings.object;
    return row.kind == RegionTree::Kind::object && object && object->kind == sim::CostNode::Kind::object &&
           object->id == row.index;
}

/// Draws the figures, in small letters.
void drawFigures(const PanelContext& c, KeptTable& kept, TableLook look) {
    ImGui::PushFont(c.fonts.small);
    drawTable(c, kept, std::move(look));
    ImGui::PopFont();
}

void drawTree(const PanelContext& c) {
    KeptTable& kept = keptRegions(c);
    const std::vector<RegionTree::Row>& rows = c.edits.regionRows;
    ImGui::PushFont(c.fonts.small);
    drawFilter(c, kept, "regions", "search regions, classes, allocations", -1);
    ImGui::PopFont();
    const MutedScope aged(c, c.context.range.has_value() && c.isOld());
    constexpr auto kRough = NumberForm::rough;
    const std::string nearest = c.machine().levels.empty() ? "" : c.machine().levels.front().name;
    drawFigures(
        c, kept,
        {.thing = "region",
         .columns = {{.key = "region"},
                     {.key = "bytes",
                      .means = "bytes, of all its allocations together",
                      .form = NumberForm::bytes,
                      .keeps = 2,
                      .isMuted = true},
                     {.key = "accesses", .means = "accesses", .form = kRough, .keeps = 3},
                     {.key = "misses", .means = "accesses that missed " + nearest, .form = kRough, .keeps = 5},
                     {.key = "share", .means = "share of all misses of " + nearest, .sample = "100.0", .keeps = 4}},
         .others = kRough,
         .order = nearest.empty() ? "accesses" : "misses",
         .isTight = true,
         .row =
             [&](std::size_t r) {
                 return RowLook{.hint = describeRow(c, kept, r, rows[r]), .isChosen = isChosen(c, rows[r])};
             },
         .clicked = [&](std::size_t r) { pickRow(c, kept, r, rows[r]); },
         .sign = [&](std::size_t r) { return swatch(c, rows[r]); }});
    if (kept.rows().empty()) muted(c, "nothing is called so");
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
void drawPairs(const PanelContext& c, const std::shared_ptr<const void>& of, const sim::Conflicts& conflicts) {
    KeptTable& kept = keptTable(c, "evictions");
    kept.keep(TableSource({of}), [&] { return evictionTable(c, conflicts); });
    if (kept.table().rows.empty()) return;
    if (!section(c, figuresWords(c, "EVICTIONS BY REGION", "whole run"), "section-evictions")) return;
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

KeptTable& keptRegions(const PanelContext& c) {
    KeptTable& kept = keptTable(c, "regions");
    const sim::Run& run = *c.context.opened.run;
    const std::shared_ptr<const sim::Measures> whole = run.measures();
    const RangeFigures* const range = c.range();
    const sim::Ledger* const ledger = range != nullptr ? range->measures.ledger.get()
                                      : whole          ? whole->ledger.get()
                                                       : nullptr;
    const std::shared_ptr<const void> of = range != nullptr ? std::shared_ptr<const void>(c.results.range) : whole;
    bool isNew = false;
    RegionTree tree;
    kept.keep(TableSource({c.context.opened.run, of}), [&] {
        tree = regionTree(c.trace(), c.machine(), ledger);
        isNew = true;
        return std::move(tree.table);
    });
    if (!isNew) return kept;
    kept.nest(std::move(tree.depths), {0}, true);
    c.edits.regionRows = std::move(tree.rows);
    return kept;
}

void drawRegionsPanel(const PanelContext& c) {
    if (section(c, figuresWords(c, "REGIONS", "whole run"), "section-regions")) {
        drawTree(c);
        ImGui::Dummy({0, 6 * c.scale});
    }
    if (const RangeFigures* const range = c.range()) {
        drawPairs(c, c.results.range, range->measures.ledger->regionConflicts);
    } else if (const auto whole = c.context.opened.run->measures()) {
        drawPairs(c, whole, whole->ledger->regionConflicts);
    }
}

}  // namespace whorl::app
