// Finds the start of the recorded part of a trace.
#pragma once

#include "sim/base/types.h"

namespace whorl::sim {

class Trace;

/// The tick of the first access that is not unrecorded; the size of the trace if there is none. Reads all accesses
/// before it.
Tick firstRecorded(const Trace& trace);

}  // namespace whorl::sim
