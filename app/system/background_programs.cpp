#include "app/system/background_programs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "app/session/words.h"
#include "app/system/child_process.h"
#include "app/system/threads.h"
#include "app/tasks/files.h"
#include "app/tours/tour_editing.h"
#include "sim/base/byte_sink.h"
#include "sim/base/input_file.h"
#include "sim/capture/capture.h"

namespace whorl::app {

namespace {

constexpr std::uint64_t kLargestList = 1u << 20;
constexpr std::size_t kMaxWords = 2000;  ///< bytes of a compiler's output; longer output is cut at the next line end

bool isOfC(const std::string& file) {
    static constexpr std::array<std::string_view, 6> kEndings = {".c", ".cc", ".cpp", ".cxx", ".c++", ".C"};
    return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view e) { return file.ends_with(e); });
}

/// The files that a compiler lists as those that it read: "out: a.cpp a.h \", but not the system's.
std::vector<std::filesystem::path> listed(const std::string& list, const std::string& file) {
    std::vector<std::filesystem::path> paths{file};
    const auto text = sim::readSmallFile(list, kLargestList, "a list of files");
    if (!text) return paths;
    std::string word;
    const auto take = [&] {
        if (!word.empty() && word != file && !word.ends_with(':')) paths.emplace_back(word);
        word.clear();
    };
    for (std::size_t i = 0; i < text->size(); ++i) {
        const char c = (*text)[i];
        if (c == '\\' && i + 1 < text->size() && (*text)[i + 1] == ' ') {
            word += (*text)[++i];
        } else if (c == '\\' || c == ' ' || c == '\n') {
            take();
        } else {
            word += c;
        }
    }
    take();
    return paths;
}

sim::Expected<void> compile(const WatchedSource& watched, const std::string& program) {
    std::string command = watched.compiler;
    if (command.empty()) {
        auto usual = WHORL_TRY(usualCompiler(watched.file));
        command = usual;
        if (isOfC(watched.file)) command += " -MMD -MF " + shellQuoted(program + ".d");
    }
    command += fmt::format(" {} -o {}", shellQuoted(watched.file), shellQuoted(program));
    if (watched.compiler.empty() && isOfC(watched.file)) command += " -pthread -lm";
    std::string said;
    if (runInShell(command, said)) return {};
    if (said.size() > kMaxWords) said = said.substr(0, said.find('\n', kMaxWords)) + "\n…";
    return sim::fail(watched.file, said.empty() ? "it cannot be compiled" : "it cannot be compiled:\n" + said);
}

}  // namespace

sim::Expected<std::string> usualCompiler(const std::string& file) {
    if (file.ends_with(".c")) return "cc -O2 -g";
    if (isOfC(file)) return "c++ -O2 -g";
    if (file.ends_with(".rs")) return "rustc -O -g";
    if (file.ends_with(".f") || file.ends_with(".f90") || file.ends_with(".f95")) return "gfortran -O2 -g";
    return sim::fail(file, "its name does not tell how it is compiled", "say it: --compile \"g++ -O2 -g -x c++\"");
}

sim::Expected<RecordedSource> compileAndRecord(const WatchedSource& watched, unsigned number, sim::Progress& progress) {
    const std::string stem = std::filesystem::path(watched.file).stem().string();
    const std::string program = fmt::format("{}/{}-{}", watched.folder, stem, number);
    WHORL_TRY(compile(watched, program));
    sim::CaptureOptions options;
    options.command = {program};
    options.command.insert(options.command.end(), watched.arguments.begin(), watched.arguments.end());
    options.functions = watched.functions;
    options.threads = threadsFor();
    const std::string trace = program + ".whorl";
    auto captured = sim::capture(
        options, trace, [&progress] { return progress.cancelled() ? SIGTERM : 0; }, progress);
    if (progress.cancelled()) return tl::unexpected(sim::Error::byUser());
    if (!captured) return tl::unexpected(captured.error());
    return RecordedSource{.trace = trace,
                          .sources = listed(program + ".d", watched.file),
                          .losses = std::move(captured->losses),
                          .status = captured->status};
}

WatchedProgram::WatchedProgram(TaskRunner& runner, WatchedSource watched, const RecordedSource& first)
    : runner_(runner), watched_(std::move(watched)) {
    watch(first.sources);
}

std::optional<WatchedProgram::Seen> WatchedProgram::look(const std::filesystem::path& path) {
    std::error_code unknown;
    const auto time = std::filesystem::last_write_time(path, unknown);
    if (unknown) return std::nullopt;
    const auto size = std::filesystem::file_size(path, unknown);
    if (unknown) return std::nullopt;
    return Seen{time, size};
}

