// A program that is started with this one's input, output and terminal.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.h"

namespace whorl::sim {

class ChildProcess {
  public:
    /// Starts a program, found as a shell does, with all signals as they are by default. `inherited` are files that it
    /// gets under the same numbers; `environment` adds to this program's own ("NAME=value"). Fails if it is not there
    /// or cannot be executed.
    static Expected<ChildProcess> start(const std::vector<std::string>& command,
                                        const std::vector<std::string>& environment, const std::vector<int>& inherited);

    pid_t id() const { return id_; }
    /// Its status, as waitpid() gives it, once it has ended; nothing while it runs.
    std::optional<int> ended();
    void send(int signal) const;

  private:
    explicit ChildProcess(pid_t id) : id_(id) {}

    pid_t id_;
    std::optional<int> status_;
};

/// The status with which a shell would report that a program ended: its own, or 128 and the signal that ended it.
int shellStatus(int status);

}  // namespace whorl::sim
