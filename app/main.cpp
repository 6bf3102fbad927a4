// Whorl: what a program does to the cache, as a living picture.
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "app/cli/common.h"

namespace {

int run(int argc, char** argv) {
    // llvmpipe frees its bins after every frame; kept in the heap they need not be faulted in again, a fifth of a
    // frame.
    mallopt(M_MMAP_THRESHOLD, 256 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
    std::signal(SIGPIPE, SIG_IGN);  // a pipe that breaks is an error of the write, and told as such

    int status = whorl::app::kFine;
    CLI::App app{
        "Whorl shows what a program does to the cache.\n"
        "Without a subcommand it opens a window on INPUT, or on the built-in matrix multiply."};
    app.name("whorl");
    app.set_version_flag("--version", "whorl " WHORL_VERSION);
    app.require_subcommand(0, 1);
    whorl::app::addWindowCommand(app, status);
    whorl::app::addFrameCommand(app, status);
    whorl::app::addRecordCommand(app, status);
    whorl::app::addStatsCommand(app, status);
    whorl::app::addCollisionsCommand(app, status);
    whorl::app::addSharingCommand(app, status);
    whorl::app::addWhatIfCommand(app, status);
    whorl::app::addMergeCommand(app, status);
    whorl::app::addProgramsCommand(app, status);
    whorl::app::addScenesCommand(app, status);
    whorl::app::addTraceCommand(app, status);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? whorl::app::kFine : whorl::app::kWrong;
    }
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    // Nothing in Whorl throws by intent; what does is memory that has run out, or a fault of a library.
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        std::fputs("whorl: there is not enough memory for this\n", stderr);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "whorl: %s\n", e.what());
    }
    return whorl::app::kWrong;
}
