#include "app/cli/process.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

#include "app/tasks/ending.h"
#include "app/tasks/exit_status.h"

namespace whorl::app {
namespace {

bool occupyStandardStreams() {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
        if (fcntl(fd, F_GETFD) != -1) continue;
        // Opened the other way round, input only for writing and output only for reading: using it still fails.
        if (::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) return false;
    }
    return true;
}

}  // namespace

bool prepareProcess() {
    if (!occupyStandardStreams()) return false;
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    watchSignals();
    return true;
}

int ended(int status) {
    if (status == kExitInterrupted && askedToEnd() != 0) endBy(askedToEnd());
    return status;
}

}  // namespace whorl::app
