#include "app/export/ffmpeg.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace whorl::app {

namespace {

/// Starts a program with these pipe ends as its standard input and error; returns the error number.
int spawn(pid_t& process, std::vector<char*>& argv, int input, int words) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, words, STDERR_FILENO);
    const int result = posix_spawnp(&process, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

}  // namespace

sim::Expected<std::unique_ptr<Ffmpeg>> Ffmpeg::start(const std::vector<std::string>& arguments,
                                                     const std::string& file) {
    int input[2];
    int words[2];
    if (pipe2(input, O_CLOEXEC) != 0) return sim::fail(file, std::strerror(errno));
    if (pipe2(words, O_CLOEXEC) != 0) {
        const int reason = errno;
        close(input[0]);
        close(input[1]);
        return sim::fail(file, std::strerror(reason));
    }
    std::vector<std::string> all = {"ffmpeg"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    argv.reserve(all.size() + 1);
    for (std::string& a : all) argv.push_back(a.data());
    argv.push_back(nullptr);
    pid_t process = 0;
    const int result = spawn(process, argv, input[0], words[1]);
    close(input[0]);
    close(words[1]);
    if (result != 0) {
        close(input[1]);
        close(words[0]);
        return sim::fail(file, fmt::format("ffmpeg cannot be started: {}", std::strerror(result)),
                         "install the package ffmpeg, or record into a folder of PNG files with -o DIR/");
    }
    return std::unique_ptr<Ffmpeg>(new Ffmpeg(process, input[1], words[0], file));
}

Ffmpeg::~Ffmpeg() {
    if (process_ > 0) {
        kill(process_, SIGKILL);
        wait();
    }
    close(words_);
}

int Ffmpeg::wait() {
    if (input_ >= 0) close(std::exchange(input_, -1));
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

sim::Expected<void> Ffmpeg::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(input_, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return complaint();
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    return {};
}

sim::Expected<void> Ffmpeg::finish() {
    // Its output is short and comes only at the end, so it fits into the pipe during the wait.
    if (wait() != 0) return complaint();
    return {};
}

sim::Expected<void> Ffmpeg::complaint() {
    if (process_ > 0) wait();
    std::string said;
    char buffer[512];
    for (ssize_t n = 0; (n = read(words_, buffer, sizeof buffer)) > 0;)
        said.append(buffer, static_cast<std::size_t>(n));
    while (said.ends_with('\n')) said.pop_back();
    return sim::fail(file_, "ffmpeg could not write it: " + (said.empty() ? "it said nothing" : said));
}

}  // namespace whorl::app
