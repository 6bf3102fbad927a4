// What a recording of windows says of the whole program, in words and in tables.
#pragma once

#include <string>

#include "sim/analysis/window_estimate.h"
#include "sim/report/json.h"
#include "sim/report/table.h"
#include "sim/trace/windows.h"

namespace whorl::sim {

/// "Windows: 120 of 10 000 accesses, one in every 1 000 000".
std::string windowsInWords(std::uint64_t windows, std::uint64_t length, std::uint64_t every);

/// A row for each level; `level`, `miss_ratio`, `plus_minus`, `least_miss_ratio`, `most_miss_ratio`.
Table windowTable(const WindowEstimate& estimate, const MachineConfig& machine);
/// The line of the windows, and one for each level.
std::string windowText(const WindowEstimate& estimate, const MachineConfig& machine);
/// {"count", "accesses", "every", "between", "whole_program": rows of the table}.
JsonValue windowJson(const WindowEstimate& estimate, const MachineConfig& machine);

}  // namespace whorl::sim
