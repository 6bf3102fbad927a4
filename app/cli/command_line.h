// The program as it is called: all its commands.
#pragma once

namespace whorl::app {

/// Does what the command line asks for; gives the exit status (exit_status.h).
int runCommandLine(int argc, char** argv);

}  // namespace whorl::app
