// The meaning of the program's exit status.
#pragma once

namespace whorl::app {

inline constexpr int kExitSuccess = 0;
inline constexpr int kExitError = 2;  ///< an error that the user can correct
inline constexpr int kExitInterrupted = 130;

}  // namespace whorl::app
