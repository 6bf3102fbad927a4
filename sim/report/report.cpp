#include "sim/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <span>
#include <utility>

#include "sim/analysis/figures.h"
#include "sim/report/report_rows.h"
#include "sim/report/window_words.h"

namespace whorl::sim {

namespace {

constexpr std::size_t kTableWidth = 80;

std::string percent(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

struct TextColumn {
    std::vector<std::string> cells;  ///< the first is the heading
    std::size_t width() const {
        std::size_t most = 0;
        for (const std::string& cell : cells) most = std::max(most, cell.size());
        return most;
    }
};

TextColumn labelsOf(const Report& report) {
    const MachineConfig& machine = report.measures.machine;
    TextColumn column{{"", "size", "ways", "block", "sets", "accesses", "hits", "misses", "hit rate"}};
    if (report.instructions > 0) column.cells.emplace_back("misses/1000 instr.");
    for (const CounterRow& row : kCounterRows) {
        if (row.words == "accesses" || row.words == "hits" || row.words == "misses") continue;
        if (row.possible(machine)) column.cells.emplace_back(row.words);
    }
    for (std::size_t k = 0; k < kMissKinds && report.kinds; ++k) {
        if (isPossible(static_cast<MissKind>(k), machine)) column.cells.emplace_back(kMissKindWords[k]);
    }
    if (!report.use) return column;
    column.cells.emplace_back("utilization");
    for (const UseRow& row : kUseRows) column.cells.emplace_back(row.words);
    return column;
}

TextColumn columnOf(const Report& report, std::size_t l) {
    const MachineConfig& machine = report.measures.machine;
    const LevelConfig& level = machine.levels[l];
    const CacheCounters c = report.measures.counters.level(l);
    TextColumn column{{level.name, formatBytes(level.size), grouped(level.ways), grouped(level.block),
                       grouped(level.sets()), grouped(c.accesses()), grouped(c.hits()), grouped(c.misses()),
                       c.accesses() == 0 ? "-" : percent(c.hitRate())}};
    if (report.instructions > 0) {
        column.cells.push_back(fmt::format("{:.3f}", missesPerThousand(c, report.instructions)));
    }
    for (const CounterRow& row : kCounterRows) {
        if (row.words == "accesses" || row.words == "hits" || row.words == "misses") continue;
        if (row.possible(machine)) column.cells.push_back(grouped(row.value(c)));
    }
    for (std::size_t k = 0; k < kMissKinds && report.kinds; ++k) {
        const auto kind = static_cast<MissKind>(k);
        if (!isPossible(kind, machine)) continue;
        column.cells.push_back(grouped(report.measures.ledger->misses(machine, l, kind)));
    }
    if (!report.use) return column;
    const StaySum stays = report.measures.ledger->staysAt(machine, l);
    column.cells.push_back(stays.fills == 0 ? "-" : percent(stays.utilization(level.block)));
    for (const UseRow& row : kUseRows) column.cells.push_back(grouped(row.value(stays, level.block)));
    return column;
}

/// Adds the columns from `first` on that fit in the width of a terminal; returns the next one.
std::size_t addTable(std::string& out, const TextColumn& labels, const std::vector<TextColumn>& columns,
                     std::size_t first) {
    std::size_t width = labels.width();
    std::size_t end = first;
    while (end < columns.size() && (end == first || width + 2 + columns[end].width() <= kTableWidth)) {
        width += 2 + columns[end].width();
        ++end;
    }
    for (std::size_t row = 0; row < labels.cells.size(); ++row) {
        std::string line = fmt::format("{:<{}}", labels.cells[row], labels.width());
        for (std::size_t c = first; c < end; ++c) {
            line += fmt::format("  {:>{}}", columns[c].cells[row], columns[c].width());
        }
        out += line + '\n';
    }
    return end;
}

/// "0", or "0 to 3": the CPUs that use a cache.
std::string cpusOf(const MachineConfig& machine, std::size_t level, std::uint32_t cache) {
    const std::uint32_t first = machine.firstCpu(level, cache);
    const std::uint32_t last = machine.endCpu(level, cache) - 1;
    return first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
}

/// A row for each cache of the levels that have several.
Table cachesTable(const Report& report) {
    const MachineConfig& machine = report.measures.machine;
    Table table{.name = "caches", .title = {}, .columns = {{"level", "cache"}, {"cpus", "of CPU"}}, .rows = {}};
    for (const CounterRow& row : kCounterRows) {
        if (row.possible(machine) && row.key != "hits") {
            table.columns.push_back({std::string(row.key), std::string(row.words)});
        }
    }
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        for (std::uint32_t i = 0; i < machine.caches(l) && machine.caches(l) > 1; ++i) {
            std::vector<Cell> cells{machine.levels[l].name, cpusOf(machine, l, i)};
            for (const CounterRow& row : kCounterRows) {
                if (!row.possible(machine) || row.key == "hits") continue;
                cells.emplace_back(row.value(report.measures.counters.cache(l, i)));
            }
            table.rows.push_back(std::move(cells));
        }
    }
    return table;
}

std::string pagesText(const Counters& counters) {
    std::string out;
    if (!counters.tlbMisses.empty()) out += fmt::format("TLB: {} misses\n", grouped(ofAllCpus(counters.tlbMisses)));
    if (!counters.pageFaults.empty()) {
        out += fmt::format("pages: {} faults, {} written back\n", grouped(ofAllCpus(counters.pageFaults)),
                           grouped(ofAllCpus(counters.pageWritebacks)));
    }
    return out;
}

std::string costText(const Measures& measures) {
    const Cycles cycles = measures.cyclesOfAll();
    std::string out = fmt::format("cycles: {}", grouped(cycles));
    if (measures.counters.accesses() > 0) out += fmt::format(", {:.2f} an access", measures.cyclesPerAccess());
    out += '\n';
    for (std::uint32_t cpu = 0; cpu < measures.cycles.size() && measures.cycles.size() > 1; ++cpu) {
        out += fmt::format("  CPU {}: {}\n", cpu, grouped(measures.cycles[cpu]));
    }
    // With one CPU and no other delays, the elapsed cycles equal the access cycles.
    if (measures.elapsed && *measures.elapsed != cycles)
        out += fmt::format("elapsed: {}\n", grouped(*measures.elapsed));
    return out;
}

}  // namespace

double missesPerThousand(const CacheCounters& counters, std::uint64_t instructions) {
    return 1000 * static_cast<double>(counters.misses()) / static_cast<double>(instructions);
}

std::vector<std::string> trafficInWords(const Counters& counters, const MachineConfig& machine) {
    std::vector<std::string> lines;
    const bool hasCache = !machine.levels.empty();
    for (std::size_t l = hasCache ? 1 : 0; l <= machine.levels.size(); ++l) {
        const Traffic traffic = trafficOf(counters, machine, l);
        const auto some = [](std::uint64_t n, std::string_view one, std::string_view many, std::uint64_t bytes) {
            return counted(n, one, many) + (n == 0 ? "" : ", " + counted(bytes, "byte", "bytes"));
        };
        const auto read = hasCache ? some(traffic.reads, "block read", "blocks read", traffic.readBytes)
                                   : some(traffic.reads, "word read", "words read", traffic.readBytes);
        lines.push_back(fmt::format("{}: {}; {}", machine.levelName(l), read,
                                    some(traffic.writes, "write", "writes", traffic.writtenBytes)));
    }
    return lines;
}

Table countsTable(const Report& report) {
    const Measures& measures = report.measures;
    const MachineConfig& machine = measures.machine;
    Table table{.name = "counts", .title = {}, .columns = {}, .rows = {}};
    table.columns = {{"machine", {}}, {"level", {}}, {"cache", {}}, {"counter", {}}, {"value", {}}};
    const auto add = [&](std::string_view level, Cell cache, std::string_view counter, Cell value) {
        table.rows.push_back(
            {machine.name, std::string(level), std::move(cache), std::string(counter), std::move(value)});
    };
    add("", {}, "accesses", measures.counters.accesses());
    add("", {}, "reads", measures.counters.reads);
    add("", {}, "writes", measures.counters.writes);
    if (report.instructions > 0) add("", {}, "instructions", report.instructions);
    add("", {}, "cycles", measures.cyclesOfAll());
    add("", {}, "cycles_per_access", measures.cyclesPerAccess());
    if (measures.elapsed) add("", {}, "elapsed_cycles", *measures.elapsed);
    for (std::size_t cpu = 0; cpu < measures.cycles.size(); ++cpu) add("CPU", cpu, "cycles", measures.cycles[cpu]);
    for (std::size_t cpu = 0; cpu < measures.counters.tlbMisses.size(); ++cpu) {
        add("TLB", cpu, "misses", measures.counters.tlbMisses[cpu]);
    }
    for (std::size_t cpu = 0; cpu < measures.counters.pageFaults.size(); ++cpu) {
        add("pages", cpu, "faults", measures.counters.pageFaults[cpu]);
        add("pages", cpu, "writebacks", measures.counters.pageWritebacks[cpu]);
    }
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        const std::string& name = machine.levels[l].name;
        for (std::size_t i = 0; i < machine.caches(l); ++i) {
            const CacheCounters& counters = measures.counters.cache(l, i);
            for (const CounterRow& row : kCounterRows) add(name, i, row.key, row.value(counters));
            if (report.instructions > 0) {
                add(name, i, "misses_per_1000_instructions", missesPerThousand(counters, report.instructions));
            }
            if (report.use) {
                const StaySum stays = staysOf(*measures.ledger, machine, l, i);
                add(name, i, "utilization", stays.utilization(machine.levels[l].block));
                for (const UseRow& row : kUseRows) add(name, i, row.key, row.value(stays, machine.levels[l].block));
            }
            if (!report.kinds) continue;
            const auto kinds = kindsOf(*measures.ledger, machine, l, i);
            for (std::size_t k = 0; k < kMissKinds; ++k) add(name, i, kMissKindKeys[k], kinds[k]);
        }
    }
    for (std::size_t l = machine.levels.empty() ? 0 : 1; l <= machine.levels.size(); ++l) {
        const Traffic traffic = trafficOf(measures.counters, machine, l);
        // The requests of a level have rows of their own.
        for (const TrafficRow& row : std::span(kTrafficRows).subspan(l == machine.levels.size() ? 0 : 2)) {
            add(machine.levelName(l), {}, row.key, traffic.*row.value);
        }
    }
    if (!report.windows) return table;
    const Table whole = windowTable(*report.windows, machine);
    for (std::size_t l = 0; l < whole.rows.size(); ++l) {
        for (std::size_t c = 1; c < whole.columns.size(); ++c) {
            add(machine.levels[l].name, {}, "whole_program_" + whole.columns[c].key, whole.rows[l][c]);
        }
    }
    return table;
}

