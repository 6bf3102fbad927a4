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
    addRunCommand(program);
    addCaptureCommand(program);
    addCcCommand(program);
    addPresentCommand(program);
    addFrameCommand(program);
    addRecordCommand(program);
    addSlidesCommand(program);
    addStatsCommand(program);
    addHistoryCommand(program);
    addLifeCommand(program);
    addCollisionsCommand(program);
    addSharingCommand(program);
    addWhatIfCommand(program);
    addWatchCommand(program);
    addCheckCommand(program);
    addWhyCommand(program);
    addQuizCommand(program);
    addCompareCommand(program);
    addMergeCommand(program);
    addProgramsCommand(program);
    addMachinesCommand(program);
    addScenesCommand(program);
    addTraceCommand(program);
    addHelpCommand(program);
    addCompleteCommand(program);
    addManualCommand(program);
    addIconsCommand(program);
    return program.run(argc, argv);
}

}  // namespace whorl::app
