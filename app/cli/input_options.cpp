#include "app/cli/input_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "app/cli/terminal.h"
#include "app/session/transitions.h"
#include "app/system/threads.h"
#include "app/tasks/opening.h"
#include "sim/base/output_file.h"
#include "sim/base/text.h"
#include "sim/capture/program_names.h"
#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"
#include "sim/trace/formats/columns.h"

namespace whorl::app {

namespace {

bool hasOption(const sim::Program* program, const std::string& name) {
    return program != nullptr && std::any_of(program->options.begin(), program->options.end(),
                                             [&](const sim::ProgramOption& o) { return o.name == name && !o.isText; });
}

/// A word that is neither an option of the command nor one of the program.
tl::unexpected<sim::Error> unknownWord(const std::string& word, const OptionParser& command) {
    const std::string name = command.name().empty() ? "whorl" : "whorl " + command.name();
    std::vector<std::string> known = command.optionNames();
    const std::string option = word.substr(0, word.find('='));
    if (option == "--control") {
        return sim::fail("", fmt::format("--control is for a window, which {} does not open", name),
                         "use it with whorl, whorl watch or whorl present");
    }
    return sim::fail("", fmt::format("{} is not understood here", sim::quotedText(word)),
                     fmt::format("{}see {} --help", sim::didYouMean(option, known), name));
}

/// The program's options among the remaining words: "--n 16" and "--n=16" become "n=16".
sim::Expected<std::string> programOptions(const OptionParser& command, const std::string& input) {
    const std::vector<std::string> words = command.leftOver();
    std::string spec;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string word = words[i];
        const std::string name = word.starts_with("--") ? word.substr(2, word.find('=') - 2) : "";
        if (!hasOption(sim::programNamed(input), name)) return unknownWord(word, command);
        word.erase(0, 2);
        if (word.find('=') == std::string::npos) {
            if (i + 1 == words.size())
                return sim::fail("", fmt::format("--{} needs a value", word), "see whorl programs");
            word += "=" + words[++i];
        }
        spec += (spec.empty() ? ":" : ",") + word;
    }
    return spec;
}

sim::Expected<sim::SourcePolicy> sourcesOf(const InputOptions& options) {
    if (options.noSources && !options.sources.empty()) {
        return sim::fail("", "--sources and --no-sources exclude each other", "leave one of them out");
    }
    sim::SourcePolicy policy{.folders = options.sources, .none = options.noSources};
    return sim::checkedSources(policy).map([&] { return policy; });
}

/// The columns of a table of text; nothing for a trace of a format.
sim::Expected<std::optional<sim::TableColumns>> columnsOf(const InputOptions& options) {
    const bool isTold =
        options.hex || options.skipped > 0 || options.unit != 1 || !options.reads.empty() || !options.writes.empty();
    if (options.columns.empty()) {
        if (!isTold) return std::nullopt;
        return sim::fail("", "--hex, --skip, --unit, --reads and --writes are about a table of text",
                         "name its columns, too: --columns op,addr");
    }
    if (!options.format.empty()) {
        return sim::fail("", "--columns and --format exclude each other", "leave one of them out");
    }
    if (options.unit == 0) return sim::fail("", "--unit is 0", "give a number of bytes");
    return sim::TableColumns{.kinds = WHORL_TRY(sim::columnsNamed(options.columns)),
                             .hex = options.hex,
                             .skipped = options.skipped,
                             .unit = options.unit,
                             .reads = options.reads,
                             .writes = options.writes};
}

/// A number of bytes that is not 0.
sim::Expected<std::uint64_t> memoryFrom(const std::string& words) {
    const auto bytes = sim::parseBytes(words);
    if (bytes && *bytes > 0) return *bytes;
    return sim::fail("", fmt::format("--memory {} is not a size", sim::quotedText(words)),
                     "give a number of bytes, or one with K, M or G, such as 8G");
}

/// Reports what is assumed about this computer's caches, as the kernel describes them only in part.
void sayAssumptions(const std::string& machine) {
    if (!sim::namesHost(machine)) return;
    if (const auto host = sim::loadMachine(machine)) fmt::print(stderr, "whorl: {}: {}\n", host->name, host->note);
}

}  // namespace

void addInterleavingOption(OptionParser& command, sim::AccessOrder& order) {
    command.addChoice("--interleaving", order,
                      {{"auto", sim::AccessOrder::automatic},
                       {"recorded", sim::AccessOrder::recorded},
                       {"virtual", sim::AccessOrder::virtualTime}},
                      "the order of the accesses of several CPUs: as recorded, or by virtual time: each CPU makes an "
                      "access a tick, and waits where its threads waited for others; auto, the default, is virtual "
                      "where the trace tells where threads waited");
}

