// Memory after long work.
#pragma once

namespace whorl::app {

/// Returns to the system what was freed, which the heap keeps otherwise (see main.cpp). For the end of work that took
/// much more memory than its result: reading a trace, making a history.
void returnFreedMemory();

}  // namespace whorl::app
