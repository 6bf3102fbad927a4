// whorl capture, whorl run and whorl cc: programs that are recorded, and compiled for it.
#include "sim/capture/capture.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "app/cli/input_options.h"
#include "app/cli/show_window.h"
#include "app/cli/subcommands.h"
#include "app/system/child_process.h"
#include "app/system/ending.h"
#include "app/system/switching.h"
#include "app/system/threads.h"
#include "app/window/display.h"
#include "sim/base/text.h"
#include "sim/capture/instrumented_build.h"
#include "sim/capture/traced_process.h"
#include "sim/machine/host_machine.h"
#include "sim/report/report.h"

namespace whorl::app {

// whorl capture and whorl run: a program is recorded while it runs, and then kept in a file, or shown.

namespace {

struct CaptureCommand {
    sim::CaptureOptions capture;
    std::string program;
    std::vector<std::string> arguments;
    std::vector<std::string> only;
    std::string most;
    std::string windows;
    bool noNames = false;
    bool noSources = false;
    bool noStacks = false;
    std::string output;
    std::string machine;
    std::vector<std::string> settings;
    bool paused = false;
    sim::AccessOrder order = sim::AccessOrder::automatic;
};

void addCaptureOptions(OptionParser& command, CaptureCommand& options) {
    command.add("PROGRAM", options.program, "the program, after --", {.required = true, .kind = ValueKind::program});
    command.add("ARGUMENTS", options.arguments, "its arguments", {.kind = ValueKind::argument});
    command.addFlag("--all", options.capture.everything,
                    "record everything, from the first instruction to the last, not only from main to exit");
    command.add(
        "--only", options.only,
        "record only accesses made by a function, also where it is inlined (function=NAME), or by a source file "
        "(file=NAME)",
        {.among = {"function=", "file="}});
    command.add("--start-at", options.capture.startAt, "record from the first call of this function on");
    command.add("--stop-at", options.capture.stopAt, "record until this function is called");
    command.addFlag("--start-off", options.capture.startOff,
                    "record only where the program enables it with WHORL_ON() of whorl.h, or SIGUSR1 does");
    command.add(
        "--allocator", options.capture.allocators,
        "a function of the program that hands out memory, for the names of what it returns; if not given, those "
        "whose names contain alloc; may be given several times");
    command.add("--max", options.most, "record no more accesses than this, such as 100M");
    command.add("--windows", options.windows,
                "N:M: record N accesses in every M, such as 10K:1M, of a program that runs long");
    command.addFlag("--fetches", options.capture.fetches, "record instruction fetches, too, as reads");
    command.addFlag("--no-names", options.noNames, "give no names to code and memory");
    command.addFlag("--no-stacks", options.noStacks, "do not record which calls led to the accesses");
    command.addFlag("--no-sources", options.noSources, "embed no texts of source files");
    command.add("-m,--machine", options.machine,
                "the machine that the file opens on, as for whorl; if not given, this computer's caches",
                {.kind = ValueKind::machine});
    command.add("--set", options.settings, "changes a value of the machine; may be given several times",
                {.kind = ValueKind::setting});
}

/// "100M": a number of accesses.
std::optional<std::uint64_t> accessesIn(std::string text) {
    std::uint64_t unit = 1;
    if (text.empty()) return std::nullopt;
    if (const std::size_t suffix = std::string_view("KMG").find(text.back()); suffix != std::string_view::npos) {
        for (std::size_t i = 0; i <= suffix; ++i) unit *= 1000;
        text.pop_back();
    }
    const auto number = sim::wholeNumber(text);
    if (!number || *number == 0 || *number > ~std::uint64_t{0} / unit) return std::nullopt;
    return *number * unit;
}

sim::Expected<void> takeConditions(CaptureCommand& options) {
    for (const std::string& condition : options.only) {
        const auto take = [&](std::string_view kind, std::vector<std::string>& list) {
            if (!condition.starts_with(kind) || condition.size() == kind.size()) return false;
            list.push_back(condition.substr(kind.size()));
            return true;
        };
        if (take("function=", options.capture.functions) || take("file=", options.capture.files)) continue;
        return sim::fail("--only", fmt::format("\"{}\" is not understood", condition),
                         "use function=NAME or file=NAME");
    }
    return {};
}

/// "10K:1M": that many accesses in every so many.
sim::Expected<void> takeWindows(CaptureCommand& options) {
    if (options.windows.empty()) return {};
    const std::size_t colon = options.windows.find(':');
    const auto length = accessesIn(options.windows.substr(0, colon));
    const auto every = colon == std::string::npos ? std::nullopt : accessesIn(options.windows.substr(colon + 1));
    if (!length || !every) {
        return sim::fail("--windows", fmt::format("\"{}\" is not N:M, two numbers of accesses", options.windows),
                         "use 10K:1M to record 10 000 accesses in every million");
    }
    if (*length > *every) {
        return sim::fail("--windows", fmt::format("there are no {} accesses in every {}", *length, *every),
                         "the first number may be at most the second one");
    }
    options.capture.windows = {.length = *length, .every = *every};
    return {};
}

sim::Expected<sim::Captured> recorded(CaptureCommand& options, const std::string& output) {
    WHORL_TRY(takeConditions(options));
    WHORL_TRY(takeWindows(options));
    if (!options.most.empty()) {
        const auto most = accessesIn(options.most);
        if (!most) {
            return sim::fail("--max", fmt::format("\"{}\" is not a number of accesses", options.most),
                             "use a number such as 100M");
        }
        options.capture.most = *most;
    }
    options.capture.command = {options.program};
    options.capture.command.insert(options.capture.command.end(), options.arguments.begin(), options.arguments.end());
    options.capture.names = !options.noNames;
    options.capture.sources = !options.noSources;
    options.capture.calls = !options.noStacks;
    options.capture.threads = threadsFor();
    sim::Progress progress;
    const EndsInOrder inOrder;
    countSwitches();
    options.capture.switches = countedSwitches;
    if (options.capture.startOff) {
        fmt::print(stderr, "whorl: {} is not recorded until it asks for that, or you do: kill -USR1 {}\n",
                   options.program, getpid());
    }
    auto captured = sim::capture(
        options.capture, output, [] { return askedToEnd(); }, progress);
    if (captured) warnOf(captured->losses, 0, options.program);
    return captured;
}

std::string machineWords(const CaptureCommand& options) {
    return options.machine.empty() ? std::string(sim::kHostMachine) : options.machine;
}

/// The file keeps the machine that it is recorded for. Where none is asked for, and the kernel does not tell this
/// computer's caches, it keeps none.
sim::Expected<void> takeMachine(CaptureCommand& options) {
    const auto machine = machineOf({.machine = machineWords(options), .settings = options.settings});
    if (machine) options.capture.machine = sim::machineAsJson(*machine);
    const bool isAskedFor = !options.machine.empty() || !options.settings.empty();
    if (!machine && isAskedFor) return tl::unexpected(machine.error());
    return {};
}

/// The tree of the recorded processes, a line each.
void sayProcesses(const sim::Captured& captured) {
    constexpr std::size_t kMostName = 60;
    for (const sim::CapturedProcess& p : captured.processes) {
        const std::string number = p.process > 0 ? std::to_string(p.process) + ' ' : std::string();
        const std::string name = p.name.size() <= kMostName ? p.name : p.name.substr(0, kMostName) + "...";
        const std::string what = p.file.empty()
                                     ? "nothing recorded: " + p.why
                                     : fmt::format("{}, {}", p.file, sim::counted(p.accesses, "access", "accesses"));
        fmt::print(stderr, "whorl: {}{}{}: {}{}{}\n", std::string(2 * std::size_t{p.depth}, ' '), number, name, what,
                   p.end.empty() ? "" : ", ", p.end);
        if (p.depth == 0) continue;  // said already
        for (const std::string& loss : p.losses) fmt::print(stderr, "whorl: {}: {}\n", p.file, loss);
    }
}

sim::Expected<int> captureTo(CaptureCommand& options, const std::string& output) {
    WHORL_TRY(takeMachine(options));
    auto captured = WHORL_TRY(recorded(options, output));
    if (!captured.processes.empty()) {
        sayProcesses(captured);
        return captured.status;
    }
    fmt::print(stderr, "whorl: {}: {} accesses of {}\n", output, captured.accesses, options.program);
    const bool isLong = captured.accesses > sim::kLongRecording || captured.accesses >= options.capture.most;
    const std::string part = isLong ? sim::partToRecord(captured.busiest) : std::string();
    if (!part.empty()) fmt::print(stderr, "whorl: {}: {}\n", output, part);
    return captured.status;
}

sim::Expected<int> runAndShow(CaptureCommand& options) {
    std::string why;
    if (!displayAvailable(&why)) {
        return sim::fail("", fmt::format("no window can be opened: {}", why),
                         "whorl capture -o x.whorl -- ./prog records the program into a file");
    }
    const TemporaryFolder temporary;
    WHORL_TRY(temporary.checked());
    const std::string program = std::filesystem::path(options.program).filename().string();
    WindowOptions window;
    OpenRequest& request = window.start.request;
    request.input = options.output.empty() ? temporary.path() + '/' + program + ".whorl" : options.output;
    request.machine = machineWords(options);
    request.settings = options.settings;
    request.reading.order = options.order;
    // Report faults of the machine before the program runs.
    WHORL_TRY(machineOf(request));
    auto status = captureTo(options, request.input);
    if (!status) return status;
    window.start.paused = options.paused;
    if (options.output.empty()) window.temporary = request.input;
    return showWindow(window).map([&] { return *status; });
}

}  // namespace

void addCaptureCommand(OptionParser& program) {
    auto options = std::make_shared<CaptureCommand>();
    OptionParser& command =
        program.addCommand("capture", "Run a program and record its memory references into a trace file");
    command.add("-o,--output", options->output, "the trace file to write, such as x.whorl",
                {.required = true, .kind = ValueKind::output});
    command.addFlag("--children", options->capture.children,
                    "record all processes that come from it, too, each into a file of its own: x.2.whorl, x.3.whorl");
    addCaptureOptions(command, *options);
    command.addExample("Record your own program, compiled with -g", "whorl capture -o my.whorl -- ./my-program");
    command.addExample("Only what one function does",
                       "whorl capture -o my.whorl --only function=multiply -- ./my-program");
    command.onRun(std::function<sim::Expected<int>()>([options] {
        options->capture.evenIfCut = true;
        return captureTo(*options, options->output);
    }));
}

void addRunCommand(OptionParser& program) {
    auto options = std::make_shared<CaptureCommand>();
    OptionParser& command = program.addCommand("run", "Run a program, record its memory references, and show them");
    command.add("-o,--output", options->output, "a trace file to keep; if not given, the trace is forgotten",
                {.kind = ValueKind::output});
    command.addFlag("--paused", options->paused, "wait for Space instead of playing at once");
    addInterleavingOption(command, options->order);
    addCaptureOptions(command, *options);
    command.addExample("See your own program, with arrays named as in its source (compile it with -g)",
                       "whorl run -- ./my-program");
    command.onRun(std::function<sim::Expected<int>()>([options] { return runAndShow(*options); }));
}

// whorl cc: compiles a program so that it can be recorded with little delay, and all its threads at once.

namespace {

/// Asks the compiler which one it is.
sim::Expected<sim::CompilerKind> kindOf(const std::vector<std::string>& command) {
    std::string question;
    for (std::size_t i = 0; i < sim::wordsOfCompiler(command); ++i) question += shellQuoted(command[i]) + ' ';
    std::string words;
    if (!runInShell(question + "-dM -E -x c /dev/null", words)) {
        return sim::fail(command[0], "this is not a compiler that whorl cc knows, or it cannot be run",
                         "give g++, gcc, clang++ or clang, as in: whorl cc g++ -O2 -g a.cpp -o a");
    }
    return words.find("__clang__") != std::string::npos ? sim::CompilerKind::clang : sim::CompilerKind::gcc;
}

/// Runs a command in the place of this program. Returns its status as a shell reports it.
int statusOf(const std::vector<std::string>& words) {
    const auto started = sim::ChildProcess::start(words, {}, {});
    if (started) return sim::shellStatus(awaitChild(started->id()));
    constexpr int kCannotRun = 127;
    fmt::print(stderr, "whorl: {}\n", started.error().sentence());
    return kCannotRun;
}

/// Compiles or links a program in the two ways in which it may run.
sim::Expected<int> compile(std::vector<std::string> command) {
    if (!command.empty() && command.front() == "--") command.erase(command.begin());
    if (command.empty()) {
        return sim::fail("cc", "the compiler is missing", "as in: whorl cc g++ -O2 -g a.cpp -o a");
    }
    const auto folder = WHORL_TRY(sim::captureFolderWith("libwhorl_runtime.a"));
    const auto kind = WHORL_TRY(kindOf(command));
    const TemporaryFolder work;
    WHORL_TRY(work.checked());
    return sim::buildTwice(command, kind, folder, work.path(), statusOf);
}

}  // namespace

void addCcCommand(OptionParser& program) {
    OptionParser& command =
        program.addCommand("cc", "Compile a program so that it records itself: whorl cc g++ -O2 -g a.cpp -o a");
    command.leaveRest();
    command.addExample("Compile a program, and see all its threads at once",
                       "whorl cc g++ -O2 -g a.cpp -o a && whorl run -- ./a");
    command.addExample("The same from a makefile", "make CXX=\"whorl cc g++\"");
    command.onRun([&command] { return compile(command.leftOver()); });
}

}  // namespace whorl::app