namespace {

std::string reportAsText(const Report& report, std::size_t top) {
    const Counters& counters = report.measures.counters;
    const MachineConfig& machine = report.measures.machine;
    std::string out = fmt::format("{} accesses: {} reads, {} writes", grouped(counters.accesses()),
                                  grouped(counters.reads), grouped(counters.writes));
    if (report.instructions > 0) out += fmt::format("; {} instructions", grouped(report.instructions));
    out += "\n\n";
    std::vector<TextColumn> columns;
    columns.reserve(machine.levels.size());
    for (std::size_t l = 0; l < machine.levels.size(); ++l) columns.push_back(columnOf(report, l));
    for (std::size_t next = 0; next < columns.size();) {
        next = addTable(out, labelsOf(report), columns, next);
        out += '\n';
    }
    const Table caches = cachesTable(report);
    if (!caches.rows.empty()) out += tableAsText(caches, caches.rows.size()) + '\n';
    for (const std::string& line : trafficInWords(counters, machine)) out += line + '\n';
    out += pagesText(counters);
    out += costText(report.measures);
    if (report.windows) out += '\n' + windowText(*report.windows, machine);
    for (const Table& table : report.tables) out += '\n' + tableAsText(table, top);
    return out;
}

JsonValue cacheAsJson(const Report& report, std::size_t level, std::uint32_t index) {
    const MachineConfig& machine = report.measures.machine;
    const CacheCounters& counters = report.measures.counters.cache(level, index);
    JsonArray cpus;
    for (std::uint32_t cpu = machine.firstCpu(level, index); cpu < machine.endCpu(level, index); ++cpu) {
        cpus.emplace_back(cpu);
    }
    JsonValue cache = JsonObject{{"cpus", std::move(cpus)}};
    for (const CounterRow& row : kCounterRows) cache[row.key] = row.value(counters);
    if (report.instructions > 0) {
        cache["misses_per_1000_instructions"] = missesPerThousand(counters, report.instructions);
    }
    if (report.use) {
        const StaySum stays = staysOf(*report.measures.ledger, machine, level, index);
        const std::uint32_t block = machine.levels[level].block;
        cache["use"]["utilization"] = stays.utilization(block);
        for (const UseRow& row : kUseRows) cache["use"][row.key] = row.value(stays, block);
    }
    if (!report.kinds) return cache;
    const auto kinds = kindsOf(*report.measures.ledger, machine, level, index);
    for (std::size_t k = 0; k < kMissKinds; ++k) cache["kinds"][kMissKindKeys[k]] = kinds[k];
    return cache;
}

/// Adds the traffic of a level: the rows of kTrafficRows from `first` on.
void addTraffic(JsonValue& json, const Report& report, std::size_t level, std::size_t first) {
    const Traffic traffic = trafficOf(report.measures.counters, report.measures.machine, level);
    for (const TrafficRow& row : std::span(kTrafficRows).subspan(first)) json[row.key] = traffic.*row.value;
}

JsonValue levelAsJson(const Report& report, std::size_t l) {
    const MachineConfig& machine = report.measures.machine;
    const LevelConfig& level = machine.levels[l];
    JsonArray caches;
    for (std::uint32_t i = 0; i < machine.caches(l); ++i) caches.push_back(cacheAsJson(report, l, i));
    JsonValue json = JsonObject{{"name", level.name},   {"sets", level.sets()}, {"ways", level.ways},
                                {"block", level.block}, {"size", level.size},   {"caches", std::move(caches)}};
    if (l > 0) addTraffic(json, report, l, 2);
    return json;
}

}  // namespace

