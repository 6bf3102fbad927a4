// Child processes with pipes to them, and shell commands, to run other programs; and folders for their files.
#pragma once

#include <sys/types.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/unfinished.h"

namespace whorl::app {

/// A pipe: ends[0] reads, ends[1] writes. The destructor closes the ends.
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

/// Waits until a child process ends; returns its status as from waitpid().
int awaitChild(pid_t process);

/// "was ended by signal 9 (Killed)", "ended early with status 3". `status`: as from waitpid().
std::string howItEnded(int status);

/// A word quoted for a shell.
std::string shellQuoted(const std::string& word);

/// Runs a command without input, and appends its standard output and error to `words`. Returns whether it succeeded.
bool runInShell(const std::string& command, std::string& words);

/// A folder for files that are of no use after the program has ended, however it ends.
class TemporaryFolder final : public sim::Unfinished {
  public:
    TemporaryFolder();
    ~TemporaryFolder() override;

    /// Path of the folder; empty if it could not be made.
    const std::string& path() const { return path_; }
    /// An error if there is no folder.
    sim::Expected<void> checked() const;
    void remove() noexcept override;

  private:
    std::string path_;
};

}  // namespace whorl::app
