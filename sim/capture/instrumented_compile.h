// How a program is compiled so that it records itself: what a compiler is told besides its command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/error.h"

namespace whorl::sim {

enum class CompilerKind : std::uint8_t { gcc, clang };

/// How many words name the compiler: two for a wrapper and its compiler ("ccache g++").
std::size_t wordsOfCompiler(const std::vector<std::string>& command);

/// The command of a compiler, with what makes the code that it makes tell of its accesses and links the run-time
/// library from a folder, if it links an executable. Fails for what cannot be recorded: other sanitizers, static
/// executables.
Expected<std::vector<std::string>> instrumentedCompile(const std::vector<std::string>& command, CompilerKind kind,
                                                       const std::string& folder);

}  // namespace whorl::sim
