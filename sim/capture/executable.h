// The properties of an executable that affect how it is recorded.
#pragma once

#include <cstdint>
#include <string>

namespace whorl::sim {

struct Executable {
    bool hasRuntime = false;      ///< whether it contains Whorl's run-time library, as `whorl cc` links it
    bool isGo = false;            ///< whether its own main is Go's main.main
    bool isStatic = false;        ///< whether it is loaded without a dynamic linker
    bool hasSymbols = false;      ///< whether it is not stripped
    std::uint64_t loadedEnd = 0;  ///< end of its memory: an address, or an offset if position-independent
    bool isMovable = false;       ///< position-independent
    /// Bytes of its largest segment that are not in the file, but zeroed on loading: static variables.
    std::uint64_t zeroed = 0;
};

/// The path of the program that a shell would start by this name; empty if there is none.
std::string findProgram(const std::string& name);

/// The properties of a file. All have their defaults for a script, or a file that cannot be read.
Executable executableAt(const std::string& path);

}  // namespace whorl::sim
