#include "app/export/ffmpeg.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "app/system/child_process.h"

namespace whorl::app {

namespace {

constexpr std::size_t kMaxSaid = 400;  ///< bytes kept of ffmpeg's messages
constexpr int kLookEvery = 50;         ///< milliseconds, for a cancellation or the end of ffmpeg
constexpr std::size_t kWordsAtATime = 4096;

/// Processor time of a process in nanoseconds; 0 if unknown.
std::int64_t computedBy(pid_t process) {
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

sim::Expected<std::unique_ptr<Ffmpeg>> Ffmpeg::start(const std::vector<std::string>& arguments, const std::string& file,
                                                     const sim::Progress& progress,
                                                     std::chrono::milliseconds patience) {
    Pipe input;
    Pipe words;
    if (!input.open() || !words.open()) {
        return sim::fail(file, fmt::format("ffmpeg cannot be started: {}", std::strerror(errno)));
    }
    std::vector<std::string> all = {"ffmpeg"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    pid_t process = 0;
    if (const int error = spawnChild(process, std::move(all), input.ends[0], words.ends[1]); error != 0) {
        return sim::fail(file, fmt::format("ffmpeg cannot be started: {}", std::strerror(error)),
                         "install the package ffmpeg, or record into a folder of PNG files with -o DIR/");
    }
    for (const int end : {input.ends[1], words.ends[0]}) fcntl(end, F_SETFL, O_NONBLOCK);
    return std::unique_ptr<Ffmpeg>(new Ffmpeg(process, input.take(1), words.take(0), file, progress, patience));
}

Ffmpeg::Ffmpeg(pid_t process, int input, int words, std::string file, const sim::Progress& progress,
               std::chrono::milliseconds patience)
    : process_(process),
      input_(input),
      words_(words),
      file_(std::move(file)),
      progress_(progress),
      patience_(patience) {}

Ffmpeg::~Ffmpeg() {
    kill();
    if (words_ >= 0) close(words_);
}

void Ffmpeg::kill() {
    if (input_ >= 0) close(std::exchange(input_, -1));
    if (process_ == 0) return;
    ::kill(-process_, SIGKILL);
    status_ = awaitChild(std::exchange(process_, 0));
}

bool Ffmpeg::hasEnded() {
    if (process_ == 0) return true;
    const pid_t ended = waitpid(process_, &status_, WNOHANG);
    if (ended == process_ || (ended < 0 && errno != EINTR)) process_ = 0;
    return process_ == 0;
}

/// Reads ffmpeg's messages, so that a full pipe does not block it; keeps the beginning. False at the end.
bool Ffmpeg::takeWords() {
    if (words_ < 0) return false;
    std::array<char, kWordsAtATime> buffer{};
    while (true) {
        const ssize_t n = read(words_, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return true;
        if (n <= 0) break;
        movedAt_ = Clock::now();
        said_.append(buffer.data(), std::min(static_cast<std::size_t>(n), kMaxSaid - std::min(kMaxSaid, said_.size())));
    }
    close(std::exchange(words_, -1));
    return false;
}

/// Waits a little for these events on ffmpeg's input, and reads its messages meanwhile. Fails if cancelled, or if
/// ffmpeg stands still.
sim::Expected<void> Ffmpeg::wait(int events) {
    std::array<pollfd, 2> ends{pollfd{.fd = input_, .events = static_cast<short>(events), .revents = 0},
                               pollfd{.fd = words_, .events = POLLIN, .revents = 0}};
    poll(ends.data(), ends.size(), kLookEvery);
    takeWords();
    if (progress_.cancelled()) return tl::unexpected(sim::Error::byUser());
    if (!standsStill()) return {};
    kill();
    return complaint(
        fmt::format("ffmpeg has done nothing for {:.3g} seconds", std::chrono::duration<double>(patience_).count()));
}

bool Ffmpeg::standsStill() {
    const std::int64_t computed = process_ == 0 ? 0 : computedBy(process_);
    if (computed != std::exchange(computed_, computed)) movedAt_ = Clock::now();
    return Clock::now() - movedAt_ > patience_;
}

sim::Expected<void> Ffmpeg::write(std::span<const std::byte> bytes) {
    movedAt_ = Clock::now();
    while (!bytes.empty()) {
        const ssize_t n = ::write(input_, bytes.data(), bytes.size());
        if (n >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(n));
            movedAt_ = Clock::now();
            takeWords();
        } else if (errno == EAGAIN) {
            if (auto waited = wait(POLLOUT); !waited) return waited;
        } else if (errno != EINTR) {
            // ffmpeg closed its input: it has ended or is about to end, and its output has the reason.
            auto ended = awaitEnd();
            return ended ? complaint("ffmpeg " + howItEnded(status_)) : ended;
        }
    }
    return {};
}

sim::Expected<void> Ffmpeg::awaitEnd() {
    if (input_ >= 0) close(std::exchange(input_, -1));
    movedAt_ = Clock::now();
    while (!hasEnded()) {
        if (auto waited = wait(0); !waited) return waited;
    }
    takeWords();
    return {};
}

sim::Expected<void> Ffmpeg::finish() {
    if (auto ended = awaitEnd(); !ended) return ended;
    if (!WIFEXITED(status_) || WEXITSTATUS(status_) != 0) return complaint("ffmpeg " + howItEnded(status_));
    return {};
}

sim::Expected<void> Ffmpeg::complaint(const std::string& what) const {
    std::string said = said_;
    while (said.ends_with('\n') || said.ends_with('\r')) said.pop_back();
    std::replace_if(
        said.begin(), said.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return sim::fail(file_, "could not be recorded: " + what + (said.empty() ? "" : ": " + said));
}

}  // namespace whorl::app
