// whorl stats: the figures of a trace, or of a range of it, on one machine.
#include "app/cli/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <utility>

#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/cli/values.h"
#include "sim/analysis/cache_cells.h"
#include "sim/analysis/cell_table.h"
#include "sim/analysis/critical_path.h"
#include "sim/analysis/cycle_costs.h"
#include "sim/analysis/history_of.h"
#include "sim/analysis/reuse.h"
#include "sim/base/byte_sink.h"
#include "sim/base/text.h"
#include "sim/replay/measures.h"
#include "sim/replay/run.h"
#include "sim/report/cell_tables.h"
#include "sim/report/cycle_tables.h"
#include "sim/report/history_tables.h"
#include "sim/report/json.h"
#include "sim/report/reuse_tables.h"

namespace whorl::app {

namespace {

/// "block" or "block:L2": the rest after the colon; nothing if it is another word.
std::optional<std::string> restAfter(std::string_view thing, const std::string& word) {
    if (word == thing) return std::string();
    if (!word.starts_with(thing) || word[thing.size()] != ':' || word.size() == thing.size() + 1) return std::nullopt;
    return word.substr(thing.size() + 1);
}

std::optional<TableBy> pagesNamed(const std::string& bytes) {
    if (bytes.empty()) return TableBy{.of = TableBy::Of::pages};
    const auto size = sim::parseBytes(bytes);
    constexpr std::uint64_t kLeast = 4;
    if (!size || *size < kLeast || !sim::isPowerOfTwo(*size)) return std::nullopt;
    return TableBy{.of = TableBy::Of::pages, .bytes = *size};
}

std::optional<TableBy> tableNamed(const std::string& word) {
    if (word == "word") return TableBy{.of = TableBy::Of::words};
    if (word == "class") return TableBy{.of = TableBy::Of::classes};
    if (word == "field") return TableBy{.of = TableBy::Of::fields};
    if (auto level = restAfter("block", word)) return TableBy{.of = TableBy::Of::blocks, .level = *std::move(level)};
    if (auto level = restAfter("set", word)) return TableBy{.of = TableBy::Of::sets, .level = *std::move(level)};
    if (auto level = restAfter("way", word)) return TableBy{.of = TableBy::Of::ways, .level = *std::move(level)};
    if (const auto bytes = restAfter("page", word)) return pagesNamed(*bytes);
    const auto grouping = sim::groupingNamed(word);
    return grouping ? std::optional(TableBy{.grouping = *grouping}) : std::nullopt;
}

sim::Expected<std::vector<TableBy>> tablesOf(const std::vector<std::string>& words) {
    std::vector<TableBy> out;
    for (const std::string& word : words) {
        const auto table = tableNamed(word);
        if (!table) {
            return sim::fail("", fmt::format("--by \"{}\" is not valid", word),
                             "use region, object, class, field, word, source, function, cpu, block, set or way, of a "
                             "level as block:L2, "
                             "page, or page:2M");
        }
        if (std::find(out.begin(), out.end(), *table) == out.end()) out.push_back(*table);
    }
    return out;
}

sim::Expected<std::vector<sim::Grouping>> conflictsOf(const std::vector<std::string>& words) {
    std::vector<sim::Grouping> out;
    for (const std::string& word : words) {
        const auto grouping = sim::groupingNamed(word);
        if (grouping != sim::Grouping::region && grouping != sim::Grouping::object) {
            return sim::fail("", fmt::format("--conflicts \"{}\" is not valid", word), "use region or object");
        }
        if (std::find(out.begin(), out.end(), *grouping) == out.end()) out.push_back(*grouping);
    }
    return out;
}

sim::Expected<std::vector<sim::PathTable>> pathTablesOf(const std::vector<std::string>& words) {
    std::vector<sim::PathTable> out;
    for (const std::string& word : words) {
        const auto table = sim::pathTableNamed(word);
        if (!table) {
            return sim::fail("", fmt::format("--critical-path \"{}\" is not valid", word),
                             "use source, object or segments");
        }
        if (std::find(out.begin(), out.end(), *table) == out.end()) out.push_back(*table);
    }
    return out;
}

sim::Expected<StatsQuery> toldBy(const StatsOptions& options) {
    auto by = tablesOf(options.by);
    if (!by) return tl::unexpected(by.error());
    auto conflicts = conflictsOf(options.conflicts);
    if (!conflicts) return tl::unexpected(conflicts.error());
    auto path = pathTablesOf(options.path);
    if (!path) return tl::unexpected(path.error());
    if (!path->empty() && (options.from != "0" || options.to != "end")) {
        return sim::fail("", "the critical path is that of the whole run", "leave --from and --to out");
    }
    if (options.json && options.csv) return sim::fail("", "--json and --csv exclude each other", "choose one");
    const std::size_t tables =
        by->size() + conflicts->size() + path->size() + (options.missRatios ? 1 : 0) + (options.costs ? 1 : 0);
    if (options.csv && tables > 1) {
        return sim::fail("", "a CSV file holds one table",
                         "choose one of --by, --conflicts, --costs, --critical-path and --mrc, or use --json");
    }
    if (options.csv && tables == 1 && options.kinds) {
        return sim::fail("", "a CSV file holds one table", "--kinds belongs to the table of counts, which is another");
    }
    if (options.sweep.empty() && !options.shard.empty()) {
        return sim::fail("", "--shard is a part of a sweep", "name what to sweep with --sweep");
    }
    return StatsQuery{.kinds = options.kinds,
                      .use = options.use,
                      .by = *std::move(by),
                      .conflicts = *std::move(conflicts),
                      .costs = options.costs,
                      .path = *std::move(path),
                      .missRatios = options.missRatios,
                      .forPeople = !options.json && !options.csv};
}

/// Whether only the plain counts of the whole trace are requested.
bool isPlain(const StatsOptions& options, const StatsQuery& query) {
    return !query.needsLedger() && !query.missRatios && options.from == "0" && options.to == "end";
}

sim::Expected<sim::Report> streamed(const OpenRequest& request, const sim::MachineConfig& machine) {
    sim::Progress progress;
    sim::Expected<sim::StreamedMeasures> done = tl::unexpected(sim::Error{});
    withProgress("simulating " + request.input, progress,
                 [&] { done = sim::measureStreamed(request.input, request.reading, machine, progress); });
    if (!done) return tl::unexpected(done.error());
    warnOf(done->trace.losses, done->trace.skippedLines, request.input);
    return sim::Report{.measures = std::move(done->measures), .instructions = done->trace.instructions};
}

sim::Expected<sim::Report> kept(const StatsOptions& options, const OpenRequest& request, const StatsQuery& query) {
    auto trace = readTrace(request);
    if (!trace) return tl::unexpected(trace.error());
    auto machine = machineOf(request, trace->get());
    if (!machine) return tl::unexpected(machine.error());
    auto range = rangeOf(options, **trace);
    if (!range) return tl::unexpected(range.error());
    sim::Progress progress;
    sim::Expected<sim::Report> report = tl::unexpected(sim::Error{});
    withProgress("simulating", progress, [&] { report = reportFor(*trace, *machine, *range, query, progress); });
    return report;
}

sim::Expected<void> statsCommand(const StatsOptions& options, const OptionParser& command) {
    auto query = toldBy(options);
    if (!query) return tl::unexpected(query.error());
    auto request = requestOf(options.input, command, options.output);
    if (!request) return tl::unexpected(request.error());
    if (options.recorded) return recordedCommand(options, *request, *query);
    if (!options.sweep.empty()) return sweepCommand(options, *request, *query);
    auto machine = machineOf(*request);
    if (!machine) return tl::unexpected(machine.error());
    // A trace may contain the machine, which is known only after reading it.
    const bool leavesMachine = request->machine.empty() && sim::mayBringMachine(request->input, request->reading);
    const bool streams = isPlain(options, *query) && request->changes.empty() && !namesProgram(request->input) &&
                         !isPatternFile(*request) && !leavesMachine &&
                         sim::canStream(request->input, request->reading, *machine);
    auto report = streams ? streamed(*request, *machine) : kept(options, *request, *query);
    if (!report) return tl::unexpected(report.error());
    if (options.json) return sim::writeText(sim::reportAsJson(*report) + "\n", options.output);
    if (!options.csv) return sim::writeText(sim::reportAsText(*report, options.top), options.output);
    const sim::Table table = report->tables.empty() ? sim::countsTable(*report) : std::move(report->tables.front());
    return sim::writeText(sim::tableAsCsv(table), options.output);
}

/// Makes the tables for which a range of a run is played again.
class RunTables {
  public:
    RunTables(const sim::Run& run, const sim::Measures& measures, sim::Range range, bool showsUse,
              sim::Progress& progress)
        : run_(run), measures_(measures), range_(range), showsUse_(showsUse), progress_(progress) {}

