// Selects accesses of a trace by CPU, address, region and source file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// What happens to accesses that are not selected.
enum class Unwanted {
    drop,      ///< they are dropped, and only their number is kept
    simulate,  ///< they are kept as unrecorded accesses: simulated, but not counted or displayed
};

/// The condition by which accesses are selected: by one of the CPUs, and to one of the regions, and to one of the
/// ranges, and from one of the files, and at one of the ticks. An empty list is no condition.
struct TraceFilter {
    /// An address range, both ends inclusive.
    using Range = std::pair<ByteAddress, ByteAddress>;

    std::vector<std::uint8_t> cpus;
    std::vector<Range> ranges;         ///< an access matches if it touches one of its bytes
    std::vector<std::string> regions;  ///< names
    std::vector<std::string> files;    ///< paths of source files, or their last parts ("mm.c", "src/mm.c")
    sim::Range ticks{Tick{0}, Tick{~std::uint64_t{0}}};
    Unwanted unwanted = Unwanted::drop;

    bool wantsAll() const { return cpus.empty() && ranges.empty() && regions.empty() && files.empty(); }
    /// Whether the filter needs regions or source files, which are known only for a complete trace.
    bool needsTrace() const { return !regions.empty() || !files.empty(); }
    /// Whether an access satisfies the conditions on CPU and address.
    bool wants(const Access& access) const;
};

/// Parses and adds a condition: "cpu=0,2", "region=A,B", "file=mm.c" or "0x1000-0x1fff" (inclusive).
Expected<void> addCondition(TraceFilter& filter, std::string_view words);

/// The selected accesses of a trace. Regions are unchanged; the ticks of objects and marks are adjusted as accesses are
/// dropped. Fails if a region or file does not exist, or no access is selected. `name` is the trace in error messages.
Expected<Trace> filtered(const Trace& trace, const TraceFilter& filter, const std::string& name);

}  // namespace whorl::sim
