// The program's command line: all its commands.
#pragma once

namespace whorl::app {

/// Does what the command line asks for; returns the exit status (exit_status.h).
int runCommandLine(int argc, char** argv);

}  // namespace whorl::app
