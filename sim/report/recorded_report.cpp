#include "sim/report/recorded_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "sim/replay/totals/ledger.h"
#include "sim/report/report_rows.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

/// A count reported for a cache.
struct RecordedRow {
    std::string_view key;    ///< in JSON and CSV
    std::string_view words;  ///< in the text table
    std::uint64_t RecordedCache::*value;
};
constexpr std::array<RecordedRow, 7> kRows = {{
    {"loads", "loads", &RecordedCache::loads},
    {"exclusive_loads", "exclusive", &RecordedCache::exclusiveLoads},
    {"replacements", "replaced", &RecordedCache::replacements},
    {"dirty_replacements", "dirty", &RecordedCache::dirtyReplacements},
    {"invalidations", "invalidated", &RecordedCache::invalidations},
    {"dirty_invalidations", "dirty", &RecordedCache::dirtyInvalidations},
    {"upgrades", "upgrades", &RecordedCache::upgrades},
}};

std::string cpusOf(const RecordedLevel& level, std::size_t cache) {
    const std::size_t first = cache * level.cpusPerCache;
    if (level.cpusPerCache == 1) return fmt::format("{}", first);
    return fmt::format("{} to {}", first, first + level.cpusPerCache - 1);
}

void addCells(std::vector<Cell>& cells, const RecordedCache& cache) {
    for (const RecordedRow& row : kRows) cells.emplace_back(cache.*row.value);
}

void addColumns(Table& table) {
    for (const RecordedRow& row : kRows) table.columns.push_back({std::string(row.key), std::string(row.words)});
}

Table levelsTable(const RecordedCounts& counts) {
    Table table{.name = "levels",
                .title = {},
                .columns = {{"level", "level"}, {"caches", "caches"}, {"block", "block"}},
                .rows = {},
                .ranked = false};
    addColumns(table);
    for (const RecordedLevel& level : counts.levels) {
        std::vector<Cell> cells{level.name, std::uint64_t{level.caches.size()}, std::uint64_t{level.blockSize}};
        addCells(cells, level.ofAll());
        table.rows.push_back(std::move(cells));
    }
    return table;
}

/// A row for each cache of the levels that have several.
Table cachesTable(const RecordedCounts& counts) {
    Table table{.name = "caches",
                .title = {},
                .columns = {{"level", "cache"}, {"cpus", "of CPU"}},
                .rows = {},
                .ranked = false};
    addColumns(table);
    for (const RecordedLevel& level : counts.levels) {
        for (std::size_t i = 0; i < level.caches.size() && level.caches.size() > 1; ++i) {
            std::vector<Cell> cells{level.name, cpusOf(level, i)};
            addCells(cells, level.caches[i]);
            table.rows.push_back(std::move(cells));
        }
    }
    return table;
}

/// What a row of a table of costs sums up.
struct Sum {
    Cost cost;
    std::vector<std::uint64_t> loads;  ///< by level
};

/// A table under construction: sums by any number.
class Sums {
  public:
    Sums(std::size_t rows, const History& recorded)
        : sums_(rows, {.cost = {}, .loads = std::vector<std::uint64_t>(recorded.levels.size(), 0)}),
          recorded_(recorded) {}

    Sum& operator[](std::size_t row) { return sums_[row]; }
    std::size_t size() const { return sums_.size(); }
    /// Adds the loads of all blocks; rowOf(Stay) is the row of the access that loaded one.
    template <class RowOf>
    void addLoads(RowOf&& rowOf) {
        for (std::size_t l = 0; l < recorded_.levels.size(); ++l) {
            for (const Stay& stay : recorded_.levels[l].stays) {
                if (stay.in != Stay::kNever) ++sums_[rowOf(stay)].loads[l];
            }
        }
    }
    /// Appends a row that is not empty.
    void appendTo(Table& table, std::size_t row, std::string name) const {
        const Sum& sum = sums_[row];
        std::uint64_t loads = 0;
        for (const std::uint64_t n : sum.loads) loads += n;
        if (sum.cost == Cost{} && loads == 0) return;
        std::vector<Cell> cells{std::move(name), sum.cost.accesses, sum.cost.cycles,
                                perAccess(sum.cost.cycles, sum.cost.accesses)};
        for (const std::uint64_t n : sum.loads) cells.emplace_back(n);
        table.rows.push_back(std::move(cells));
    }

  private:
    std::vector<Sum> sums_;
    const History& recorded_;
};

void addRegions(Table& table, const RecordedCounts& counts, const History& recorded, const Trace& trace) {
    Sums sums(counts.regions.size(), recorded);
    for (std::size_t r = 0; r < sums.size(); ++r) sums[r].cost = counts.regions[r];
    sums.addLoads([&](const Stay& stay) { return trace.regionAt(stay.address); });
    for (std::size_t r = 0; r < sums.size(); ++r) sums.appendTo(table, r, regionName(trace, r));
}

