#include "sim/report/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/report/report_rows.h"
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

/// Sites without a function are one row.
void addFunctions(Table& table, const TallyTable& sums, const MachineConfig& machine, const Trace& trace) {
    std::vector<Tally> tallies(std::max<std::size_t>(1, trace.functions().size()));
    for (std::uint32_t row = 0; row < sums.rows(); ++row) tallies[trace.sites()[row].function].add(sums, row);
    for (std::size_t f = 1; f < tallies.size(); ++f) addRow(table, trace.functions()[f], tallies[f], machine);
    addRow(table, "(not known)", tallies[0], machine);
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
        addRows(table, ledger.regions, machine, [&](auto row) { return regionName(trace, row); });
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

Table conflictTable(Grouping grouping, const Measures& measures, const Trace& trace) {
    const bool objects = grouping == Grouping::object;
    return conflictTable(
        grouping, objects ? measures.ledger->objectConflicts : measures.ledger->regionConflicts,
        [&](std::size_t level) { return measures.machine.levels[level].name; },
        [&](std::size_t place) { return objects ? objectName(trace, place) : regionName(trace, place); });
}

Table conflictTable(Grouping grouping, const Conflicts& conflicts,
                    const std::function<std::string(std::size_t)>& levelName,
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

}  // namespace whorl::sim
