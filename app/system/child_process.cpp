#include "app/system/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace whorl::app {

Pipe::~Pipe() {
    for (const int end : ends) {
        if (end >= 0) close(end);
    }
}

bool Pipe::open() {
    return pipe2(ends.data(), O_CLOEXEC) == 0;
}

int spawnChild(pid_t& process, std::vector<std::string> words, int input, int errors) {
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&usual, signal);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int result = posix_spawnp(&process, argv[0], &actions, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

int awaitChild(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

std::string howItEnded(int status) {
    if (WIFSIGNALED(status)) {
        return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
    }
    return fmt::format("ended early with status {}", WEXITSTATUS(status));
}

std::string shellQuoted(const std::string& word) {
    std::string out = "'";
    for (const char c : word) {
        if (c == '\'') {
            out += "'\\''";
        } else {
            out += c;
        }
    }
    return out + "'";
}

bool runInShell(const std::string& command, std::string& words) {
    FILE* const pipe = popen(("{ " + command + "\n} 2>&1 </dev/null").c_str(), "re");
    if (pipe == nullptr) return false;
    std::array<char, 4096> part{};
    for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;) words.append(part.data(), n);
    return pclose(pipe) == 0;
}

TemporaryFolder::TemporaryFolder() {
    std::error_code unknown;
    std::string folder = (std::filesystem::temp_directory_path(unknown) / "whorl-XXXXXX").string();
    if (!unknown && mkdtemp(folder.data()) != nullptr) path_ = folder;
    begin();
}

TemporaryFolder::~TemporaryFolder() {
    end();
}

sim::Expected<void> TemporaryFolder::checked() const {
    if (!path_.empty()) return {};
    return sim::fail("", "there is no folder for temporary files", "set TMPDIR to one");
}

void TemporaryFolder::remove() noexcept {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace whorl::app