JsonValue reportAsJson(const Report& report) {
    const Measures& measures = report.measures;
    const Counters& counters = measures.counters;
    JsonValue json = JsonObject{{"accesses", counters.accesses()},
                                {"reads", counters.reads},
                                {"writes", counters.writes},
                                {"cycles", measures.cyclesOfAll()},
                                {"cycles_per_access", measures.cyclesPerAccess()}};
    if (measures.elapsed) json["elapsed_cycles"] = *measures.elapsed;
    json["machine"] = measures.machine.name;
    json["cpus"] = jsonArrayOf(measures.cycles, [](Cycles cycles) { return JsonObject{{"cycles", cycles}}; });
    JsonArray levels;
    for (std::size_t l = 0; l < measures.machine.levels.size(); ++l) levels.push_back(levelAsJson(report, l));
    json["levels"] = std::move(levels);
    addTraffic(json["memory"], report, measures.machine.levels.size(), 0);
    if (report.instructions > 0) json["instructions"] = report.instructions;
    if (!counters.tlbMisses.empty()) {
        json["tlb"] = JsonObject{{"misses", ofAllCpus(counters.tlbMisses)}, {"cpus", counters.tlbMisses}};
    }
    if (!counters.pageFaults.empty()) {
        JsonArray ofCpus;
        for (std::size_t cpu = 0; cpu < counters.pageFaults.size(); ++cpu) {
            ofCpus.emplace_back(
                JsonObject{{"faults", counters.pageFaults[cpu]}, {"writebacks", counters.pageWritebacks[cpu]}});
        }
        json["pages"] = JsonObject{{"faults", ofAllCpus(counters.pageFaults)},
                                   {"writebacks", ofAllCpus(counters.pageWritebacks)},
                                   {"cpus", std::move(ofCpus)}};
    }
    if (report.windows) json["windows"] = windowJson(*report.windows, measures.machine);
    for (const Table& table : report.tables) json["tables"][table.name] = table;
    return json;
}