/// Files are gone for a moment while an editor replaces them.
bool WatchedProgram::changed() {
    bool any = false;
    for (auto& [path, seen] : sources_) {
        const auto now = look(path);
        if (!now || *now == seen) continue;
        seen = *now;
        any = true;
    }
    return any;
}

void WatchedProgram::watch(const std::vector<std::filesystem::path>& paths) {
    Sources next;
    for (const std::filesystem::path& path : paths) {
        // What changed while it was compiled counts as changed.
        const auto known = sources_.find(path);
        next[path] = known != sources_.end() ? known->second : look(path).value_or(Seen{});
    }
    sources_ = std::move(next);
}

/// Removes the results of earlier recordings from the folder.
void WatchedProgram::forgetBefore(const std::string& trace) {
    std::error_code ignored;
    const std::string kept = std::filesystem::path(trace).stem().string();
    for (const auto& entry : std::filesystem::directory_iterator(watched_.folder, ignored)) {
        if (entry.path().stem() != kept) std::filesystem::remove(entry.path(), ignored);
    }
}

std::optional<sim::Expected<RecordedSource>> WatchedProgram::update() {
    if (changed()) {
        task_.emplace(runner_, [watched = watched_, number = ++number_](sim::Progress& progress) {
            return compileAndRecord(watched, number, progress);
        });
    }
    if (!task_ || !task_->done()) return std::nullopt;
    auto result = *task_->take();
    task_.reset();
    if (result) {
        watch(result->sources);
        forgetBefore(result->trace);
    }
    return result;
}

namespace {

constexpr int kLookEvery = 100;          ///< milliseconds, for a cancellation
constexpr std::size_t kMaxSaid = 4'000;  ///< bytes kept of the recorder's output

/// How whorl makes each thing, and what its file is called.
struct TourProduct {
    std::vector<std::string> words;
    const char* ending;
};
TourProduct productOf(TourWish::What what) {
    if (what == TourWish::What::check) return {{"tour", "check"}, ".txt"};
    if (what == TourWish::What::slides) return {{"slides"}, ".pdf"};
    return {{"record"}, ".mp4"};
}

std::vector<std::string> commandOf(const TourWish& wish, const std::string& program, const std::string& tour,
                                   const std::string& output) {
    std::vector<std::string> words = productOf(wish.what).words;
    words.insert(words.begin(), program);
    words.insert(words.end(), {tour, "-o", output});
    if (wish.what != TourWish::What::check) words.insert(words.end(), {"--ground", std::string(wordOf(wish.ground))});
    if (wish.of == nullptr) {
        words.insert(words.end(), {"--no-cards", "--captions=off", "--scale", fmt::format("{}", wish.scale), "--size",
                                   fmt::format("{}x{}", wish.size.x, wish.size.y)});
    }
    for (const std::string& folder : wish.sources) words.insert(words.end(), {"--sources", folder});
    return words;
}

/// A running `whorl`. It reports its progress in lines such as "recording x.mp4 … 30 %, 12 s left".
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

    /// Reports the recorder's progress until it ends. True if it has done all.
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
        return last.empty() ? "whorl " + howItEnded(status_) : last;
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

sim::Expected<std::string> makeOfTour(const TourWish& wish, const std::string& program, sim::Progress& progress) {
    constexpr std::uint64_t kAll = 100;
    progress.setTotal(kAll);
    const TemporaryFolder folder;
    WHORL_TRY(folder.checked());
    const std::string tour = folder.path() + "/" + wish.name + ".tour.json";
    WHORL_TRY(sim::writeText(tourText(wish.tour, folder.path()), tour));
    const bool isCheck = wish.what == TourWish::What::check;
    const std::string ending = productOf(wish.what).ending;
    const std::string output = isCheck ? folder.path() + "/findings" + ending : newName(wish.name, ending);
    Recorder recorder;
    WHORL_TRY(recorder.start(commandOf(wish, program, tour, output)));
    const bool isMade = recorder.follow(progress);
    if (progress.cancelled() && !isMade) return tl::unexpected(sim::Error::byUser());
    // A check that has found something fails, too.
    if (isCheck) {
        auto findings = sim::readSmallFile(output, kLargestList, "a list of findings");
        // The window shows which tour they are about.
        const std::string name = tour + ": ";
        for (std::size_t at = 0; findings && (at = findings->find(name)) != std::string::npos;) {
            findings->erase(at, name.size());
        }
        if (findings) return findings;
    }
    return isMade ? sim::Expected<std::string>(output) : sim::fail("", recorder.complaint());
}

}  // namespace whorl::app
