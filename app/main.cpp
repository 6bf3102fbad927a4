// Whorl: what a program does to the cache, as a living picture.
#include <malloc.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "app/cli/command_line.h"
#include "app/cli/exit_status.h"

int main(int argc, char** argv) {
    // llvmpipe frees its bins after every frame; kept in the heap they need not be faulted in again, a fifth of a
    // frame.
    mallopt(M_MMAP_THRESHOLD, 256 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
    std::signal(SIGPIPE, SIG_IGN);  // a pipe that breaks is an error of the write, and told as such

    // Nothing in Whorl throws by intent; what does is memory that has run out, or a fault of a library.
    try {
        return whorl::app::runCommandLine(argc, argv);
    } catch (const std::bad_alloc&) {
        std::fputs("whorl: there is not enough memory for this\n", stderr);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "whorl: %s\n", e.what());
    }
    return whorl::app::kExitError;
}
