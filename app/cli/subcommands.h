// The commands of the program: each function declares a command's options and action.
#pragma once

#include "app/cli/option_parser.h"

namespace whorl::app {

void addCaptureCommand(OptionParser& program);
void addRunCommand(OptionParser& program);
void addCcCommand(OptionParser& program);
void addFrameCommand(OptionParser& program);
void addRecordCommand(OptionParser& program);
void addStatsCommand(OptionParser& program);
void addHistoryCommand(OptionParser& program);
void addLifeCommand(OptionParser& program);
void addCollisionsCommand(OptionParser& program);
void addSharingCommand(OptionParser& program);
void addWhatIfCommand(OptionParser& program);
void addWatchCommand(OptionParser& program);
void addCheckCommand(OptionParser& program);
void addWhyCommand(OptionParser& program);
void addQuizCommand(OptionParser& program);
void addCompareCommand(OptionParser& program);
void addCompleteCommand(OptionParser& program);
void addHelpCommand(OptionParser& program);
void addIconsCommand(OptionParser& program);
void addManualCommand(OptionParser& program);
void addMachinesCommand(OptionParser& program);
void addMergeCommand(OptionParser& program);
void addPresentCommand(OptionParser& program);
void addProgramsCommand(OptionParser& program);
void addScenesCommand(OptionParser& program);
void addSlidesCommand(OptionParser& program);
void addTraceCommand(OptionParser& program);
/// Without a subcommand: the window; without a display: a demonstration video.
void addWindowCommand(OptionParser& program);

}  // namespace whorl::app
