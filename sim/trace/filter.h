// Which accesses of a trace are wanted, and what becomes of the others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// What becomes of accesses that are not wanted.
enum class Unwanted {
    drop,      ///< they are left out, and counted as such
    simulate,  ///< they are kept as unrecorded ones: the caches see them, but no picture and no count shows them
};

/// An access is wanted when it is of every kind that is given: by one of the CPUs, and to one of the regions, and to
/// one of the ranges, and from one of the files. A kind that is not given is no condition.
struct TraceFilter {
    /// An address range, both ends within.
    using Range = std::pair<ByteAddress, ByteAddress>;

    std::vector<std::uint8_t> cpus;
    std::vector<Range> ranges;         ///< an access need only touch one
    std::vector<std::string> regions;  ///< names
    std::vector<std::string> files;    ///< paths of source files, or their last parts ("mm.c", "src/mm.c")
    Unwanted unwanted = Unwanted::drop;

    bool wantsAll() const { return cpus.empty() && ranges.empty() && regions.empty() && files.empty(); }
    /// Whether it asks what only a whole trace can tell: its regions and source files.
    bool needsTrace() const { return !regions.empty() || !files.empty(); }
    /// Whether CPU and address are wanted.
    bool wants(const Access& access) const;
};

/// Adds a condition in words: "cpu=0,2", "region=A,B", "file=mm.c" or "0x1000-0x1fff" (both ends within).
Expected<void> addCondition(TraceFilter& filter, std::string_view words);

/// The accesses of a trace that are wanted. Its regions stay as they are; moments of objects and marks move up when
/// accesses are left out. An error when a region or a file is not there, or no access is wanted. `name` stands for the
/// trace in errors.
Expected<Trace> filtered(const Trace& trace, const TraceFilter& filter, const std::string& name);

}  // namespace whorl::sim