Document reportDocument(Report report) {
    const auto measured = std::make_shared<const Report>(std::move(report));
    return {.text = [=](std::size_t top) { return reportAsText(*measured, top); },
            .json = [=] { return reportAsJson(*measured); },
            .csv = [=] { return measured->tables.empty() ? countsTable(*measured) : measured->tables.front(); }};
}

namespace {

/// "1 access was left out", "2 accesses were left out".
std::string leftOut(std::uint64_t count, const char* one, const char* many) {
    return count == 1 ? fmt::format("1 {} was left out", one)
                      : fmt::format("{} {} were left out", grouped(count), many);
}

}  // namespace

std::vector<std::string> warningsOf(const Trace& trace) {
    std::vector<std::string> out = trace.losses();
    if (trace.skippedLines() != 0) out.push_back(leftOut(trace.skippedLines(), "malformed line", "malformed lines"));
    std::uint64_t off = trace.accessesOff();
    if (const Windows* const windows = trace.windows().get()) {
        off -= std::min(off, windows->between);
        out.push_back(fmt::format("{}; the {} between are not in the trace",
                                  windowsInWords(windows->begins.size(), windows->length, windows->every),
                                  counted(windows->between, "access", "accesses")));
    }
    if (off != 0) out.push_back(leftOut(off, "access", "accesses"));
    return out;
}

std::string partToRecord(const BusyFunction& busiest) {
    constexpr double kMany = 0.25;
    if (busiest.name.empty() || busiest.share < kMany) return {};
    const bool isWord = std::all_of(busiest.name.begin(), busiest.name.end(),
                                    [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    const std::string quoted = isWord ? busiest.name : "'" + busiest.name + "'";
    return fmt::format(
        "{} makes about {:.0f} % of the accesses: whorl capture --start-at {} --max 20M records a part that has them",
        busiest.name, 100 * busiest.share, quoted);
}

}  // namespace whorl::sim
