// whorl stats: the figures of a trace, or of a range of it, on one machine, or as they were recorded.
#include "app/cli/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/cli/values.h"
#include "app/system/threads.h"
#include "sim/analysis/cache_cells.h"
#include "sim/analysis/cell_table.h"
#include "sim/analysis/critical_path.h"
#include "sim/analysis/cycle_costs.h"
#include "sim/analysis/history_of.h"
#include "sim/analysis/reuse.h"
#include "sim/base/byte_sink.h"
#include "sim/base/output_file.h"
#include "sim/base/text.h"
#include "sim/replay/measuring.h"
#include "sim/replay/run.h"
#include "sim/report/call_tables.h"
#include "sim/report/callgrind_writer.h"
#include "sim/report/cycle_tables.h"
#include "sim/report/history_tables.h"
#include "sim/report/recorded_report.h"
#include "sim/report/tables.h"

namespace whorl::app {

namespace {

/// "block" or "block:L2": the rest after the colon; nothing if it is another word.
std::optional<std::string> restAfter(std::string_view thing, const std::string& word) {
    if (word == thing) return std::string();
    if (!word.starts_with(thing) || word[thing.size()] != ':' || word.size() == thing.size() + 1) return std::nullopt;
    return word.substr(thing.size() + 1);
}

std::optional<TableOf> pagesNamed(const std::string& bytes) {
    if (bytes.empty()) return TableOf{.what = TableOf::What::pages};
    const auto size = sim::parseBytes(bytes);
    constexpr std::uint64_t kMin = 4;
    if (!size || *size < kMin || !sim::isPowerOfTwo(*size)) return std::nullopt;
    return TableOf{.what = TableOf::What::pages, .bytes = *size};
}

std::optional<TableOf> tableNamed(const std::string& word) {
    using enum TableOf::What;
    if (word == "word") return TableOf{.what = words};
    if (word == "class") return TableOf{.what = classes};
    if (word == "field") return TableOf{.what = fields};
    if (word == "caller") return TableOf{.what = callers};
    if (word == "call") return TableOf{.what = calls};
    if (auto level = restAfter("block", word)) return TableOf{.what = blocks, .level = *std::move(level)};
    if (auto level = restAfter("set", word)) return TableOf{.what = sets, .level = *std::move(level)};
    if (auto level = restAfter("way", word)) return TableOf{.what = ways, .level = *std::move(level)};
    if (const auto bytes = restAfter("page", word)) return pagesNamed(*bytes);
    const auto group = sim::groupingNamed(word);
    return group ? std::optional(TableOf{.what = grouping, .grouping = *group}) : std::nullopt;
}

std::optional<TableOf> conflictsNamed(const std::string& word) {
    const auto group = sim::groupingNamed(word);
    if (group != sim::Grouping::region && group != sim::Grouping::object) return std::nullopt;
    return TableOf{.what = TableOf::What::conflicts, .grouping = *group};
}

std::optional<TableOf> pathNamed(const std::string& word) {
    const auto table = sim::pathTableNamed(word);
    return table ? std::optional(TableOf{.what = TableOf::What::path, .path = *table}) : std::nullopt;
}

/// Adds a table that is not there yet.
void addTable(StatsQuery& query, const TableOf& of, const std::string& words) {
    const bool isKnown = std::any_of(query.tables.begin(), query.tables.end(),
                                     [&](const TableRequest& known) { return known.of == of; });
    if (!isKnown) query.tables.push_back(TableRequest{of, words});
}

/// Adds the tables that the words of an option name.
sim::Expected<void> addTables(StatsQuery& query, const char* option, const std::vector<std::string>& words,
                              std::optional<TableOf> (*named)(const std::string&), const char* advice) {
    for (const std::string& word : words) {
        const auto table = named(word);
        if (!table) return sim::fail("", fmt::format("{} \"{}\" is not valid", option, word), advice);
        addTable(query, *table, fmt::format("{} {}", option, word));
    }
    return {};
}

/// Beside the table of functions, or in its place in a file that holds one table, that of functions and their callers.
sim::Expected<void> addCallers(StatsQuery& query, const StatsOptions& options) {
    if (!options.callers) return {};
    const auto isOfFunctions = [](const TableRequest& table) {
        return table.of == TableOf{.what = TableOf::What::grouping, .grouping = sim::Grouping::function};
    };
    const auto table = std::find_if(query.tables.begin(), query.tables.end(), isOfFunctions);
    if (table == query.tables.end()) {
        return sim::fail("", "--callers is about functions", "use it with --by function");
    }
    if (options.answer.csv) query.tables.erase(table);
    addTable(query, {.what = TableOf::What::callers}, "--by function --callers");
    return {};
}

/// What contradicts itself, or would have to be left out.
sim::Expected<void> checkTables(const StatsOptions& options, const StatsQuery& query) {
    WHORL_TRY(checkForm(options.answer));
    if (options.answer.csv && query.tables.size() > 1) {
        return sim::fail("", "a CSV file holds one table",
                         "choose one of --by, --conflicts, --costs, --critical-path and --mrc, or use --json");
    }
    const bool isTable = options.answer.csv && !query.tables.empty();
    if (isTable && (options.kinds || (options.use && !query.tables.front().hasUse()))) {
        return sim::fail(
            "", "a CSV file holds one table",
            fmt::format("{} applies only to the table of counts", options.kinds ? "--kinds" : "--utilization"));
    }
    for (const TableRequest& table : query.tables) {
        if (table.of.what == TableOf::What::path && (options.from != "0" || options.to != "end")) {
            return sim::fail("", "the critical path is that of the whole run", "leave --from and --to out");
        }
    }
    return {};
}

sim::Expected<StatsQuery> queryOf(const StatsOptions& options, const OptionParser& command) {
    StatsQuery query{.kinds = options.kinds,
                     .use = options.use,
                     .tables = {},
                     .forPeople = !options.answer.json && !options.answer.csv};
    WHORL_TRY(addTables(query, "--by", options.by, tableNamed,
                        "use region, object, class, field, word, source, function, caller, call, cpu, block, set "
                        "or way, of a level as block:L2, page, or page:2M"));
    WHORL_TRY(addCallers(query, options));
    if (options.costs) addTable(query, {.what = TableOf::What::costs}, "--costs");
    WHORL_TRY(addTables(query, "--critical-path", options.path, pathNamed, "use source, object or segments"));
    WHORL_TRY(addTables(query, "--conflicts", options.conflicts, conflictsNamed, "use region or object"));
    if (options.missRatios) addTable(query, {.what = TableOf::What::missRatios}, "--mrc");
    WHORL_TRY(checkTables(options, query));
    if (options.sweep.empty() && command.given("--shard")) {
        return sim::fail("", "--shard is for the points of a sweep", "name what to sweep with --sweep");
    }
    return query;
}

sim::Expected<sim::Report> streamed(const OpenRequest& request, const sim::MachineConfig& machine,
                                    const sim::ThreadRunner& threads) {
    auto done = WHORL_TRY(inProgress("simulating " + request.input, [&](sim::Progress& progress) {
        return sim::measureStreamed(request.input, request.reading, machine, progress, threads);
    }));
    warnOf(done.trace.losses, done.trace.skippedLines, request.input);
    return sim::Report{.measures = std::move(done.measures), .instructions = done.trace.instructions};
}

/// Writes the costs of the source lines for other tools.
sim::Expected<void> writeCallgrind(const std::string& path, const std::shared_ptr<const sim::Trace>& trace,
                                   const sim::MachineConfig& machine, sim::Range range) {
    const auto grown = WHORL_TRY(sim::grownFor(machine, *trace));
    const auto text = WHORL_TRY(inProgress("for callgrind", [&](sim::Progress& progress) {
        return sim::builtRun(trace, grown, progress, threadsFor())
            .and_then([&](const auto& run) -> sim::Expected<std::string> {
                auto written = sim::callgrindText(*run, range, progress);
                if (!written) return tl::unexpected(sim::Error::byUser());
                return *std::move(written);
            });
    }));
    return sim::writeText(text, path);
}

sim::Expected<sim::Report> kept(const StatsOptions& options, const OpenRequest& request, const StatsQuery& query) {
    auto trace = WHORL_TRY(readTrace(request));
    auto machine = WHORL_TRY(machineOf(request, trace.get()));
    auto range = WHORL_TRY(rangeOf(options, *trace));
    if (!options.callgrind.empty()) WHORL_TRY(writeCallgrind(options.callgrind, trace, machine, range));
    return inProgress("simulating", [&](sim::Progress& progress) -> sim::Expected<sim::Report> {
        auto report = WHORL_TRY(reportFor(trace, machine, range, query, progress, threadsFor(options.jobs)));
        // Of the windows of a part of it, the whole program cannot be told.
        if (trace->windows() && range.size() == trace->size()) {
            report.windows = WHORL_TRY(sim::estimateOf(trace, machine, progress));
        }
        return report;
    });
}

sim::Expected<void> statsCommand(const StatsOptions& options, const OptionParser& command) {
    auto query = WHORL_TRY(queryOf(options, command));
    auto request = WHORL_TRY(requestOf(options.input, command, options.answer.output));
    if (options.recorded) return recordedCommand(options, request, query, command);
    if (!options.sweep.empty() && !options.callgrind.empty()) {
        return sim::fail("", "--callgrind is about one machine", "leave --sweep or --callgrind out");
    }
    if (!options.sweep.empty()) return sweepCommand(options, request, query);
    if (!options.callgrind.empty()) WHORL_TRY(sim::checkOutput(options.callgrind, inputFiles(request)));
    const auto machine = WHORL_TRY(machineOf(request));
    // A trace may contain the machine, which is known only after reading it.
    const bool leavesMachine = request.machine.empty() && sim::mayBringMachine(request.input, request.reading);
    const bool isWhole = options.from == "0" && options.to == "end";
    const bool streams = query.isNothing() && options.callgrind.empty() && isWhole && request.changes.empty() &&
                         !namesProgram(request.input) && !isPatternFile(request) && !leavesMachine &&
                         sim::canStream(request.input, request.reading, machine);
    return (streams ? streamed(request, machine, threadsFor(options.jobs)) : kept(options, request, query))
        .map(sim::reportDocument)
        .and_then([&](const sim::Document& document) { return write(document, options.answer); });
}

tl::unexpected<sim::Error> aboutCaches(const std::string& option) {
    return sim::fail("", fmt::format("{} is about caches, and the machine has none", option),
                     "choose a machine with levels");
}

/// All stays, where they are counted.
constexpr sim::HistoryBudget kAllStays{.stays = ~std::uint32_t{0}, .changes = 0};

/// Makes the tables of a range.
class Tables {
  public:
    /// `run`: null if no table needs it.
    Tables(const sim::Trace& trace, const sim::Run* run, const sim::Measures& measures, sim::Range range,
           const StatsQuery& query, sim::Progress& progress)
        : trace_(trace), run_(run), measures_(measures), range_(range), query_(query), progress_(progress) {}

