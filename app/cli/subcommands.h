// The subcommands of the program: the only list of them.
#pragma once

#include "app/cli/option_parser.h"

/// In the order in which help lists them. Each has a function add…Command(program), which adds
/// the subcommand with its options and its action. `row` is a macro, applied to each.
#define WHORL_SUBCOMMANDS(row)                                                                                        \
    row(Run) row(Capture) row(Cc) row(Present) row(Frame) row(Page) row(Record) row(Slides) row(Stats) row(Contents)  \
        row(History) row(Life) row(Collisions) row(Sharing) row(WhatIf) row(Watch) row(Check) row(Why) row(Annotate)  \
            row(Grade) row(Quiz) row(Compare) row(Merge) row(Programs) row(Machines) row(Scenes) row(Tour) row(Trace) \
                row(Help) row(Complete) row(Manual) row(Icons)

namespace whorl::app {

#define WHORL_DECLARE(name) void add##name##Command(OptionParser& program);
WHORL_SUBCOMMANDS(WHORL_DECLARE)
#undef WHORL_DECLARE

/// Without a subcommand: the window; without a display: a demonstration video.
void addWindowCommand(OptionParser& program);

}  // namespace whorl::app
