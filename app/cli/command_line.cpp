#include "app/cli/command_line.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/cli/cc.h"
#include "app/cli/option_parser.h"
#include "app/cli/subcommands.h"

namespace whorl::app {

namespace {

/// The words after `whorl cc` are another program's: they are not parsed.
void addCcCommand(OptionParser& program) {
    program.addCommand("cc", "Compile a program so that it records itself: whorl cc g++ -O2 -g a.cpp -o a");
}

}  // namespace

int runCommandLine(int argc, char** argv) {
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const bool isHelp = words.size() == 2 && (words[1] == "--help" || words[1] == "-h");
    if (!words.empty() && words[0] == "cc" && !isHelp) return runCompiler({words.begin() + 1, words.end()});
    OptionParser program("whorl",
                         "Whorl shows what a program does to the cache.\n"
                         "Without a subcommand it opens a window on INPUT, or on the built-in matrix multiply.",
                         "whorl " WHORL_VERSION);
    addWindowCommand(program);
    addRunCommand(program);
    addCaptureCommand(program);
    addCcCommand(program);
    addFrameCommand(program);
    addRecordCommand(program);
    addStatsCommand(program);
    addHistoryCommand(program);
    addCollisionsCommand(program);
    addSharingCommand(program);
    addWhatIfCommand(program);
    addWatchCommand(program);
    addCheckCommand(program);
    addWhyCommand(program);
    addCompareCommand(program);
    addMergeCommand(program);
    addProgramsCommand(program);
    addMachinesCommand(program);
    addScenesCommand(program);
    addTraceCommand(program);
    return program.run(argc, argv);
}

}  // namespace whorl::app