void addInputOptions(OptionParser& command, InputOptions& options, bool required) {
    command.add(
        "INPUT", options.input,
        "a trace file, - for standard input, a built-in program with its options: matmul:n=16,variant=blocked, or a "
        "pattern of accesses: 'pattern:for i in 0..16 { read A[i] }', also from a file that ends in .pattern",
        {.required = required, .kind = ValueKind::input});
    command.add("-m,--machine", options.machine,
                "size/ways/block of each level from the CPU outward (\"32K/8/64, 1M/16/64\"), a preset, host for this "
                "computer's "
                "caches, or a JSON file; see whorl machines",
                {.kind = ValueKind::machine});
    command.add("--set", options.settings,
                "changes a value of the machine: L2.policy=fifo, *.block=32, cpus=4; may be given several times",
                {.kind = ValueKind::setting});
    command.add("--format", options.format,
                "the trace's format, where its content is ambiguous, or it is of ChampSim and not named so: " +
                    sim::joinNames(sim::formatNames(), "or"),
                {.among = sim::formatNames()});
    command.add(
        "--columns", options.columns,
        "the trace is a table of text, with these columns: op,addr,size,cpu,pc,instructions in any order, - for one "
        "that means nothing; only addr is needed");
    command.addFlag("--hex", options.hex, "with --columns: addresses without 0x are hex");
    command.add("--skip", options.skipped, "with --columns: so many lines at the beginning are no accesses");
    command.add("--unit", options.unit, "with --columns: addresses count units of so many bytes");
    command.add("--reads", options.reads, "with --columns: a word for a read; may be given several times");
    command.add("--writes", options.writes, "with --columns: a word for a write; may be given several times");
    command.addChoice(
        "--sizes", options.ignoresSizes, {{"used", false}, {"ignored", true}},
        "ignored: an access touches the block of its address alone, as in the simulators of many courses");
    command.add("--chiron-sources", options.chironSources,
                "the source files of a Chiron trace, a path a line, in the order of their numbers; if not given, "
                "INPUT.files if it is there",
                {.kind = ValueKind::file});
    command.add(
        "--regions", options.regions,
        "a file that names memory of the trace, with lines as in Whorl's text format: region NAME ADDRESS BYTES",
        {.kind = ValueKind::file});
    command.add("--binary", options.binary,
                "the recorded executable, with debug information, for lines and names: PROGRAM, or PROGRAM@0x108000 if "
                "it was loaded at an unusual address; the texts of its sources are read",
                {.kind = ValueKind::file});
    command.add("--sources", options.sources,
                "a folder in which texts of source files are looked for, besides that of INPUT; may be given several "
                "times",
                {.kind = ValueKind::folder});
    command.addFlag("--no-sources", options.noSources, "read no texts of source files, and write none");
    command.addFlag("--lenient", options.lenient, "leave malformed lines out and count them");
    command.addFlag("--instructions", options.instructions, "treat instruction fetches as reads");
    command.add(
        "--only", options.only,
        "which accesses: cpu=0,2, region=A,B, file=mm.c or 0x1000-0x1fff; an access must match every kind given",
        {.kind = ValueKind::condition});
    addInterleavingOption(command, options.order);
    command.addChoice(
        "--unrecorded", options.simulateUnrecorded, {{"drop", false}, {"simulate", true}},
        "what to do with the others, and with accesses between \"off\" and \"on\": drop, or simulate (the caches see "
        "them, nothing shows them)");
    command.add("--map", options.changes,
                "changes the layout of the trace: shift:NAME:BYTES, align:NAME:BYTES, pad:NAME:BYTES, "
                "spread:NAME:BYTES, transpose:NAME, split:NAME, block:NAME:ROWS, pool:NAME or reserve:NAME; NAME is a "
                "region, an object or "
                "class:NAME; may be given several times",
                {.kind = ValueKind::layoutChange});
    command.add("--memory", options.memory,
                "the most memory that reading the trace may take, such as 8G; if not given, half of what the computer, "
                "its control group and ulimit allow");
    command.allowLeftOver();
}

sim::Expected<OpenRequest> requestOf(const InputOptions& options, const OptionParser& command) {
    OpenRequest request{
        .input = options.input, .machine = options.machine, .settings = options.settings, .reading = {}};
    request.reading.lenient = options.lenient;
    request.reading.instructions = options.instructions;
    request.reading.ignoresSizes = options.ignoresSizes;
    request.reading.columns = WHORL_TRY(columnsOf(options));
    request.reading.chironSources = options.chironSources;
    request.reading.regions = options.regions;
    request.reading.sources = WHORL_TRY(sourcesOf(options));
    if (!options.binary.empty()) {
        if (namesProgram(options.input) || isPatternFile(request)) {
            return sim::fail("--binary", "a built-in program or a pattern has all its names", "leave it out");
        }
        auto binary = WHORL_TRY(sim::parseBinary(options.binary));
        request.reading.namedBy = binary.path;
        request.reading.naming = [named = std::move(binary), sources = !options.noSources](sim::Trace trace) {
            return sim::withBinary(std::move(trace), named, sources);
        };
    }
    if (!options.memory.empty()) {
        request.reading.memory = WHORL_TRY(memoryFrom(options.memory));
    }
    for (const std::string& words : options.only) {
        WHORL_TRY(sim::addCondition(request.reading.only, words));
    }
    request.reading.order = options.order;
    if (options.simulateUnrecorded) request.reading.only.unwanted = sim::Unwanted::simulate;
    if (!options.format.empty()) {
        request.reading.format = sim::formatNamed(options.format);
        if (!request.reading.format) {
            return sim::fail("", fmt::format("\"{}\" is not a trace format", options.format),
                             "use " + sim::joinNames(sim::formatNames(), "or"));
        }
    }
    for (const std::string& words : options.changes) {
        request.changes.push_back(WHORL_TRY(sim::parseLayoutChange(words)));
    }
    if (!options.isRecorded) {
        auto more = WHORL_TRY(programOptions(command, options.input));
        request.input += more;
    }
    sayAssumptions(request.machine);
    return request;
}

