#include "app/system/film_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "app/session/words.h"
#include "app/system/child_process.h"
#include "app/system/temporary_folder.h"
#include "app/tasks/new_file.h"
#include "app/tours/tour_writer.h"
#include "sim/base/byte_sink.h"

namespace whorl::app {

namespace {

constexpr int kLookEvery = 100;          ///< milliseconds, for a cancellation
constexpr std::size_t kMaxSaid = 4'000;  ///< bytes kept of the recorder's output

std::vector<std::string> commandOf(const FilmWish& wish, const std::string& program, const std::string& tour,
                                   const std::string& output) {
    std::vector<std::string> words = {program,
                                      "record",
                                      tour,
                                      "--no-cards",
                                      "--captions=off",
                                      "--size",
                                      fmt::format("{}x{}", wish.size.x, wish.size.y),
                                      "--ground",
                                      std::string(wordOf(wish.ground)),
                                      "--scale",
                                      fmt::format("{}", wish.scale),
                                      "-o",
                                      output};
    for (const std::string& folder : wish.sources) words.insert(words.end(), {"--sources", folder});
    return words;
}

/// A running `whorl record`. It reports its progress in lines such as "recording x.mp4 … 30 %, 12 s left".
class Recorder {
  public:
    Recorder() = default;
    ~Recorder() {
        if (words_ >= 0) close(words_);
    }
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    sim::Expected<void> start(const std::vector<std::string>& words) {
        Pipe said;
        const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (nothing < 0 || !said.open()) return sim::fail("", fmt::format("no pipe: {}", std::strerror(errno)));
        const int error = spawnChild(process_, words, nothing, said.ends[1]);
        close(nothing);
        if (error != 0) return sim::fail(words.front(), fmt::format("cannot be started: {}", std::strerror(error)));
        words_ = said.take(0);
        return {};
    }

    /// Reports the recorder's progress until it ends. True if it has recorded the whole film.
    bool follow(sim::Progress& progress) {
        while (listen()) {
            if (const auto done = hundredths()) progress.setDone(*done);
            if (progress.cancelled() && !std::exchange(asked_, true)) ::kill(process_, SIGTERM);
        }
        status_ = awaitChild(process_);
        return WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
    }

    /// The last line of the recorder's output, without the prefix "whorl: "; if empty, how the process ended.
    std::string complaint() const {
        std::string last = said_;
        while (last.ends_with('\n')) last.pop_back();
        last = last.substr(last.rfind('\n') + 1);
        constexpr std::string_view kOwn = "whorl: ";
        if (last.starts_with(kOwn)) last = last.substr(kOwn.size());
        return last.empty() ? "whorl record " + howItEnded(status_) : last;
    }

  private:
    /// False once it has closed its outputs.
    bool listen() {
        pollfd end{.fd = words_, .events = POLLIN, .revents = 0};
        if (poll(&end, 1, kLookEvery) <= 0) return true;
        std::array<char, 1024> buffer{};
        const ssize_t n = read(words_, buffer.data(), buffer.size());
        if (n < 0) return errno == EINTR || errno == EAGAIN;
        said_.append(buffer.data(), static_cast<std::size_t>(n));
        if (said_.size() > kMaxSaid) said_.erase(0, said_.size() - kMaxSaid);
        return n > 0;
    }

    /// The number before the last "%".
    std::optional<std::uint64_t> hundredths() const {
        const std::size_t sign = said_.rfind(" %");
        if (sign == std::string::npos) return std::nullopt;
        std::size_t begin = sign;
        while (begin > 0 && said_[begin - 1] >= '0' && said_[begin - 1] <= '9') --begin;
        if (begin == sign) return std::nullopt;
        return std::strtoull(said_.c_str() + begin, nullptr, 10);
    }

    pid_t process_ = 0;
    int words_ = -1;
    int status_ = 0;
    bool asked_ = false;  ///< to end
    std::string said_;
};

}  // namespace

sim::Expected<std::string> recordFilmApart(const FilmWish& wish, const std::string& program, sim::Progress& progress) {
    constexpr std::uint64_t kAll = 100;
    progress.setTotal(kAll);
    const TemporaryFolder folder;
    WHORL_TRY(folder.checked());
    const std::string tour = folder.path() + "/" + wish.name + ".tour.json";
    if (auto written = sim::writeText(tourText(wish.tour, folder.path()), tour); !written) {
        return tl::unexpected(written.error());
    }
    const std::string output = newName(wish.name, ".mp4");
    Recorder recorder;
    if (auto started = recorder.start(commandOf(wish, program, tour, output)); !started) {
        return tl::unexpected(started.error());
    }
    const bool isRecorded = recorder.follow(progress);
    if (isRecorded) return output;
    if (progress.cancelled()) return tl::unexpected(sim::Error::byUser());
    return sim::fail("", recorder.complaint());
}

}  // namespace whorl::app
