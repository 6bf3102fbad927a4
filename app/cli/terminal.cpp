#include "app/cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "app/system/ending.h"
#include "app/system/threads.h"
#include "sim/base/text.h"
#include "sim/report/report.h"

namespace whorl::app {

namespace {

/// One line of progress, overwritten in place in a terminal; in a file, a line for every tenth, or for every doubling.
class ProgressLine {
  public:
    ProgressLine(std::string words, const sim::Progress& progress) : words_(std::move(words)), progress_(progress) {}
    ~ProgressLine() {
        if (shown_ && terminal_) std::fputs("\r\033[K", stderr);
    }
    /// False if whoever read the lines has gone, such as the window that makes a film.
    bool show() {
        const int step = stepOf(progress_);
        if (!terminal_ && step == step_) return true;
        step_ = step;
        shown_ = true;
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun_;
        const std::string line =
            fmt::format("{}{} …{}{}{}", terminal_ ? "\r" : "", words_, progressWords(progress_),
                        timeLeft(progress_.fraction(), passed.count()), terminal_ ? "\033[K" : "\n");
        // fmt::print would throw, and so end the work, if stderr is closed.
        return std::fputs(line.c_str(), stderr) >= 0 || errno != EPIPE;
    }

  private:
    std::string words_;
    const sim::Progress& progress_;
    bool terminal_ = isatty(STDERR_FILENO) == 1;
    bool shown_ = false;
    int step_ = -1;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();

    /// A number that changes with every tenth, or where the total is unknown, whenever twice as much has been read.
    static int stepOf(const sim::Progress& progress) {
        const double fraction = progress.fraction();
        return fraction >= 0 ? static_cast<int>(fraction * 10) : 100 + std::bit_width(progress.accesses());
    }
};

/// What a terminal may be given: errors quote files and words of the command line, which may hold anything.
std::string harmless(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = text.front() == '\n' ? 1 : sim::printableLength(text);
        out += length == 0 ? "?" : text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

}  // namespace

std::string progressWords(const sim::Progress& progress) {
    if (const double fraction = progress.fraction(); fraction >= 0) return fmt::format(" {:.0f} %", 100 * fraction);
    if (progress.accesses() == 0) return {};
    return fmt::format(" {} accesses", sim::countInWords(progress.accesses()));
}

std::string timeLeft(double fraction, double passed) {
    constexpr double kSoon = 5;  // seconds; before, and shortly before the end, nobody waits for a number
    if (fraction <= 0 || fraction >= 1 || passed < kSoon) return {};
    const double left = passed * (1 - fraction) / fraction;
    if (left < kSoon) return {};
    if (left < 100) return fmt::format(", {:.0f} s left", left);
    constexpr double kMinute = 60;
    const auto minutes = std::llround(left / kMinute);
    return minutes < 100 ? fmt::format(", {} min left", minutes)
                         : fmt::format(", {:.1f} h left", left / kMinute / kMinute);
}

void withProgress(const std::string& words, sim::Progress& progress, const std::function<void()>& job) {
    const EndsInOrder inOrder;
    ProgressLine line(words, progress);
    const Ticker ticker(std::chrono::milliseconds(100), [&, tenths = 0]() mutable {
        if (askedToEnd() != 0) progress.cancel();
        if (tenths++ >= 2 && !line.show()) progress.cancel();
    });
    job();
}

void sayWarnings(const OpenRequest& request, const sim::Trace& trace) {
    for (const std::string& warning : sim::warningsOf(trace))
        fmt::print(stderr, "whorl: {}: {}\n", nameOfInput(request.input), warning);
}

int report(const sim::Error& error) {
    if (error.cancelled) {
        std::fputs("stopped\n", stderr);
        return kExitInterrupted;
    }
    std::fputs(fmt::format("whorl: {}\n", harmless(error.sentence())).c_str(), stderr);
    return kExitError;
}

}  // namespace whorl::app