void addCpus(Table& table, const RecordedCounts& counts, const History& recorded) {
    Sums sums(counts.cpus.size(), recorded);
    for (std::size_t c = 0; c < sums.size(); ++c) {
        sums[c].cost = {.accesses = counts.cpus[c].accesses(), .cycles = counts.cpus[c].cycles};
    }
    sums.addLoads([](const Stay& stay) { return stay.cpu; });
    for (std::size_t c = 0; c < sums.size(); ++c) sums.appendTo(table, c, std::to_string(c));
}

/// Adds a row for each object, and one for everything in no object.
void addObjects(Table& table, const History& recorded, const Trace& trace) {
    const std::size_t none = recorded.objects.size();
    const auto rowOf = [&](std::size_t object) {
        return recorded.objects[object].kind == CostNode::Kind::object ? object : none;
    };
    Sums sums(none + 1, recorded);
    for (std::size_t o = 0; o < none; ++o) {
        sums[rowOf(o)].cost += {.accesses = recorded.objects[o].accesses, .cycles = recorded.objects[o].cycles};
    }
    sums.addLoads([&](const Stay& stay) { return rowOf(stay.object); });
    for (std::size_t o = 0; o < none; ++o) {
        if (rowOf(o) == o) sums.appendTo(table, o, trace.objects()[recorded.objects[o].id].name);
    }
    sums.appendTo(table, none, "(no object)");
}

void addLines(Table& table, const History& recorded, const Trace& trace) {
    Sums sums(recorded.sources.size(), recorded);
    for (std::size_t s = 0; s < sums.size(); ++s) {
        sums[s].cost = {.accesses = recorded.sources[s].accesses, .cycles = recorded.sources[s].cycles};
    }
    sums.addLoads([](const Stay& stay) { return stay.source; });
    for (std::size_t s = 0; s < sums.size(); ++s) {
        sums.appendTo(table, s, siteName(trace, trace.site(SiteId{recorded.sources[s].id})));
    }
}

void addFunctions(Table& table, const History& recorded, const Trace& trace) {
    const auto rowOf = [&](std::size_t source) { return trace.site(SiteId{recorded.sources[source].id}).function; };
    Sums sums(std::max<std::size_t>(1, trace.functions().size()), recorded);
    for (std::size_t s = 0; s < recorded.sources.size(); ++s) {
        sums[rowOf(s)].cost += {.accesses = recorded.sources[s].accesses, .cycles = recorded.sources[s].cycles};
    }
    sums.addLoads([&](const Stay& stay) { return rowOf(stay.source); });
    for (std::size_t f = 1; f < sums.size(); ++f) sums.appendTo(table, f, trace.functions()[f]);
    sums.appendTo(table, 0, "(not known)");
}

}  // namespace

Table recordedTable(Grouping grouping, const RecordedCounts& counts, const History& recorded, const Trace& trace) {
    Table table = costTableBy(grouping);
    for (const HistoryLevel& level : recorded.levels) {
        table.columns.push_back({level.name + "_loads", level.name + " loads"});
    }
    switch (grouping) {
        case Grouping::region:
            addRegions(table, counts, recorded, trace);
            break;
        case Grouping::object:
            addObjects(table, recorded, trace);
            break;
        case Grouping::line:
            addLines(table, recorded, trace);
            break;
        case Grouping::cpu:
            addCpus(table, counts, recorded);
            break;
        case Grouping::function:
            addFunctions(table, recorded, trace);
            break;
    }
    rank(table, 2);
    return table;
}

Table recordedBlocks(std::size_t level, const History& recorded, const Trace& trace) {
    const HistoryLevel& of = recorded.levels[level];
    Table table{.name = "by_block_" + of.name,
                .title = "By block of " + of.name,
                .columns = {{"block", "block"},
                            {"region", "region"},
                            {"accesses", "accesses"},
                            {"cycles", "cycles"},
                            {"cycles_per_access", "an access"},
                            {"loads", "loads"},
                            {"replacements", "replaced"},
                            {"invalidations", "invalidated"}},
                .rows = {}};
    for (std::size_t b = 0; b < of.blocks.size(); ++b) {
        const HistoryBlock& block = of.blocks[b];
        RecordedCache sum;
        for (std::size_t s = block.firstStay; s < of.staysEnd(b); ++s) {
            sum.loads += of.stays[s].in != Stay::kNever ? 1 : 0;
            sum.replacements += of.stays[s].leaving == Leaving::replaced ? 1 : 0;
            sum.invalidations += of.stays[s].leaving == Leaving::invalidated ? 1 : 0;
        }
        const ByteAddress base{block.block.value * of.blockSize};
        table.rows.push_back({fmt::format("{:#x}", base.value),
                              regionName(trace, regionOfBlock(trace, base, of.blockSize)), block.accesses, block.cost,
                              perAccess(block.cost, block.accesses), sum.loads, sum.replacements, sum.invalidations});
    }
    rank(table, 3);
    return table;
}

