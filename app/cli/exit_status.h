// What the program's exit status tells.
#pragma once

namespace whorl::app {

inline constexpr int kExitSuccess = 0;
inline constexpr int kExitError = 2;  ///< something that the person can cure
inline constexpr int kExitInterrupted = 130;

}  // namespace whorl::app
