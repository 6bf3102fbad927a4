// Names for traces that other tools recorded, from the debug information of the recorded program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/error.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// An executable, and the bias that the recording tool added to its addresses.
struct NamedBinary {
    std::string path;
    std::optional<std::uint64_t> bias;  ///< none: to be determined
};

/// Reads "./prog" or "./prog@0x108000".
Expected<NamedBinary> parseBinary(const std::string& words);

/// The trace with lines and functions for the instructions of an executable, regions for its global variables that the
/// trace touches, and the texts of its sources, if wanted. Without a bias, uses that of the trace's own list of
/// modules, or the usual one of Valgrind with which the trace has instructions of the executable. Fails if the
/// executable cannot be read, or the trace has no instruction of it.
Expected<Trace> withBinary(Trace trace, const NamedBinary& binary, bool sources);

}  // namespace whorl::sim