    sim::Expected<sim::Table> make(const TableRequest& request) {
        const TableOf& of = request.of;
        const bool isOfCaches = of.what == TableOf::What::sets || of.what == TableOf::What::ways;
        if (isOfCaches && machine().levels.empty()) return aboutCaches(request.words);
        std::optional<std::size_t> level;
        if (!of.level.empty()) {
            auto named = WHORL_TRY(levelNamed(of.level, machine()));
            level = named;
        }
        auto table = madeOf(of, level);
        if (!table) return tl::unexpected(sim::Error::byUser());
        std::string which;
        if (level) which = machine().levels[*level].name;
        if (of.bytes != 0) which = sim::formatBytes(of.bytes);
        if (!which.empty()) {
            table->name += "_" + which;
            table->title += " of " + which;
        }
        return *std::move(table);
    }

  private:
    const sim::MachineConfig& machine() const { return measures_.machine; }

    /// Nothing when cancelled.
    std::optional<sim::Table> madeOf(const TableOf& of, std::optional<std::size_t> level) {
        using enum TableOf::What;
        switch (of.what) {
            case grouping:
                return sim::tableBy(of.grouping, measures_, trace_, query_.use);
            case callers:
                return sim::callerTable(measures_, trace_);
            case calls:
                return sim::callTree(measures_, trace_, query_.forPeople);
            case blocks:
                return cells("block", level ? machine().levels[*level].block : machine().blockBytes());
            case pages:
                return cells("page", of.bytes != 0 ? of.bytes : machine().pageBytes());
            case sets:
                return setTable(level);
            case ways:
                return wayTable(level.value_or(0));
            case words:
            case classes:
            case fields:
                return ofHistory(of.what);
            case costs:
                return costTable();
            case path:
                return pathTable(of.path);
            case conflicts:
                return conflictTable(of.grouping);
            case missRatios:
                return missRatioTable();
        }
        return std::nullopt;
    }
    std::optional<sim::Table> cells(std::string_view thing, std::uint64_t bytes) {
        // A table has a row for each of them, however many there are.
        const auto made = sim::cellsOf(*run_, {.range = range_, .grain = bytes, .most = ~std::size_t{0}}, progress_);
        if (!made) return std::nullopt;
        return sim::cellTable(thing, *made, machine(), trace_, query_.use);
    }
    std::optional<sim::Table> setTable(std::optional<std::size_t> level) {
        std::vector<std::shared_ptr<const sim::CacheCellTable>> made;
        for (std::size_t l = level.value_or(0); l < (level ? *level + 1 : machine().levels.size()); ++l) {
            made.push_back(sim::cacheCellsOf(*run_, {.range = range_, .level = l}, progress_));
            if (!made.back()) return std::nullopt;
        }
        return sim::setTable(made, measures_);
    }
    std::optional<sim::Table> wayTable(std::size_t level) {
        const auto made = sim::cacheCellsOf(*run_, {.range = range_, .level = level}, progress_);
        if (!made) return std::nullopt;
        return sim::wayTable(*made, machine());
    }
    std::optional<sim::Table> ofHistory(TableOf::What what) {
        if (!history_) history_ = sim::historyOf(*run_, range_, progress_);
        if (!history_) return std::nullopt;
        if (what == TableOf::What::fields) return sim::fieldTable(*history_, trace_);
        return what == TableOf::What::words ? sim::wordTable(*history_, trace_) : sim::classTable(*history_);
    }
    std::optional<sim::Table> conflictTable(sim::Grouping grouping) {
        if (grouping == sim::Grouping::region) return sim::conflictTable(measures_, trace_);
        const auto all = sim::historyOf(*run_, range_, progress_, kAllStays);
        if (!all) return std::nullopt;
        return sim::conflictTable(grouping, *all, trace_);
    }
    std::optional<sim::Table> costTable() {
        const auto spent = sim::cyclesSpent(*run_, range_, progress_);
        if (!spent) return std::nullopt;
        return sim::costsTable(*spent, measures_, trace_, query_.forPeople);
    }
    std::optional<sim::Table> pathTable(sim::PathTable of) {
        if (!runCosts_) runCosts_ = sim::costsOverTime(*run_, progress_);
        if (!runCosts_) return std::nullopt;
        if (of == sim::PathTable::segments) return sim::pathSegmentTable(runCosts_->path, trace_);
        if (!pathCosts_) pathCosts_ = sim::costsOf(*run_, runCosts_->path, progress_);
        if (!pathCosts_) return std::nullopt;
        return sim::pathTable(of, *pathCosts_, runCosts_->path, trace_);
    }
    std::optional<sim::Table> missRatioTable() {
        const auto reuse = sim::reuseOf(trace_, machine().blockBytes(), range_, progress_, threadsFor());
        if (!reuse) return std::nullopt;
        return query_.forPeople ? sim::missRatioTable(*reuse, trace_) : sim::missRatioCurve(*reuse, trace_);
    }

