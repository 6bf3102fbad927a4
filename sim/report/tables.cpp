#include "sim/report/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/analysis/cache_cells.h"
#include "sim/analysis/cell_table.h"
#include "sim/analysis/collisions.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/totals/ledger.h"
#include "sim/report/call_tables.h"
#include "sim/report/report_rows.h"
#include "sim/report/tally.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

constexpr std::array<std::string_view, 5> kGroupings = {"region", "object", "line", "cpu", "function"};

std::string objectName(const Trace& trace, std::size_t object) {
    return object < trace.objects().size() ? trace.objects()[object].name : "(no object)";
}

void addLevelColumns(Table& table, const MachineConfig& machine, bool showsUse) {
    for (const LevelConfig& level : machine.levels) {
        table.columns.push_back({level.name + "_misses", level.name + " misses"});
        for (std::size_t k = 0; k < kMissKinds; ++k) {
            table.columns.push_back({fmt::format("{}_{}", level.name, kMissKindKeys[k]), {}});
        }
        table.columns.push_back({level.name + "_fills", {}});
        table.columns.push_back({level.name + "_used_bytes", {}});
        table.columns.push_back({level.name + "_used_percent", showsUse ? level.name + " used %" : ""});
    }
}

void addRow(Table& table, std::string name, Tally tally, const MachineConfig& machine, bool evenIfEmpty = false) {
    if (tally.isEmpty() && !evenIfEmpty) return;
    tally.misses.resize(machine.levels.size());
    tally.stays.resize(machine.levels.size());
    std::vector<Cell> cells{std::move(name), tally.accesses, tally.cycles, perAccess(tally.cycles, tally.accesses)};
    for (std::size_t l = 0; l < tally.misses.size(); ++l) {
        cells.emplace_back(tally.missesAt(l));
        for (const std::uint64_t n : tally.misses[l]) cells.emplace_back(n);
        addUse(cells, tally.stays[l], machine.levels[l]);
    }
    table.rows.push_back(std::move(cells));
}

template <class Name>
void addRows(Table& table, const TallyTable& sums, const MachineConfig& machine, Name&& name) {
    for (std::size_t row = 0; row < sums.rows(); ++row) {
        Tally tally;
        tally.add(sums, row);
        addRow(table, name(row), tally, machine);
    }
}

/// Instructions of one source line are one row.
void addLines(Table& table, const TallyTable& sums, const MachineConfig& machine, const Trace& trace) {
    const SourceLines lines(trace);
    std::vector<Tally> tallies(lines.size());
    for (std::uint32_t row = 0; row < sums.rows(); ++row) tallies[lines.of(SiteId{row})].add(sums, row);
    for (std::uint32_t row = 0; row < sums.rows(); ++row) {
        const std::uint32_t line = lines.of(SiteId{row});
        if (lines.siteOf(line) == SiteId{row})
            addRow(table, siteName(trace, trace.sites()[row]), tallies[line], machine);
    }
}

/// Sites without a function are one row. Where calls were recorded, each has what it cost with all that it called, too.
void addFunctions(Table& table, const TallyTable& sums, const MachineConfig& machine, const Trace& trace) {
    std::vector<Tally> tallies(std::max<std::size_t>(1, trace.functions().size()));
    for (std::uint32_t row = 0; row < sums.rows(); ++row) tallies[trace.sites()[row].function].add(sums, row);
    std::uint64_t all = 0;
    for (const Tally& tally : tallies) all += tally.cycles;
    const std::vector<Tally> inclusive = trace.calls().empty() ? std::vector<Tally>() : inclusiveTallies(sums, trace);
    if (!inclusive.empty()) addInclusiveColumns(table, machine);
    const auto add = [&](std::size_t f, const std::string& name) {
        const std::size_t before = table.rows.size();
        // A function may only have called others.
        const bool isOnlyCaller = tallies[f].isEmpty() && !inclusive.empty() && !inclusive[f].isEmpty();
        addRow(table, name, tallies[f], machine, isOnlyCaller);
        if (!inclusive.empty() && table.rows.size() > before) addInclusiveCells(table.rows.back(), inclusive[f], all);
    };
    for (std::size_t f = 1; f < tallies.size(); ++f) add(f, trace.functions()[f]);
    add(0, "(not known)");
}

}  // namespace

