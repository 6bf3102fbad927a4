#include "app/cli/common.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <thread>

#include "sim/base/byte_sink.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

std::atomic<bool> interrupted{false};
void onInterrupt(int) {
    interrupted = true;
}

/// One line of progress, written over itself in a terminal; in a file a line for every tenth.
class ProgressLine {
  public:
    ProgressLine(std::string words, const sim::Progress& progress) : words_(std::move(words)), progress_(progress) {}
    ~ProgressLine() {
        if (shown_ && terminal_) std::fputs("\r\033[K", stderr);
    }
    void show() {
        const double fraction = progress_.fraction();
        const int tenth = static_cast<int>(fraction * 10);
        if (!terminal_ && tenth == tenth_) return;
        tenth_ = tenth;
        shown_ = true;
        const std::string text =
            fraction < 0 ? fmt::format("{} …", words_) : fmt::format("{} … {:.0f} %", words_, 100 * fraction);
        fmt::print(stderr, "{}{}{}", terminal_ ? "\r" : "", text, terminal_ ? "\033[K" : "\n");
        std::fflush(stderr);
    }

  private:
    std::string words_;
    const sim::Progress& progress_;
    bool terminal_ = isatty(STDERR_FILENO) == 1;
    bool shown_ = false;
    int tenth_ = -1;
};

/// The program's options among the words left over: "--n 16" and "--n=16" become "n=16".
sim::Expected<std::string> programOptions(const std::vector<std::string>& words, const std::string& input) {
    std::string spec;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string word = words[i];
        if (!word.starts_with("--") || sim::programNamed(input) == nullptr) {
            return sim::fail("", fmt::format("\"{}\" is not understood here", word), "see --help");
        }
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

}  // namespace

void addInputOptions(CLI::App& command, InputOptions& options, bool required, bool fromIsFormat) {
    auto* input = command.add_option(
        "INPUT", options.input,
        "a trace file, - for standard input, or a built-in program with its options: matmul:n=16,variant=blocked");
    if (required) input->required();
    command.add_option(
        "-m,--machine", options.machine,
        "size/ways/block of each level from the CPU outward (\"32K/8/64, 1M/16/64\"), a preset, or a JSON file");
    command
        .add_option("--set", options.settings,
                    "changes a value of the machine: L2.policy=fifo, *.block=32, cpus=4; may be given several times")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
    command.add_option(fromIsFormat ? "--from,--format" : "--format", options.format,
                       "the trace's format, when its content does not tell: lackey, din, text, whorl or chiron");
    command.add_option(
        "--chiron-sources", options.chironSources,
        "the source files of a Chiron trace, a path a line, in the order of their numbers; if not given, "
        "INPUT.files if it is there");
    command.add_flag("--lenient", options.lenient, "leave malformed lines out and count them");
    command.add_flag("--instructions", options.instructions, "take instruction fetches as reads");
    command
        .add_option(
            "--only", options.only,
            "which accesses: cpu=0,2, region=A,B, file=mm.c or 0x1000-0x1fff; all kinds that are given must hold")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
    command
        .add_option_function<std::string>(
            "--unrecorded", [&options](const std::string& word) { options.simulateUnrecorded = word == "simulate"; },
            "what becomes of the others, and of accesses between \"off\" and \"on\": drop, or simulate (the caches see "
            "them, nothing shows them)")
        ->check(CLI::IsMember({"drop", "simulate"}));
    command
        .add_option("--map", options.changes,
                    "sees the trace as if things lay elsewhere: shift:NAME:BYTES, align:NAME:BYTES, pad:NAME:BYTES or "
                    "spread:NAME:BYTES; NAME is a region, an object or class:NAME; may be given several times")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
    command.allow_extras();
}

sim::Expected<OpenRequest> requestOf(const InputOptions& options, const CLI::App& command) {
    OpenRequest request{.input = options.input,
                        .machine = options.machine,
                        .settings = options.settings,
                        .reading = {},
                        .changes = options.changes};
    request.reading.lenient = options.lenient;
    request.reading.instructions = options.instructions;
    request.reading.chironSources = options.chironSources;
    for (const std::string& words : options.only) {
        if (auto added = sim::addCondition(request.reading.only, words); !added) return tl::unexpected(added.error());
    }
    if (options.simulateUnrecorded) request.reading.only.unwanted = sim::Unwanted::simulate;
    if (!options.format.empty()) {
        request.reading.format = sim::formatNamed(options.format);
        if (!request.reading.format) {
            return sim::fail("", fmt::format("\"{}\" is not a trace format", options.format),
                             "use lackey, din, text, whorl or chiron");
        }
    }
    if (const auto changes = changesOf(request); !changes) return tl::unexpected(changes.error());
    auto more = programOptions(command.remaining(), options.input);
    if (!more) return tl::unexpected(more.error());
    request.input += *more;
    return request;
}

