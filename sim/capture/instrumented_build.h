// How whorl cc compiles and links programs: twice, without the calls by which they record themselves, and with them.
//
// An object file has the code without those calls, and in a section that is not loaded, the object with them. The
// linker joins these sections, so that of an executable it is known which objects it consists of, also from archives;
// the executable with the calls is linked from them, and lies beside the other one, which starts it if it is to be
// recorded (see runtime/plain/). Shared libraries only exist with the calls.
#pragma once

#include <cstdint>
#include <functional>
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

/// What the executable with the calls is called: that without them, with this behind it.
inline constexpr const char* kRecordedSuffix = ".recorded";

/// Runs a command, and returns its status as a shell reports it.
using CommandRunner = std::function<int(const std::vector<std::string>&)>;

/// Does what a command of a compiler says, for both ways in which the program may run. `work`: a folder for files that
/// are of no use afterwards. Returns the status of the first command that failed, or 0.
Expected<int> buildTwice(const std::vector<std::string>& command, CompilerKind kind, const std::string& folder,
                         const std::string& work, const CommandRunner& run);

}  // namespace whorl::sim
