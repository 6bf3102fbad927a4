// What an executable says of itself, as far as the way of recording it depends on that.
#pragma once

#include <cstdint>
#include <string>

namespace whorl::sim {

struct Executable {
    bool hasRuntime = false;  ///< whether it contains Whorl's run-time library, as `whorl cc` links it
    bool isGo = false;        ///< whether its own main is Go's main.main
    bool isStatic = false;    ///< whether it is loaded without a dynamic linker
    bool hasSymbols = false;  ///< whether it is not stripped
    std::uint64_t loadedEnd =
        0;                   ///< the end of its memory: of an address, or of an offset if it can be loaded anywhere
    bool isMovable = false;  ///< whether it can be loaded anywhere
    /// Bytes of its largest segment that are not in the file, but zeroed when it is loaded: static variables.
    std::uint64_t zeroed = 0;
};

/// Where a program is that a shell would start by this name; empty if nowhere.
std::string findProgram(const std::string& name);

/// Of a file. Of a script, or what cannot be read, nothing is known.
Executable executableAt(const std::string& path);

}  // namespace whorl::sim