    sim::Expected<sim::Table> make(const TableBy& by) {
        std::optional<std::size_t> level;
        if (!by.level.empty()) {
            auto named = levelNamed(by.level, machine());
            if (!named) return tl::unexpected(named.error());
            level = *named;
        }
        auto table = madeOf(by, level);
        if (!table) return tl::unexpected(sim::Error::byUser());
        if (level) {
            table->name += "_" + machine().levels[*level].name;
            table->title += " of " + machine().levels[*level].name;
        }
        return *std::move(table);
    }

    sim::Expected<sim::Table> costs(bool forPeople) {
        const auto spent = sim::cyclesSpent(run_, range_, progress_);
        if (!spent) return tl::unexpected(sim::Error::byUser());
        return sim::costsTable(*spent, measures_, run_.trace(), forPeople);
    }
    sim::Expected<sim::Table> path(sim::PathTable of) {
        if (!runCosts_) runCosts_ = sim::costsOverTime(run_, progress_);
        if (!runCosts_) return tl::unexpected(sim::Error::byUser());
        if (of == sim::PathTable::segments) return sim::pathSegmentTable(runCosts_->path, run_.trace());
        if (!pathCosts_) pathCosts_ = sim::costsOf(run_, runCosts_->path, progress_);
        if (!pathCosts_) return tl::unexpected(sim::Error::byUser());
        return sim::pathTable(of, *pathCosts_, runCosts_->path, run_.trace());
    }

