#include "sim/report/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/report/report_rows.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

constexpr std::array<std::string_view, 6> kGroupings = {"region", "object", "line", "set", "block", "cpu"};

double perAccess(std::uint64_t cycles, std::uint64_t accesses) {
    return accesses == 0 ? 0.0 : static_cast<double>(cycles) / static_cast<double>(accesses);
}

std::string regionName(const Trace& trace, std::size_t region) {
    return region < trace.regions().size() ? trace.regions()[region].name : "(no region)";
}

std::string objectName(const Trace& trace, std::size_t object) {
    return object < trace.objects().size() ? trace.objects()[object].name : "(no object)";
}

std::string siteName(const Trace& trace, const Site& site) {
    if (site.line != 0) return fmt::format("{}:{}", trace.files()[site.file].path, site.line);
    return site.pc.value != 0 ? fmt::format("{:#x}", site.pc.value) : "(not known)";
}

void addCostColumns(Table& table) {
    table.columns.push_back({"accesses", "accesses"});
    table.columns.push_back({"cycles", "cycles"});
    table.columns.push_back({"cycles_per_access", "an access"});
}

void addLevelColumns(Table& table, const MachineConfig& machine, bool kinds, bool showsUse) {
    for (const LevelConfig& level : machine.levels) {
        table.columns.push_back({level.name + "_misses", level.name + " misses"});
        for (std::size_t k = 0; k < kMissKinds && kinds; ++k) {
            table.columns.push_back({fmt::format("{}_{}", level.name, kMissKindKeys[k]), {}});
        }
        table.columns.push_back({level.name + "_fills", {}});
        table.columns.push_back({level.name + "_used_bytes", {}});
        table.columns.push_back({level.name + "_used_percent", showsUse ? level.name + " used %" : ""});
    }
}

void addUse(std::vector<Cell>& cells, const StaySum& stays, const LevelConfig& level) {
    cells.emplace_back(stays.fills);
    cells.emplace_back(stays.usedBytes);
    cells.emplace_back();
    if (stays.fills > 0) cells.back() = 100 * stays.utilization(level.block);
}

/// A row of a tally: sums over the rows of the ledger with the same name.
struct Tally {
    std::uint64_t accesses = 0;
    std::uint64_t cycles = 0;
    std::vector<std::array<std::uint64_t, kMissKinds>> misses;  ///< by level
    std::vector<StaySum> stays;                                 ///< by level

    void add(const TallyTable& table, std::size_t row) {
        accesses += table.accesses(row);
        cycles += table.cycles(row);
        misses.resize(table.levels());
        stays.resize(table.levels());
        for (std::size_t l = 0; l < table.levels(); ++l) {
            stays[l] += table.stays(row, l);
            for (std::size_t k = 0; k < kMissKinds; ++k) misses[l][k] += table.misses(row, l, static_cast<MissKind>(k));
        }
    }
    bool isEmpty() const {
        const auto none = [](const auto& kinds) {
            return std::all_of(kinds.begin(), kinds.end(), [](auto n) { return n == 0; });
        };
        return accesses == 0 && cycles == 0 && std::all_of(misses.begin(), misses.end(), none) &&
               std::all_of(stays.begin(), stays.end(), [](const StaySum& sum) { return sum == StaySum{}; });
    }
};

