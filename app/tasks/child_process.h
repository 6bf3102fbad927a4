// Child processes that are spoken to through pipes, and commands of the shell, for what other programs do.
#pragma once

#include <sys/types.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace whorl::app {

/// Both ends of a pipe, 0 to read and 1 to write; closed at the end.
struct Pipe {
    std::array<int, 2> ends{-1, -1};

    Pipe() = default;
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe();
    /// False if it cannot be opened: errno says why.
    bool open();
    /// The caller closes this end.
    int take(std::size_t end) { return std::exchange(ends[end], -1); }
};

/// Starts the program named by the first word, which is looked for where the shell looks. It gets these descriptors as
/// its standard input and error, a process group of its own, so that Ctrl+C in the terminal reaches only us, and the
/// usual handling of signals. Returns 0, or the number of an error.
int spawnChild(pid_t& process, std::vector<std::string> words, int input, int errors);

/// Waits for its end; returns what waitpid() says of it.
int awaitChild(pid_t process);

/// "was ended by signal 9 (Killed)", "ended early with status 3"; of what waitpid() says.
std::string howItEnded(int status);

/// As a shell takes a word.
std::string shellQuoted(const std::string& word);

/// Runs a command without input. What it says, on both outputs, is added to `words`. Whether it succeeded.
bool runInShell(const std::string& command, std::string& words);

}  // namespace whorl::app
