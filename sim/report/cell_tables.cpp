#include "sim/report/cell_tables.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "sim/replay/totals/ledger.h"
#include "sim/report/report_rows.h"

namespace whorl::sim {

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
