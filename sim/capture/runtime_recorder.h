// Programs that record themselves, as whorl cc compiles them: the options of the compiler, and how their records are
// taken.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/error.h"

namespace whorl::sim {

enum class CompilerKind : std::uint8_t { gcc, clang };

/// The number of words that name the compiler: two for a wrapper and its compiler ("ccache g++").
std::size_t wordsOfCompiler(const std::vector<std::string>& command);

/// The command of a compiler, extended so that the compiled code records its accesses, and so that an executable is
/// linked with the run-time library in `folder`. Fails for programs that cannot be recorded: other sanitizers, static
/// executables.
Expected<std::vector<std::string>> instrumentedCompile(const std::vector<std::string>& command, CompilerKind kind,
                                                       const std::string& folder);

}  // namespace whorl::sim
