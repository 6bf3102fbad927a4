// whorl cc: compiles a program so that it can be recorded with little delay, and all its threads at once.
#pragma once

#include <string>
#include <vector>

namespace whorl::app {

/// Becomes the compiler, which is told more than its command line ("g++", "-O2", "a.cpp") says. Returns the exit status
/// of an error, after a message, if that cannot be.
int runCompiler(std::vector<std::string> command);

}  // namespace whorl::app
