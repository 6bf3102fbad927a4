// How the program ends: its exit status, and the signals that ask it to end, SIGINT (Ctrl+C), SIGTERM and SIGHUP.
// Whoever is at work ends in good order; otherwise the program removes what is unfinished and dies by the signal.
#pragma once

namespace whorl::app {

/// The meaning of the program's exit status.
inline constexpr int kExitSuccess = 0;
inline constexpr int kExitError = 2;  ///< an error that the user can correct
inline constexpr int kExitInterrupted = 130;

/// Watches the signals from now on, except those that are ignored already (nohup). Must be called before any thread is
/// created, as threads inherit that the signals are blocked.
void watchSignals();

/// The signal that has asked the program to end; 0: none has.
int askedToEnd();

/// While one exists, somebody looks at askedToEnd() and ends in good order, for which there are ten seconds; a second
/// signal ends the program at once.
class EndsInOrder {
  public:
    EndsInOrder();
    ~EndsInOrder();
    EndsInOrder(const EndsInOrder&) = delete;
    EndsInOrder& operator=(const EndsInOrder&) = delete;
};

/// Removes what is unfinished and ends the program as the signal would, so that a shell sees why it ended.
[[noreturn]] void endBy(int signal);

}  // namespace whorl::app
