// Names for traces that other tools recorded: by the debug information of the program that was recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/error.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// An executable, and what the recording tool added to its addresses.
struct NamedBinary {
    std::string path;
    std::optional<std::uint64_t> bias;  ///< none: to be found out
};

/// Reads "./prog" or "./prog@0x108000".
Expected<NamedBinary> parseBinary(const std::string& words);

/// The trace with lines and functions for the instructions of an executable, regions for its global variables that the
/// trace touches, and the texts of its sources, if wanted. Without a bias, that of the trace's own list of modules is
/// taken, or the usual one of Valgrind under which the trace has instructions of the executable. Fails if the
/// executable cannot be read, or the trace has no instruction of it.
Expected<Trace> withBinary(Trace trace, const NamedBinary& binary, bool sources);

}  // namespace whorl::sim