void addRow(Table& table, std::string name, const Tally& tally, const MachineConfig& machine) {
    if (tally.isEmpty()) return;
    std::vector<Cell> cells{std::move(name), tally.accesses, tally.cycles, perAccess(tally.cycles, tally.accesses)};
    for (std::size_t l = 0; l < tally.misses.size(); ++l) {
        std::uint64_t sum = 0;
        for (const std::uint64_t n : tally.misses[l]) sum += n;
        cells.emplace_back(sum);
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

Table setTable(const Measures& measures) {
    const MachineConfig& machine = measures.machine;
    Table table{.name = "by_set", .title = "By set", .columns = {}, .rows = {}};
    table.columns = {{"level", "level"},       {"cache", "cache"},   {"set", "set"},
                     {"requests", "requests"}, {"misses", "misses"}, {"evictions", "evictions"}};
    for (std::size_t k = 0; k < kMissKinds; ++k) {
        const bool shown = isPossible(static_cast<MissKind>(k), machine);
        table.columns.push_back({std::string(kMissKindKeys[k]), shown ? std::string(kMissKindWords[k]) : ""});
    }
    std::size_t place = 0;
    for (const LevelConfig& level : machine.levels) {
        const auto caches = machine.caches(static_cast<std::size_t>(&level - machine.levels.data()));
        for (std::uint64_t cache = 0; cache < caches; ++cache, ++place) {
            const std::vector<SetTally>& sets = measures.ledger->sets[place];
            for (std::uint64_t s = 0; s < sets.size(); ++s) {
                if (sets[s] == SetTally{}) continue;
                std::uint64_t misses = 0;
                for (const std::uint64_t n : sets[s].misses) misses += n;
                std::vector<Cell> cells{level.name, cache, s, sets[s].requests, misses, sets[s].evictions};
                for (const std::uint64_t n : sets[s].misses) cells.emplace_back(n);
                table.rows.push_back(std::move(cells));
            }
        }
    }
    rank(table, 4);
    return table;
}

}  // namespace

std::optional<Grouping> groupingNamed(std::string_view word) {
    if (word == "source") return Grouping::line;
    const auto at = std::find(kGroupings.begin(), kGroupings.end(), word);
    if (at == kGroupings.end()) return std::nullopt;
    return static_cast<Grouping>(at - kGroupings.begin());
}

Table tableBy(Grouping grouping, const Measures& measures, const Trace& trace, bool showsUse) {
    if (grouping == Grouping::set) return setTable(measures);
    if (grouping == Grouping::block) return blockTable(0, measures, trace, showsUse);
    const MachineConfig& machine = measures.machine;
    const std::string word(kGroupings[static_cast<std::size_t>(grouping)]);
    const std::string heading = grouping == Grouping::cpu ? "CPU" : word;
    Table table{.name = "by_" + word, .title = "By " + heading, .columns = {{word, heading}}, .rows = {}};
    addCostColumns(table);
    addLevelColumns(table, machine, true, showsUse);
    const Ledger& ledger = *measures.ledger;
    if (grouping == Grouping::region) {
        addRows(table, ledger.regions, machine, [&](auto row) { return regionName(trace, row); });
    }
    if (grouping == Grouping::object) {
        addRows(table, ledger.objects, machine, [&](auto row) { return objectName(trace, row); });
    }
    if (grouping == Grouping::cpu) addRows(table, ledger.cpus, machine, [](auto row) { return std::to_string(row); });
    if (grouping == Grouping::line) addLines(table, ledger.sites, machine, trace);
    rank(table, 2);
    return table;
}

Table blockTable(std::size_t level, const Measures& measures, const Trace& trace, bool showsUse) {
    const std::uint64_t size = measures.machine.levels[level].block;
    const std::uint64_t together = size / measures.machine.levels[0].block;
    Table table{.name = "by_block", .title = "By block", .columns = {}, .rows = {}};
    table.columns = {{"block", "block"}, {"region", "region"}};
    addCostColumns(table);
    addLevelColumns(table, measures.machine, false, showsUse);
    const auto add = [&](ByteAddress base, const BlockCost& cost) {
        std::vector<Cell> cells{fmt::format("{:#x}", base.value), regionName(trace, regionOfBlock(trace, base, size)),
                                cost.accesses, cost.cycles, perAccess(cost.cycles, cost.accesses)};
        for (std::size_t l = 0; l < measures.machine.levels.size(); ++l) {
            cells.emplace_back(std::uint64_t{cost.misses[l]});
            addUse(cells, cost.stays[l], measures.machine.levels[l]);
        }
        table.rows.push_back(std::move(cells));
    };
    const auto& blocks = measures.ledger->blocks;
    table.rows.reserve(blocks.size());
    for (auto at = blocks.begin(); at != blocks.end();) {
        const std::uint64_t block = at->first.value / together;
        BlockCost sum;
        for (; at != blocks.end() && at->first.value / together == block; ++at) {
            sum.accesses += at->second.accesses;
            sum.cycles += at->second.cycles;
            for (std::size_t l = 0; l < kMaxLevels; ++l) {
                sum.misses[l] += at->second.misses[l];
                sum.stays[l] += at->second.stays[l];
            }
        }
        add(ByteAddress{block * size}, sum);
    }
    rank(table, 3);
    return table;
}

Table conflictTable(Grouping grouping, const Measures& measures, const Trace& trace) {
    const bool objects = grouping == Grouping::object;
    const auto name = [&](std::uint32_t place) {
        return objects ? objectName(trace, place) : regionName(trace, place);
    };
    Table table{.name = objects ? "object_conflicts" : "region_conflicts",
                .title = objects ? "Objects that conflict" : "Regions that conflict",
                .columns = {{"level", "level"},
                            {"first", "first"},
                            {"second", "second"},
                            {"evictions", "evictions"},
                            {"by_first", "by the first"},
                            {"by_second", "by the second"}},
                .rows = {}};
    const Conflicts& conflicts = objects ? measures.ledger->objectConflicts : measures.ledger->regionConflicts;
    for (const auto& [conflict, count] : conflicts) {
        const auto back = conflicts.find({conflict.level, conflict.victim, conflict.evictor});
        const std::uint64_t others = back == conflicts.end() ? 0 : back->second;
        const bool itself = conflict.evictor == conflict.victim;
        // A pair that occurs both ways has one row.
        if (others > 0 && conflict.victim < conflict.evictor) continue;
        table.rows.push_back({measures.machine.levels[conflict.level].name, name(conflict.evictor),
                              name(conflict.victim), itself ? count : count + others, count,
                              itself ? Cell{} : Cell{others}});
    }
    rank(table, 3);
    return table;
}

}  // namespace whorl::sim
