#include "sim/capture/child_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace whorl::sim {
namespace {

/// Runs between fork and exec: calls only async-signal-safe functions.
[[noreturn]] void become(char* const* arguments, char* const* environment, const std::vector<int>& inherited,
                         int report) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
    for (const int fd : inherited) fcntl(fd, F_SETFD, 0);
    execvpe(arguments[0], arguments, environment);
    const int error = errno;
    [[maybe_unused]] const ssize_t written = write(report, &error, sizeof error);
    _exit(127);
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& t : texts) pointers.push_back(t.data());
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

Expected<ChildProcess> ChildProcess::start(const std::vector<std::string>& command,
                                           const std::vector<std::string>& environment,
                                           const std::vector<int>& inherited) {
    std::vector<std::string> words = command;
    std::vector<std::string> variables = environment;
    for (char** v = environ; *v != nullptr; ++v) variables.emplace_back(*v);
    const std::vector<char*> arguments = pointersTo(words);
    const std::vector<char*> everything = pointersTo(variables);
    std::array<int, 2> report{};
    if (pipe2(report.data(), O_CLOEXEC) != 0) return fail(command[0], std::strerror(errno));
    const pid_t id = fork();
    if (id == 0) become(arguments.data(), everything.data(), inherited, report[1]);
    const int forkError = errno;
    close(report[1]);
    int error = 0;
    const bool failed = id < 0 || read(report[0], &error, sizeof error) == static_cast<ssize_t>(sizeof error);
    close(report[0]);
    if (!failed) return ChildProcess(id);
    if (id > 0) waitpid(id, nullptr, 0);
    return fail(command[0], std::string("cannot be started: ") + std::strerror(id < 0 ? forkError : error));
}

std::optional<int> ChildProcess::ended() {
    int status = 0;
    if (!status_ && waitpid(id_, &status, WNOHANG) == id_) status_ = status;
    return status_;
}

void ChildProcess::send(int signal) const {
    if (!status_) kill(id_, signal);
}

int shellStatus(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace whorl::sim
