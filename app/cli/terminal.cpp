#include "app/cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string_view>

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

/// The length in bytes of the character of UTF-8 at the start of a text; 0 if it is none, or could command a terminal.
std::size_t printable(std::string_view text) {
    const auto c = static_cast<unsigned char>(text[0]);
    if (c < 0x80) return c == '\n' || (c >= 0x20 && c != 0x7f) ? 1 : 0;
    const std::size_t length = c >= 0xf5 ? 0 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 0;
    if (length == 0 || length > text.size()) return 0;
    const auto second = static_cast<unsigned char>(text[1]);
    if (c == 0xc2 && second < 0xa0) return 0;                                     // the controls of Latin 1
    if ((c == 0xe0 && second < 0xa0) || (c == 0xed && second >= 0xa0)) return 0;  // overlong; a surrogate
    if ((c == 0xf0 && second < 0x90) || (c == 0xf4 && second >= 0x90)) return 0;  // overlong; beyond Unicode
    const auto isTail = [](char tail) { return (static_cast<unsigned char>(tail) & 0xc0u) == 0x80u; };
    return std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), isTail) ? length : 0;
}

/// What a terminal may be given: errors quote files and words of the command line, which may hold anything.
std::string harmless(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = printable(text);
        out += length == 0 ? "?" : text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

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
    fmt::print(stderr, "whorl: {}\n", harmless(error.sentence()));
    return kExitError;
}

}  // namespace whorl::app
