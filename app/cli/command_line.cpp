#include "app/cli/command_line.h"

#include "app/cli/option_parser.h"
#include "app/cli/subcommands.h"

namespace whorl::app {

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

}  // namespace whorl::app
