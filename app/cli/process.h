// The process as a whole: its standard streams, its signals, how it ends.
#pragma once

namespace whorl::app {

/// Prepares the process; must be called before any file is opened and any thread created. Closed standard streams are
/// occupied, so that no file takes their places; a broken pipe and a file that becomes larger than allowed are reported
/// as errors of writing; the signals that ask to end are watched. False if the streams cannot be occupied.
bool prepareProcess();

/// Reports the exception that is being handled and returns the exit status. Whorl throws none itself: they are caused
/// by lack of memory or threads, or by a fault in a library.
int reportException() noexcept;

/// Returns the exit status, or ends the process by the signal that interrupted the work.
int ended(int status);

}  // namespace whorl::app