  private:
    const sim::MachineConfig& machine() const { return run_.machine(); }

    /// Nothing when cancelled.
    std::optional<sim::Table> madeOf(const TableBy& by, std::optional<std::size_t> level) {
        switch (by.of) {
            case TableBy::Of::blocks:
                return cells("block", machine().levels[level.value_or(0)].block);
            case TableBy::Of::pages:
                return cells("page", by.bytes != 0 ? by.bytes : machine().pageBytes());
            case TableBy::Of::sets:
                return sets(level);
            case TableBy::Of::ways:
                return ways(level.value_or(0));
            case TableBy::Of::words:
            case TableBy::Of::classes:
            case TableBy::Of::fields:
            case TableBy::Of::grouping:
                break;
        }
        if (!history_) history_ = sim::historyOf(run_, range_, progress_);
        if (!history_) return std::nullopt;
        if (by.of == TableBy::Of::fields) return sim::fieldTable(*history_, run_.trace());
        return by.of == TableBy::Of::words ? sim::wordTable(*history_, run_.trace()) : sim::classTable(*history_);
    }
    std::optional<sim::Table> cells(std::string_view thing, std::uint64_t bytes) {
        // A table has a row for each of them, however many there are.
        const auto made = sim::cellsOf(run_, {.range = range_, .grain = bytes, .most = ~std::size_t{0}}, progress_);
        if (!made) return std::nullopt;
        return sim::cellTable(thing, *made, machine(), run_.trace(), showsUse_);
    }
    std::optional<sim::Table> sets(std::optional<std::size_t> level) {
        std::vector<std::shared_ptr<const sim::CacheCellTable>> made;
        for (std::size_t l = level.value_or(0); l < (level ? *level + 1 : machine().levels.size()); ++l) {
            made.push_back(sim::cacheCellsOf(run_, {.range = range_, .level = l}, progress_));
            if (!made.back()) return std::nullopt;
        }
        return sim::setTable(made, measures_);
    }
    std::optional<sim::Table> ways(std::size_t level) {
        const auto made = sim::cacheCellsOf(run_, {.range = range_, .level = level}, progress_);
        if (!made) return std::nullopt;
        return sim::wayTable(*made, machine());
    }