void warnOf(const sim::Trace& trace, const std::string& input) {
    warnOf(trace.losses(), trace.skippedLines(), input);
}

void warnOf(const std::vector<std::string>& losses, std::uint64_t skippedLines, const std::string& input) {
    for (const std::string& loss : losses) fmt::print(stderr, "whorl: {}: {}\n", input, loss);
    if (skippedLines != 0) fmt::print(stderr, "whorl: {}: {} malformed lines were left out\n", input, skippedLines);
}

sim::Expected<Opened> openWhole(const OpenRequest& request) {
    sim::Progress reading;
    std::optional<sim::Expected<Opened>> opened;
    withProgress("reading " + request.input, reading, [&] { opened = open(request, nullptr, reading); });
    if (!*opened) return *opened;
    sim::Progress building;
    bool whole = false;
    withProgress("simulating", building, [&] { whole = (*opened)->run->build(building); });
    if (!whole) return tl::unexpected(sim::Error::byUser());
    return *opened;
}

sim::Expected<PixelSize> parseSize(const std::string& text) {
    PixelSize size;
    int used = 0;
    const bool read = std::sscanf(text.c_str(), "%dx%d%n", &size.width, &size.height, &used) == 2;
    if (read && static_cast<std::size_t>(used) == text.size() && size.width >= 16 && size.height >= 16 &&
        size.width <= 8192 && size.height <= 8192) {
        return size;
    }
    return sim::fail("", fmt::format("--size \"{}\" is not a size", text),
                     "use WxH from 16x16 to 8192x8192, such as 1280x720");
}

sim::Expected<double> parseMoment(const std::string& option, const std::string& text, std::uint64_t end) {
    if (text == "end") return static_cast<double>(end);
    char* stop = nullptr;
    const double t = std::strtod(text.c_str(), &stop);
    if (text.empty() || *stop != '\0' || !std::isfinite(t) || t < 0 || t > static_cast<double>(end)) {
        return sim::fail("", fmt::format("{} \"{}\" is not a moment of this trace", option, text),
                         fmt::format("use a number from 0 to {}, the number of accesses, or \"end\"", end));
    }
    return t;
}

sim::Expected<sim::Tick> parseTick(const std::string& option, const std::string& text, std::uint64_t end) {
    if (text == "end") return sim::Tick{end};
    std::uint64_t t = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), t);
    if (text.empty() || stop != text.data() + text.size() || error != std::errc() || t > end) {
        return sim::fail("", fmt::format("{} \"{}\" is not a moment of this trace", option, text),
                         fmt::format("use a whole number from 0 to {}, the number of accesses, or \"end\"{}", end,
                                     sim::formatNamed(text) ? "; --format names the format" : ""));
    }
    return sim::Tick{t};
}

sim::Expected<void> writeText(const std::string& text, const std::string& path) {
    auto file = sim::createFile(path);
    if (!file) return tl::unexpected(file.error());
    if (auto written = (*file)->write(text); !written) return written;
    return (*file)->close();
}

void addGroundOption(CLI::App& command, scene::Ground& ground) {
    command
        .add_option_function<std::string>(
            "--ground",
            [&ground](const std::string& word) {
                ground = word == "light" ? scene::Ground::light : scene::Ground::dark;
            },
            "dark or light")
        ->check(CLI::IsMember({"dark", "light"}));
}

void withProgress(const std::string& words, sim::Progress& progress, const std::function<void()>& job) {
    const auto previous = std::signal(SIGINT, onInterrupt);
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    std::thread watcher([&] {
        using std::chrono::milliseconds;
        ProgressLine line(words, progress);
        std::unique_lock lock(mutex);
        for (int tenths = 0; !ended.wait_for(lock, milliseconds(100), [&] { return done; }); ++tenths) {
            if (interrupted) progress.cancel();
            if (tenths >= 2) line.show();
        }
    });
    job();
    {
        const std::lock_guard lock(mutex);
        done = true;
    }
    ended.notify_one();
    watcher.join();
    std::signal(SIGINT, previous);
}

int report(const sim::Error& error) {
    if (error.cancelled) {
        std::fputs("stopped\n", stderr);
        return kInterrupted;
    }
    fmt::print(stderr, "whorl: {}\n", error.sentence());
    return kWrong;
}

}  // namespace whorl::app