sim::Expected<OpenRequest> requestOf(const InputOptions& options, const OptionParser& command,
                                     const std::string& output) {
    auto request = WHORL_TRY(requestOf(options, command));
    WHORL_TRY(sim::checkOutput(output, inputFiles(request)));
    return request;
}

void warnOf(const sim::Trace& trace, const std::string& input) {
    warnOf(trace.losses(), trace.skippedLines(), input);
}

void warnOf(const std::vector<std::string>& losses, std::uint64_t skippedLines, const std::string& input) {
    for (const std::string& loss : losses) fmt::print(stderr, "whorl: {}: {}\n", input, loss);
    if (skippedLines != 0) fmt::print(stderr, "whorl: {}: {} malformed lines were left out\n", input, skippedLines);
}

sim::Expected<std::shared_ptr<const sim::Trace>> readTrace(const OpenRequest& request) {
    auto trace = WHORL_TRY(inProgress("reading " + nameOfInput(request.input),
                                      [&](sim::Progress& progress) { return traceOf(request, progress); }));
    warnOf(trace, nameOfInput(request.input));
    return std::make_shared<const sim::Trace>(std::move(trace));
}

sim::Expected<Opened> openUnbuilt(const OpenRequest& request, std::shared_ptr<const sim::Trace> known) {
    return inProgress("reading " + nameOfInput(request.input),
                      [&](sim::Progress& progress) { return open(request, std::move(known), progress); });
}

sim::Expected<void> build(const Opened& opened, sim::Tick until) {
    return inProgress("simulating",
                      [&](sim::Progress& progress) { return opened.run->buildUntil(until, progress, threadsFor()); });
}

sim::Expected<Opened> openWhole(const OpenRequest& request, std::shared_ptr<const sim::Trace> known) {
    auto opened = WHORL_TRY(openUnbuilt(request, std::move(known)));
    WHORL_TRY(build(opened, sim::Tick{opened.run->trace().size()}));
    return opened;
}

void addWithOptions(OptionParser& command, WithOptions& options, const std::string& input) {
    command.add(input, options.input,
                "another input to compare with: a trace file, a built-in program with its options, or a pattern",
                {.kind = ValueKind::input});
    command.add("--with-machine", options.machine,
                "the machine of the compared run, as for --machine; --set changes only that of the first run",
                {.kind = ValueKind::machine});
}

void addLockOption(OptionParser& command, WithOptions& options) {
    command.addChoice("--lock", options.lock,
                      {{"access", TimeLock::access}, {"share", TimeLock::share}, {"line", TimeLock::line}},
                      "which times of the compared runs are shown together: after as many accesses, after the same "
                      "share of them, or after the same executions of source lines");
}

sim::Expected<std::optional<OpenRequest>> secondOf(const WithOptions& options, const OpenRequest& first) {
    if (options.input.empty() && options.machine.empty() && options.settings.empty()) {
        return std::optional<OpenRequest>();
    }
    OpenRequest second = secondOf(first, options.input, options.machine, options.settings);
    const bool sameMachine = second.machine == first.machine && second.settings == first.settings;
    if (second.input == first.input && sameMachine && !options.maybeSame) {
        return sim::fail("", fmt::format("{} would be compared with itself", sim::quotedText(first.input)),
                         "name another input, or another machine with --with-machine");
    }
    if (second.input == "-" && first.input == "-" && options.machine.empty()) {
        return sim::fail("-", "standard input can be read only once", "name a file");
    }
    return std::optional(std::move(second));
}

sim::Expected<void> openCompared(const WithOptions& options, const OpenRequest& first, Session& session) {
    auto second = WHORL_TRY(secondOf(options, first));
    if (!second) return {};
    const OpenRequest& request = *second;
    const sim::Run& run = *session.opened.run;
    auto opened = WHORL_TRY(openWhole(request, request.input == first.input ? run.sharedTrace() : nullptr));
    session.lock = options.lock;
    ComparedRun compared{.opened = std::move(opened)};
    if (options.lock == TimeLock::line) compared.lines = linesOfBoth(run.trace(), compared.opened.run->trace());
    enterCompared(session, std::move(compared));
    return {};
}

}  // namespace whorl::app