namespace {

/// What a recording lacks.
constexpr std::string_view kNotRecorded =
    "A recording contains what caches loaded, replaced and invalidated, and how long accesses waited; not hits, kinds "
    "of misses, write-backs, sets, ways or the bytes used.";

std::string recordedAsText(const RecordedReport& report, std::size_t top) {
    const RecordedCounts& counts = report.counts;
    const RecordedCpu all = counts.ofAllCpus();
    std::string out = fmt::format("as recorded: {} accesses: {} reads, {} writes\n\n", grouped(all.accesses()),
                                  grouped(all.reads), grouped(all.writes));
    const Table levels = levelsTable(counts);
    out += tableAsText(levels, levels.rows.size()) + '\n';
    const Table caches = cachesTable(counts);
    if (!caches.rows.empty()) out += tableAsText(caches, caches.rows.size()) + '\n';
    out += fmt::format("cycles: {}, {:.2f} an access; {} waited\n", grouped(all.cycles),
                       perAccess(all.cycles, all.accesses()), grouped(all.waits));
    for (std::size_t cpu = 0; cpu < counts.cpus.size() && counts.cpus.size() > 1; ++cpu) {
        out += fmt::format("  CPU {}: {}\n", cpu, grouped(counts.cpus[cpu].cycles));
    }
    out += fmt::format("elapsed: {}\n", grouped(counts.elapsed));
    for (const Table& table : report.tables) out += '\n' + tableAsText(table, top);
    return out + fmt::format("\n{}\n", kNotRecorded);
}

/// The counts in long form: a row for each counter of each CPU and each cache.
Table recordedCountsTable(const RecordedReport& report) {
    const RecordedCounts& counts = report.counts;
    const RecordedCpu all = counts.ofAllCpus();
    Table table{.name = "counts",
                .title = {},
                .columns = {{"machine", {}}, {"level", {}}, {"cache", {}}, {"counter", {}}, {"value", {}}},
                .rows = {}};
    const auto add = [&](std::string_view level, Cell cache, std::string_view counter, Cell value) {
        table.rows.push_back(
            {"as recorded", std::string(level), std::move(cache), std::string(counter), std::move(value)});
    };
    add("", {}, "accesses", all.accesses());
    add("", {}, "reads", all.reads);
    add("", {}, "writes", all.writes);
    add("", {}, "waits", all.waits);
    add("", {}, "cycles", all.cycles);
    add("", {}, "cycles_per_access", perAccess(all.cycles, all.accesses()));
    add("", {}, "elapsed_cycles", counts.elapsed);
    for (std::size_t cpu = 0; cpu < counts.cpus.size(); ++cpu) {
        add("CPU", cpu, "accesses", counts.cpus[cpu].accesses());
        add("CPU", cpu, "waits", counts.cpus[cpu].waits);
        add("CPU", cpu, "cycles", counts.cpus[cpu].cycles);
    }
    for (const RecordedLevel& level : counts.levels) {
        for (std::size_t i = 0; i < level.caches.size(); ++i) {
            for (const RecordedRow& row : kRows) add(level.name, i, row.key, level.caches[i].*row.value);
        }
    }
    return table;
}

JsonObject recordedCpuAsJson(const RecordedCpu& cpu) {
    return {{"accesses", cpu.accesses()},
            {"reads", cpu.reads},
            {"writes", cpu.writes},
            {"waits", cpu.waits},
            {"cycles", cpu.cycles}};
}

JsonValue recordedLevelAsJson(const RecordedLevel& level) {
    JsonArray caches;
    for (std::size_t i = 0; i < level.caches.size(); ++i) {
        JsonArray cpus;
        for (std::size_t c = 0; c < level.cpusPerCache; ++c) cpus.emplace_back(i * level.cpusPerCache + c);
        JsonObject cache{{"cpus", std::move(cpus)}};
        for (const RecordedRow& row : kRows) cache.emplace_back(row.key, level.caches[i].*row.value);
        caches.emplace_back(std::move(cache));
    }
    return JsonObject{{"name", level.name}, {"block", level.blockSize}, {"caches", std::move(caches)}};
}

JsonValue recordedAsJson(const RecordedReport& report) {
    const RecordedCpu all = report.counts.ofAllCpus();
    JsonObject sums = recordedCpuAsJson(all);
    sums.insert(sums.begin(), {"recorded", true});
    JsonValue json = std::move(sums);
    json["cycles_per_access"] = perAccess(all.cycles, all.accesses());
    json["elapsed_cycles"] = report.counts.elapsed;
    json["cpus"] = jsonArrayOf(report.counts.cpus, recordedCpuAsJson);
    json["levels"] = jsonArrayOf(report.counts.levels, recordedLevelAsJson);
    for (const Table& table : report.tables) json["tables"][table.name] = table;
    json["not_recorded"] = kNotRecorded;
    return json;
}

}  // namespace

Document recordedDocument(RecordedReport report) {
    const auto found = std::make_shared<const RecordedReport>(std::move(report));
    return {.text = [=](std::size_t top) { return recordedAsText(*found, top); },
            .json = [=] { return recordedAsJson(*found); },
            .csv = [=] { return found->tables.empty() ? recordedCountsTable(*found) : found->tables.front(); }};
}

}  // namespace whorl::sim
