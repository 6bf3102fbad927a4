// Shared by the tests of the trace room.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/memory_budget.h"
#include "sim/trace/formats/whorl_reader.h"
#include "support/folder.h"
#include "support/traces.h"

namespace whorl::sim::test {

/// A .whorl file, with as much memory as it wants.
inline Expected<Trace> traceOfFile(std::string_view file, const std::string& name = "t") {
    MemoryBudget budget(~std::uint64_t{0});
    Progress progress;
    return traceOf(file, name, budget, progress);
}

/// The accesses of a trace, or the sentence of the error.
inline std::string accessesOr(const Expected<Trace>& trace) {
    return trace ? accessesOf(*trace) : trace.error().sentence();
}

inline ReadOptions forced(TraceFormat format, bool lenient = false, bool instructions = false) {
    ReadOptions options;
    options.format = format;
    options.lenient = lenient;
    options.instructions = instructions;
    return options;
}

}  // namespace whorl::sim::test
