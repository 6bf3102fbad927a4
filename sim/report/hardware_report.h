// What a processor counted beside what a simulation counted of the same program, and why they differ.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/replay/measures.h"
#include "sim/report/document.h"

namespace whorl::sim {

/// A count of a simulation beside that of a processor.
struct CheckedCount {
    std::string what;   ///< "L1 read misses"
    std::string event;  ///< as perf names it
    std::uint64_t simulated = 0;
    std::optional<std::uint64_t> counted = std::nullopt;  ///< none: the processor does not count it
    std::string differs = {};                             ///< why, if they differ by more than a tenth; a sentence
};

/// The numbers of a simulation beside those of a processor, by event; `instructions`: the instructions executed in the
/// trace.
std::vector<CheckedCount> checkedCounts(const Measures& measures, std::uint64_t instructions,
                                        const std::map<std::string, std::uint64_t>& counted);

/// A table, and below it why numbers differ. JSON: {"machine", "counts": [{"what", "event", "simulated", "counted":
/// null if it is not, "differs"}]}.
Document checkDocument(std::vector<CheckedCount> counts, const std::string& machine);

}  // namespace whorl::sim