std::optional<Grouping> groupingNamed(std::string_view word) {
    if (word == "source") return Grouping::line;
    const auto at = std::find(kGroupings.begin(), kGroupings.end(), word);
    if (at == kGroupings.end()) return std::nullopt;
    return static_cast<Grouping>(at - kGroupings.begin());
}

Table costTableBy(Grouping grouping) {
    const std::string word(kGroupings[static_cast<std::size_t>(grouping)]);
    const std::string heading = grouping == Grouping::cpu ? "CPU" : word;
    return {.name = "by_" + word,
            .title = "By " + heading,
            .columns = {{word, heading},
                        {"accesses", "accesses"},
                        {"cycles", "cycles"},
                        {"cycles_per_access", "an access"}},
            .rows = {}};
}

Table tableBy(Grouping grouping, const Measures& measures, const Trace& trace, bool showsUse) {
    const MachineConfig& machine = measures.machine;
    Table table = costTableBy(grouping);
    addLevelColumns(table, machine, showsUse);
    const Ledger& ledger = *measures.ledger;
    if (grouping == Grouping::region) {
        addRows(table, ledger.owners, machine, [&](auto row) { return trace.owners().name(row); });
    }
    if (grouping == Grouping::object) {
        addRows(table, ledger.objects, machine, [&](auto row) { return objectName(trace, row); });
    }
    if (grouping == Grouping::cpu) addRows(table, ledger.cpus, machine, [](auto row) { return std::to_string(row); });
    if (grouping == Grouping::line) addLines(table, ledger.sites, machine, trace);
    if (grouping == Grouping::function) addFunctions(table, ledger.sites, machine, trace);
    rank(table, 2);
    return table;
}

namespace {

/// `levelName` gives the names of levels, `name` those of evictors and victims.
Table tableOf(Grouping grouping, const Conflicts& conflicts, const std::function<std::string(std::size_t)>& levelName,
              const std::function<std::string(std::size_t)>& name) {
    const bool objects = grouping == Grouping::object;
    Table table{.name = objects ? "object_conflicts" : "region_conflicts",
                .title = objects ? "Objects that conflict" : "Regions that conflict",
                .columns = {{"level", "level"},
                            {"first", "first"},
                            {"second", "second"},
                            {"evictions", "evictions"},
                            {"by_first", "by the first"},
                            {"by_second", "by the second"}},
                .rows = {}};
    for (const auto& [conflict, count] : conflicts) {
        const auto back = conflicts.find({conflict.level, conflict.victim, conflict.evictor});
        const std::uint64_t others = back == conflicts.end() ? 0 : back->second;
        const bool itself = conflict.evictor == conflict.victim;
        // A pair that occurs both ways has one row.
        if (others > 0 && conflict.victim < conflict.evictor) continue;
        table.rows.push_back({levelName(conflict.level), name(conflict.evictor), name(conflict.victim),
                              itself ? count : count + others, count, itself ? Cell{} : Cell{others}});
    }
    rank(table, 3);
    return table;
}

}  // namespace

Table conflictTable(const Measures& measures, const Trace& trace) {
    return tableOf(
        Grouping::region, measures.ledger->regionConflicts,
        [&](std::size_t level) { return measures.machine.levels[level].name; },
        [&](std::size_t region) { return regionName(trace, region); });
}

Table conflictTable(Grouping grouping, const History& history, const Trace& trace) {
    const auto of = grouping == Grouping::object ? CollisionsOf::object : CollisionsOf::region;
    const Collisions found = collisionsOf(history, trace, of);
    Conflicts conflicts;
    for (const Collision& c : found.cells) {
        conflicts[{static_cast<std::uint32_t>(c.level), c.evictor, c.victim}] += c.count();
    }
    return tableOf(
        grouping, conflicts, [&](std::size_t level) { return history.levels[level].name; },
        [&](std::size_t place) { return found.names[place]; });
}

namespace {

constexpr const char* kCurveTitle = "Miss ratios of fully associative LRU caches";

}  // namespace

