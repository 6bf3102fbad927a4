// Tables of what CPUs spent their cycles on, and of the critical path.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/critical_path.h"
#include "sim/replay/measures.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A row for each CPU and one for all: cycles by class, from `spent` (see cyclesSpent), which add up to the cycles from
/// the first access of the range to the last; and the access cycles among them, as in the measures. `forPeople`: with a
/// last row of shares in percent, and without empty classes.
Table costsTable(const std::vector<std::vector<Cycles>>& spent, const Measures& measures, const Trace& trace,
                 bool forPeople);

enum class PathTable { source, object, segments };
/// "source", "object", "segments"; nothing for any other word.
std::optional<PathTable> pathTableNamed(std::string_view word);

/// What the path consists of, a row for each source line or object: the most cycles first. The rows add up to the
/// length of the path.
Table pathTable(PathTable of, const PathCosts& costs, const CriticalPath& path, const Trace& trace);
/// A row for each segment of the path.
Table pathSegmentTable(const CriticalPath& path, const Trace& trace);

/// "CPU 3", with the name of its thread if it has one.
std::string cpuWords(const Trace& trace, std::uint32_t cpu);
/// "a lock", "a barrier", "another CPU".
std::string_view inWords(WaitFor what);

}  // namespace whorl::sim
