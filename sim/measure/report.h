// The counts of a run as the world reads them: JSON and a table in words.
#pragma once

#include <string>

#include "sim/machine/machine_config.h"
#include "sim/measure/counters.h"

namespace whorl::sim {

/// "8 448": a number in groups of three digits, as every table and panel shows it.
std::string grouped(std::uint64_t number);

/// {"accesses", "reads", "writes", "levels": [{"name", "sets", "ways", "block", "caches": [{"cpus", "accesses", "hits",
/// "misses", "read_misses", "write_misses", "evictions", "writebacks"}]}], "memory": {"reads", "writes"}}, indented.
std::string countersAsJson(const Counters& counters, const MachineConfig& machine);

/// The same as a table for a terminal.
std::string countersAsTable(const Counters& counters, const MachineConfig& machine);

}  // namespace whorl::sim
