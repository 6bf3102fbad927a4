// The process as a whole: its standard streams, its signals, how it ends.
#pragma once

namespace whorl::app {

/// Does what the command line asks for; returns the exit status (kExitSuccess and so on).
int runCommandLine(int argc, char** argv);

/// Runs the command line and returns the exit status. Must be called before any file is opened and any thread created.
/// Closed standard streams are occupied, so that no file takes their places; a broken pipe and a file that becomes
/// larger than allowed are reported as errors of writing; a signal that asks to end stops the work and then ends the
/// process; missing memory ends in an error.
int runProcess(int argc, char** argv);

}  // namespace whorl::app
