// The program that is recorded: its executable, and its process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.h"

namespace whorl::sim {

/// A program started with this program's input, output and terminal.
class ChildProcess {
  public:
    /// Starts a program, found as a shell finds it, with default signal handling. `inherited` are file descriptors that
    /// it gets under the same numbers; `environment` adds to this program's own ("NAME=value"). Fails if the program
    /// does not exist or cannot be executed.
    static Expected<ChildProcess> start(const std::vector<std::string>& command,
                                        const std::vector<std::string>& environment, const std::vector<int>& inherited);

    /// A process that somebody else started: whether it has ended is not known by it.
    static ChildProcess ofOther(pid_t id) { return ChildProcess(id); }

    pid_t id() const { return id_; }
    /// The program's status, as returned by waitpid(), after it has ended; nothing while it runs.
    std::optional<int> ended();
    void send(int signal) const;

  private:
    explicit ChildProcess(pid_t id) : id_(id) {}

    pid_t id_;
    std::optional<int> status_;
};

/// The status that a shell would report for an ended program: its own exit status, or 128 plus the signal that ended
/// it.
int shellStatus(int status);

/// The properties of an executable that affect how it is recorded.
struct Executable {
    bool hasRuntime = false;      ///< whether it records itself, as `whorl cc` links it, or starts the one that does
    bool startsOther = false;     ///< whether it starts the one beside it that does
    bool isGo = false;            ///< whether its own main is Go's main.main
    bool isStatic = false;        ///< whether it is loaded without a dynamic linker
    bool hasSymbols = false;      ///< whether it is not stripped
    std::uint64_t loadedEnd = 0;  ///< end of its memory: an address, or an offset if position-independent
    bool isMovable = false;       ///< position-independent
    /// Bytes of its largest segment that are not in the file, but zeroed on loading: static variables.
    std::uint64_t zeroed = 0;
};

/// The path of the program that a shell would start by this name; empty if there is none.
std::string findProgram(const std::string& name);

/// The properties of a file. All have their defaults for a script, or a file that cannot be read.
Executable executableAt(const std::string& path);

}  // namespace whorl::sim