Table missRatioCurve(const Reuse& reuse, const Trace& trace) {
    Table table{.name = "mrc", .title = kCurveTitle, .columns = {}, .rows = {}, .ranked = false};
    table.columns = {{"region", "region"}, {"blocks", "blocks"}, {"bytes", "bytes"},
                     {"uses", "uses"},     {"misses", "misses"}, {"miss_ratio", "miss ratio"}};
    const auto add = [&](const std::string& name, const ReuseHistogram& histogram) {
        if (histogram.uses() == 0) return;
        const std::uint64_t end = histogram.end();
        for (std::uint64_t blocks = 1;; blocks *= 2) {
            const std::uint64_t misses = histogram.misses(blocks);
            table.rows.push_back({name, blocks, blocks * reuse.block, histogram.uses(), misses,
                                  static_cast<double>(misses) / static_cast<double>(histogram.uses())});
            if (blocks >= end) return;
        }
    };
    add("(all)", reuse.all);
    for (std::size_t r = 0; r < trace.regions().size(); ++r) add(trace.regions()[r].name, reuse.regions[r]);
    add("(no region)", reuse.regions.back());
    return table;
}

Table missRatioTable(const Reuse& reuse, const Trace& trace) {
    constexpr std::size_t kRegions = 6;
    std::vector<std::size_t> used;
    used.reserve(reuse.regions.size());
    for (std::size_t r = 0; r < reuse.regions.size(); ++r) {
        if (reuse.regions[r].uses() > 0) used.push_back(r);
    }
    std::stable_sort(used.begin(), used.end(),
                     [&](auto a, auto b) { return reuse.regions[a].uses() > reuse.regions[b].uses(); });
    used.resize(std::min(used.size(), kRegions));
    Table table{.name = "mrc", .title = kCurveTitle, .columns = {}, .rows = {}, .ranked = false};
    table.columns = {{"size", "size"}, {"blocks", "blocks"}, {"all", "(all)"}};
    for (const std::size_t r : used) {
        const std::string name = r < trace.regions().size() ? trace.regions()[r].name : "(no region)";
        table.columns.push_back({name, name});
    }
    for (std::uint64_t blocks = 1; reuse.all.uses() > 0; blocks *= 2) {
        std::vector<Cell> row{formatBytes(blocks * reuse.block), blocks, reuse.all.missRatio(blocks)};
        row.reserve(3 + used.size());
        for (const std::size_t r : used) row.emplace_back(reuse.regions[r].missRatio(blocks));
        table.rows.push_back(std::move(row));
        if (blocks >= reuse.all.end()) break;
    }
    return table;
}

// --- cells of memory and of caches ---

namespace {

/// A table for people has the misses of at most this many levels, so that it fits.
constexpr std::size_t kLevelsForPeople = 3;

void addCellColumns(Table& table, const MachineConfig& machine, bool showsUse) {
    table.columns.insert(table.columns.end(), {{"region", "region"},
                                               {"accesses", "accesses"},
                                               {"reads", {}},
                                               {"writes", {}},
                                               {"cycles", "cycles"},
                                               {"cycles_per_access", {}},
                                               {"penalty", "penalty"},
                                               {"miss_rate", "miss rate"},
                                               {"mostly_served_by", "mostly"}});
    if (machine.tlb.entries > 0) table.columns.push_back({"tlb_misses", "TLB misses"});
    if (machine.memory.isBounded()) table.columns.push_back({"page_faults", "page faults"});
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        const std::string& name = machine.levels[l].name;
        table.columns.push_back({name + "_hits", {}});
        table.columns.push_back({name + "_misses", l < kLevelsForPeople ? name + " misses" : ""});
        table.columns.push_back({name + "_fills", {}});
        table.columns.push_back({name + "_used_bytes", {}});
        table.columns.push_back({name + "_used_percent", showsUse ? name + " used %" : ""});
        table.columns.push_back({name + "_conflicts", {}});
    }
}

std::vector<Cell> rowOf(const CellTable& cells, std::size_t i, const MachineConfig& machine, const Trace& trace) {
    const ByteAddress base = cells.address(i);
    const CellSums sums = cells.sums(i);
    const std::uint32_t region = regionOfBlock(trace, base, cells.grain());
    const std::size_t served = sums.mostServed(cells.levels());
    std::vector<Cell> row{fmt::format("{:#x}", base.value),
                          regionName(trace, region),
                          sums.accesses,
                          sums.reads(),
                          sums.writes,
                          sums.cycles,
                          perAccess(sums.cycles, sums.accesses),
                          sums.penalty,
                          sums.missRate(0),
                          {}};
    if (sums.accesses > 0) row.back() = machine.levelName(served);
    if (machine.tlb.entries > 0) row.emplace_back(sums.tlbMisses);
    if (machine.memory.isBounded()) row.emplace_back(sums.pageFaults);
    for (std::size_t l = 0; l < cells.levels(); ++l) {
        row.emplace_back(sums.hits[l]);
        row.emplace_back(sums.misses[l]);
        addUse(row, sums.stays[l], machine.levels[l]);
        row.emplace_back(std::uint64_t{cells.conflicts(l, base, 1)});
    }
    return row;
}