    const sim::Run& run_;
    const sim::Measures& measures_;
    sim::Range range_;
    bool showsUse_;
    sim::Progress& progress_;
    std::shared_ptr<const sim::History> history_;
    std::shared_ptr<const sim::RunCosts> runCosts_;
    std::optional<sim::PathCosts> pathCosts_;
};

/// The measures of a range, and the run that they are of, if that is kept for tables.
struct Measured {
    std::shared_ptr<const sim::Run> run;
    sim::Measures measures;
};

sim::Expected<Measured> measuredFor(const std::shared_ptr<const sim::Trace>& trace, const sim::MachineConfig& machine,
                                    sim::Range range, const StatsQuery& query, sim::Progress& progress) {
    if (!query.needsRun()) {
        return sim::measure(trace, machine, range, query.needsLedger(), progress).map([](sim::Measures&& measures) {
            return Measured{.run = nullptr, .measures = std::move(measures)};
        });
    }
    auto run = sim::builtRun(trace, machine, progress);
    if (!run) return tl::unexpected(run.error());
    auto measures = sim::measure(**run, range, progress);
    if (!measures) return tl::unexpected(sim::Error::byUser());
    return Measured{.run = *std::move(run), .measures = *std::move(measures)};
}

void addTableOptions(OptionParser& command, StatsOptions& options) {
    command.add("--from", options.from, "the first access that counts; those before only fill the caches",
                {.showDefault = true});
    command.add("--to", options.to, "the access before which counting ends, or end",
                {.showDefault = true, .among = {"end"}});
    command.addFlag("--kinds", options.kinds,
                    "count the kinds of misses: compulsory, capacity, conflict, true and false sharing");
    command.addFlag("--utilization", options.use,
                    "how many bytes of the blocks that each level filled were used before they left");
    command.add(
        "--by", options.by,
        "what each region, object, class, field, word, source (line), function, cpu, block, page, set or way cost; of "
        "a level as "
        "block:L2, pages of a size as page:2M; may be given several times",
        {.among = {"region", "object", "class", "field", "word", "source", "function", "cpu", "block", "block:", "page",
                   "page:2M", "set", "set:", "way", "way:"},
         .after = ValueKind::level});
    command.add("--conflicts", options.conflicts, "conflicts between regions, or between objects (region or object)",
                {.among = {"region", "object"}});
    command.addFlag("--costs", options.costs,
                    "what each CPU spent its cycles on: work, hits, stalls by the level that served, coherence, locks, "
                    "barriers, idling");
    command.add("--critical-path", options.path,
                "what determined when the run ended, by source (line), by object, or as segments on one CPU after "
                "the other; may be given several times",
                {.among = {"source", "object", "segments"}});
    command.addFlag("--mrc", options.missRatios,
                    "miss-ratio curves: the misses of fully associative LRU caches of all sizes");
    command.add("--top", options.top, "rows of each table in text; JSON and CSV have all",
                {.showDefault = true, .limits = Limits<int>{1, 1000000000}});
    command.addFlag("--recorded", options.recorded,
                    "of a trace with events of its own, such as Chiron's: what was recorded, without simulating it");
    command.addFlag("--json", options.json, "as JSON instead of a table");
    command.addFlag("--csv", options.csv, "as CSV, a row for each counter of each cache, or one of the tables");
    command.add("-o,--output", options.output, "a file; - for standard output",
                {.showDefault = true, .kind = ValueKind::output});
}

void addSweepOptions(OptionParser& command, StatsOptions& options) {
    command.add("--sweep", options.sweep,
                "KEY=VALUES: measure with each value, L1.ways=1,2,4 or L2.size=16K:1M:x2; several make all "
                "combinations",
                {.kind = ValueKind::setting});
    command.add("--shard", options.shard, "i/n: only every n-th point of the sweep, from the i-th on");
    command.add("-j,--jobs", options.jobs, "points of a sweep at a time; 0: as many as there are processors",
                {.limits = Limits<int>{0, 1024}});
}

}  // namespace

sim::Expected<std::size_t> levelNamed(const std::string& name, const sim::MachineConfig& machine) {
    std::vector<std::string> levels;
    for (const sim::LevelConfig& level : machine.levels) levels.push_back(level.name);
    return levelNamed(name, levels);
}

sim::Expected<std::size_t> levelNamed(const std::string& name, const std::vector<std::string>& levels) {
    const auto isSame = [&](const std::string& level) {
        return std::equal(name.begin(), name.end(), level.begin(), level.end(), [](char a, char b) {
            return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
        });
    };
    const auto at = std::find_if(levels.begin(), levels.end(), isSame);
    if (at != levels.end()) return static_cast<std::size_t>(at - levels.begin());
    std::string names;
    for (const std::string& level : levels) names += (names.empty() ? "" : ", ") + level;
    return sim::fail("", fmt::format("there is no level \"{}\"", name), "the machine has " + names);
}

sim::Expected<sim::Range> rangeOf(const StatsOptions& options, const sim::Trace& trace) {
    const auto from = parseTick("--from", options.from, trace.size());
    if (!from) return tl::unexpected(from.error());
    const auto to = parseTick("--to", options.to, trace.size());
    if (!to) return tl::unexpected(to.error());
    if (*to < *from) {
        return sim::fail("", fmt::format("--to {} comes before --from {}", to->value, from->value), "swap them");
    }
    return sim::Range{.from = *from, .to = *to};
}

sim::Expected<sim::Report> reportFor(const std::shared_ptr<const sim::Trace>& trace, const sim::MachineConfig& machine,
                                     sim::Range range, const StatsQuery& query, sim::Progress& progress) {
    auto measured = measuredFor(trace, machine, range, query, progress);
    if (!measured) return tl::unexpected(measured.error());
    sim::Report report{.measures = std::move(measured->measures), .kinds = query.kinds, .use = query.use};
    if (range.size() == trace->size()) report.instructions = trace->instructions();
    std::optional<RunTables> tables;
    if (measured->run) tables.emplace(*measured->run, report.measures, range, query.use, progress);
    for (const TableBy& by : query.by) {
        if (!by.needsRun()) {
            report.tables.push_back(sim::tableBy(by.grouping, report.measures, *trace, query.use));
            continue;
        }
        auto table = tables->make(by);
        if (!table) return tl::unexpected(table.error());
        report.tables.push_back(*std::move(table));
    }
    if (query.costs) {
        auto table = tables->costs(query.forPeople);
        if (!table) return tl::unexpected(table.error());
        report.tables.push_back(*std::move(table));
    }
    for (const sim::PathTable of : query.path) {
        auto table = tables->path(of);
        if (!table) return tl::unexpected(table.error());
        report.tables.push_back(*std::move(table));
    }
    for (const sim::Grouping of : query.conflicts) {
        report.tables.push_back(sim::conflictTable(of, report.measures, *trace));
    }
    if (!query.missRatios) return report;
    const auto reuse = sim::reuseOf(*trace, machine.blockBytes(), range, progress);
    if (!reuse) return tl::unexpected(sim::Error::byUser());
    report.tables.push_back(query.forPeople ? sim::missRatioTable(*reuse, *trace)
                                            : sim::missRatioCurve(*reuse, *trace));
    return report;
}

void addStatsCommand(OptionParser& program) {
    auto options = std::make_shared<StatsOptions>();
    OptionParser& command = program.addCommand("stats", "Count hits, misses, evictions and write-backs of a trace");
    addInputOptions(command, options->input, true);
    addTableOptions(command, *options);
    addSweepOptions(command, *options);
    command.addExample("The figures of a trace on a machine",
                       "whorl stats my.whorl --machine \"32K/8/64, 1M/16/64\" --json");
    command.addExample("What each array and each source line cost", "whorl stats matmul:n=16 --by region --by source");
    command.addExample("Which size of the nearest cache helps",
                       "whorl stats matmul:n=16 --sweep L1.size=1K:16K:x2 --csv");
    command.onRun([options, &command] { return statsCommand(*options, command); });
}

}  // namespace whorl::app
