#include "app/cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "app/tasks/ending.h"
#include "app/tasks/exit_status.h"
#include "app/tasks/ticker.h"
#include "sim/base/byte_sink.h"

namespace whorl::app {

namespace {

/// One line of progress, overwritten in place in a terminal; in a file, a line for every tenth.
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

}  // namespace

void withProgress(const std::string& words, sim::Progress& progress, const std::function<void()>& job) {
    const EndsInOrder inOrder;
    ProgressLine line(words, progress);
    const Ticker ticker(std::chrono::milliseconds(100), [&, tenths = 0]() mutable {
        if (askedToEnd() != 0) progress.cancel();
        if (tenths++ >= 2) line.show();
    });
    job();
}

sim::Expected<void> writeText(const std::string& text, const std::string& path) {
    auto file = sim::createFile(path);
    if (!file) return tl::unexpected(file.error());
    if (auto written = (*file)->write(text); !written) return written;
    return (*file)->close();
}

int report(const sim::Error& error) {
    if (error.cancelled) {
        std::fputs("stopped\n", stderr);
        return kExitInterrupted;
    }
    fmt::print(stderr, "whorl: {}\n", error.sentence());
    return kExitError;
}

}  // namespace whorl::app
