#include "app/cli/process.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include "app/cli/option_parser.h"
#include "app/cli/subcommands.h"
#include "app/system/ending.h"
#include "sim/base/unfinished.h"

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

/// Reports the exception that is being handled and returns the exit status. Whorl throws none itself: they are caused
/// by lack of memory or threads, or by a fault in a library.
int reportException() noexcept {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        std::fputs("whorl: there is not enough memory for this\n", stderr);
    } catch (const std::system_error& e) {
        std::fprintf(stderr, "whorl: the system refuses a thread or a lock: %s\n", std::strerror(e.code().value()));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "whorl: %s\n", e.what());
    }
    return kExitError;
}

/// Ends the program by an exception that nothing can catch, in a thread or a destructor, without leaving files behind.
[[noreturn]] void endByException() {
    sim::removeUnfinished();
    if (std::current_exception() == nullptr) std::abort();
    _exit(reportException());
}

/// False if that is impossible.
bool prepareProcess() {
    if (!occupyStandardStreams()) return false;
    std::set_terminate(endByException);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    watchSignals();
    return true;
}

}  // namespace

int runCommandLine(int argc, char** argv) {
    OptionParser program("whorl",
                         "Whorl shows what a program does to the cache.\n"
                         "Without a subcommand it opens a window on INPUT, or on the built-in matrix multiply.",
                         "whorl " WHORL_VERSION);
    addWindowCommand(program);
#define WHORL_ADD(name) add##name##Command(program);
    WHORL_SUBCOMMANDS(WHORL_ADD)
#undef WHORL_ADD
    return program.run(argc, argv);
}

int runProcess(int argc, char** argv) {
    try {
        if (!prepareProcess()) return kExitError;
        const int status = runCommandLine(argc, argv);
        if (status == kExitInterrupted && askedToEnd() != 0) endBy(askedToEnd());
        return status;
    } catch (...) {
        return reportException();
    }
}

}  // namespace whorl::app