    const sim::Trace& trace_;
    const sim::Run* run_;
    const sim::Measures& measures_;
    sim::Range range_;
    const StatsQuery& query_;
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
                                    sim::Range range, const StatsQuery& query, sim::Progress& progress,
                                    const sim::ThreadRunner& threads) {
    if (!query.needsRun()) {
        auto measures = WHORL_TRY(sim::measure(trace, machine, range, query.needsLedger(), progress, threads));
        return Measured{.run = nullptr, .measures = std::move(measures)};
    }
    auto run = WHORL_TRY(sim::builtRun(trace, machine, progress, threads));
    auto measures = sim::measure(*run, range, progress);
    if (!measures) return tl::unexpected(sim::Error::byUser());
    return Measured{.run = std::move(run), .measures = *std::move(measures)};
}

void addTableOptions(OptionParser& command, StatsOptions& options) {
    addRangeOptions(command, options);
    command.addFlag("--kinds", options.kinds,
                    "count the kinds of misses: compulsory, capacity, conflict, true and false sharing");
    command.addFlag("--utilization", options.use,
                    "how many bytes of the blocks that each level filled were used before they left");
    command.add("--by", options.by,
                "what each region, object, class, field, word, source (line), function, call (the call tree), cpu, "
                "block, page, "
                "set or way cost; of a level as block:L2, pages of a size as page:2M; may be given several times",
                {.among = {"region", "object", "class", "field", "word", "source", "function", "caller", "call", "cpu",
                           "block", "block:", "page", "page:2M", "set", "set:", "way", "way:"},
                 .after = ValueKind::level});
    command.addFlag("--callers", options.callers,
                    "with --by function: what each function cost, by where it was called from");
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
    command.add(
        "--callgrind", options.callgrind,
        "also write what each source line costs into this file, for kcachegrind, callgrind_annotate and editors",
        {.kind = ValueKind::output});
    addTopOption(command, options.answer, "rows of each table in text; JSON and CSV have all");
    command.addFlag("--recorded", options.recorded,
                    "of a trace with events of its own, such as Chiron's: what was recorded, without simulating it");
    command.addFlag("--json", options.answer.json, "as JSON instead of a table");
    command.addFlag("--csv", options.answer.csv, "as CSV, a row for each counter of each cache, or one of the tables");
    addOutputOption(command, options.answer.output);
}

void addSweepOptions(OptionParser& command, StatsOptions& options) {
    command.add("--sweep", options.sweep,
                "KEY=VALUES: measure with each value, L1.ways=1,2,4 or L2.size=16K:1M:x2; several make all "
                "combinations",
                {.kind = ValueKind::setting});
    command.add("--shard", options.shard, "i/n: only every n-th point of the sweep, from the i-th on");
    command.add("-j,--jobs", options.jobs,
                "threads to simulate in, or points of a sweep at a time; 0: one per processor",
                {.limits = Limits<int>{0, 1024}});
}

}  // namespace

TableRequest::Needs TableRequest::needs() const {
    switch (of.what) {
        case TableOf::What::missRatios:
            return Needs::accesses;
        case TableOf::What::grouping:
        case TableOf::What::callers:
        case TableOf::What::calls:
            return Needs::ledger;
        case TableOf::What::conflicts:
            return of.grouping == sim::Grouping::region ? Needs::ledger : Needs::run;
        default:
            return Needs::run;
    }
}

bool TableRequest::hasUse() const {
    using enum TableOf::What;
    return of.what == grouping || of.what == blocks || of.what == pages;
}

sim::Report countsReport(const sim::Trace& trace, sim::Measures measures, sim::Range range) {
    sim::Report report{.measures = std::move(measures)};
    if (range.size() == trace.size()) report.instructions = trace.instructions();
    return report;
}

sim::Expected<sim::Report> reportFor(const std::shared_ptr<const sim::Trace>& trace, const sim::MachineConfig& machine,
                                     sim::Range range, const StatsQuery& query, sim::Progress& progress,
                                     const sim::ThreadRunner& threads) {
    if (machine.levels.empty() && (query.kinds || query.use))
        return aboutCaches(query.kinds ? "--kinds" : "--utilization");
    auto measured = WHORL_TRY(measuredFor(trace, machine, range, query, progress, threads));
    sim::Report report = countsReport(*trace, std::move(measured.measures), range);
    report.kinds = query.kinds;
    report.use = query.use;
    Tables tables(*trace, measured.run.get(), report.measures, range, query, progress);
    for (const TableRequest& request : query.tables) {
        report.tables.push_back(WHORL_TRY(tables.make(request)));
    }
    return report;
}

// --- --recorded: the recording in a trace, as the views show it, without a simulation ---

namespace {

/// Options that also apply to a recording: options that describe the input, and options that select the output.
constexpr std::array kOptions = {
    "INPUT",     "--format",       "--chiron-sources", "--regions", "--binary", "--sources", "--no-sources",
    "--lenient", "--instructions", "--memory",         "--from",    "--to",     "--by",      "--conflicts",
    "--top",     "--recorded",     "--json",           "--csv",     "--output", "--help"};

/// Whether a table needs a simulation, because a recording lacks its data.
bool isSimulated(TableOf::What what) {
    using enum TableOf::What;
    switch (what) {
        case callers:
        case calls:
        case pages:
        case sets:
        case ways:
        case costs:
        case path:
        case missRatios:
            return true;
        case grouping:
        case blocks:
        case words:
        case classes:
        case fields:
        case conflicts:
            return false;
    }
    return true;
}

/// The first option given that asks for a simulation; empty if there is none.
std::string simulatedOption(const StatsQuery& query, const OptionParser& command) {
    for (const OptionFacts& option : command.facts().options) {
        const std::string& name = option.names.back();
        const bool isKnown = std::find(kOptions.begin(), kOptions.end(), name) != kOptions.end();
        if (!isKnown && command.given(name)) return name;
    }
    const auto table = std::find_if(query.tables.begin(), query.tables.end(),
                                    [](const TableRequest& t) { return isSimulated(t.of.what); });
    return table == query.tables.end() ? "" : table->words;
}

/// Costs and stays of the range.
std::shared_ptr<const sim::History> wholeHistoryOf(const sim::Trace& trace, sim::Range range) {
    return sim::historyOf(trace, range, kAllStays);
}

sim::Expected<sim::Table> tableOf(const TableOf& of, const sim::RecordedCounts& counts, const sim::History& recorded,
                                  const sim::Trace& trace) {
    switch (of.what) {
        case TableOf::What::words:
            return sim::wordTable(recorded, trace);
        case TableOf::What::classes:
            return sim::classTable(recorded);
        case TableOf::What::fields:
            return sim::fieldTable(recorded, trace);
        case TableOf::What::blocks: {
            std::vector<std::string> levels;
            for (const sim::HistoryLevel& level : recorded.levels) levels.push_back(level.name);
            const auto level = of.level.empty() ? sim::Expected<std::size_t>(0) : levelNamed(of.level, levels);
            return level.map([&](std::size_t l) { return sim::recordedBlocks(l, recorded, trace); });
        }
        case TableOf::What::conflicts:
            return sim::conflictTable(of.grouping, recorded, trace);
        default:
            return sim::recordedTable(of.grouping, counts, recorded, trace);
    }
}

}  // namespace

sim::Expected<void> recordedCommand(const StatsOptions& options, const OpenRequest& request, const StatsQuery& query,
                                    const OptionParser& command) {
    if (const std::string option = simulatedOption(query, command); !option.empty()) {
        return sim::fail("", fmt::format("--recorded and {} exclude each other", option),
                         option == "--only" ? "the events that were recorded are those of all accesses"
                                            : "a recording does not contain that; without --recorded it is simulated");
    }
    const auto trace = WHORL_TRY(readTrace(request));
    const auto range = WHORL_TRY(rangeOf(options, *trace));
    const auto recorded = wholeHistoryOf(*trace, range);
    if (!recorded) {
        return sim::fail(request.input, "this trace has no recorded events",
                         "a Chiron trace has them; without --recorded the trace is simulated");
    }
    sim::RecordedReport report{.counts = sim::recordedCounts(*trace, *recorded), .tables = {}};
    for (const TableRequest& wanted : query.tables) {
        report.tables.push_back(WHORL_TRY(tableOf(wanted.of, report.counts, *recorded, *trace)));
    }
    return write(sim::recordedDocument(std::move(report)), options.answer);
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