void addSums(std::vector<Cell>& row, const CacheCellSums& sums) {
    for (const std::uint64_t n : {sums.requests(), sums.hits, sums.misses, sums.evictions, sums.writebacks,
                                  sums.distinctBlocks, sums.penalty}) {
        row.emplace_back(n);
    }
}

constexpr std::size_t kMisses = 2;  ///< its place among these sums

void addSumColumns(Table& table) {
    table.columns.insert(table.columns.end(), {{"requests", "requests"},
                                               {"hits", {}},
                                               {"misses", "misses"},
                                               {"evictions", "evictions"},
                                               {"writebacks", {}},
                                               {"distinct_blocks", "blocks"},
                                               {"penalty", "penalty"}});
}

}  // namespace

Table cellTable(std::string_view thing, const CellTable& cells, const MachineConfig& machine, const Trace& trace,
                bool showsUse) {
    Table table{.name = fmt::format("by_{}", thing),
                .title = fmt::format("By {}", thing),
                .columns = {{std::string(thing), std::string(thing)}},
                .rows = {}};
    addCellColumns(table, machine, showsUse);
    table.rows.reserve(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        // A cell may only have lost a block.
        if (cells.sums(i) != CellSums{}) table.rows.push_back(rowOf(cells, i, machine, trace));
    }
    constexpr std::size_t kCycles = 5;
    rank(table, kCycles);
    return table;
}

Table setTable(const std::vector<std::shared_ptr<const CacheCellTable>>& levels, const Measures& measures) {
    const MachineConfig& machine = measures.machine;
    Table table{.name = "by_set", .title = "By set", .columns = {}, .rows = {}};
    table.columns = {{"level", "level"}, {"cache", "cache"}, {"set", "set"}};
    const std::size_t first = table.columns.size();
    addSumColumns(table);
    for (std::size_t k = 0; k < kMissKinds; ++k) {
        const bool shown = isPossible(static_cast<MissKind>(k), machine);
        table.columns.push_back({std::string(kMissKindKeys[k]), shown ? std::string(kMissKindWords[k]) : ""});
    }
    for (const auto& cells : levels) {
        for (std::uint32_t cache = 0; cache < cells->caches(); ++cache) {
            for (std::uint32_t s = 0; s < cells->sets(); ++s) {
                const CacheCellSums sums = cells->ofSet(cache, SetIndex{s});
                if (sums.requests() == 0 && sums.evictions == 0 && sums.writebacks == 0) continue;
                std::vector<Cell> row{machine.levels[cells->level()].name, std::uint64_t{cache}, std::uint64_t{s}};
                addSums(row, sums);
                const auto& kinds = measures.ledger->sets[machine.firstCache(cells->level()) + cache][s].misses;
                for (const std::uint64_t n : kinds) row.emplace_back(n);
                table.rows.push_back(std::move(row));
            }
        }
    }
    rank(table, first + kMisses);
    return table;
}

Table wayTable(const CacheCellTable& cells, const MachineConfig& machine) {
    Table table{.name = "by_way", .title = "By way", .columns = {}, .rows = {}};
    table.columns = {{"level", "level"}, {"cache", "cache"}, {"set", "set"}, {"way", "way"}};
    const std::size_t first = table.columns.size();
    addSumColumns(table);
    const auto add = [&](std::uint32_t cache, std::uint32_t set, Cell way, const CacheCellSums& sums) {
        if (sums == CacheCellSums{}) return;
        std::vector<Cell> row{machine.levels[cells.level()].name, std::uint64_t{cache}, std::uint64_t{set},
                              std::move(way)};
        addSums(row, sums);
        table.rows.push_back(std::move(row));
    };
    for (std::uint32_t cache = 0; cache < cells.caches(); ++cache) {
        for (std::uint32_t s = 0; s < cells.sets(); ++s) {
            for (std::uint32_t w = 0; w < cells.ways(); ++w) {
                add(cache, s, std::uint64_t{w}, cells.at(cache, SetIndex{s}, WayIndex{w}));
            }
            add(cache, s, {}, cells.unplaced(cache, SetIndex{s}));
        }
    }
    rank(table, first + kMisses);
    return table;
}

}  // namespace whorl::sim
