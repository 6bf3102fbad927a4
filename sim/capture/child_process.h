// A program started with this program's input, output and terminal.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.h"

namespace whorl::sim {

class ChildProcess {
  public:
    /// Starts a program, found as a shell finds it, with default signal handling. `inherited` are file descriptors that
    /// it gets under the same numbers; `environment` adds to this program's own ("NAME=value"). Fails if the program
    /// does not exist or cannot be executed.
    static Expected<ChildProcess> start(const std::vector<std::string>& command,
                                        const std::vector<std::string>& environment, const std::vector<int>& inherited);

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

}  // namespace whorl::sim
