// Packs the accesses of a trace for a file (see pack_codec.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/jobs.h"
#include "sim/base/progress.h"
#include "sim/trace/column_codec.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// How a file is packed.
struct WhorlPacking {
    /// moderate: tens of millions of accesses a second, if they are regular; thorough: as small as possible, which
    /// takes ten times as long. `quick` is for memory.
    Effort effort = Effort::moderate;
    /// How jobs run; which does not change the bytes.
    JobRunner run = oneByOne;
};

/// A part of a trace, packed.
struct PackedBatch {
    std::string dictionary;  ///< a dictionary that must precede the packs and has the next number; or empty
    std::vector<std::string> packs;
};

/// Divides a trace into stretches, and chooses for each how it is packed: without a dictionary, with that of the
/// stretches before it, or with its own. A thorough packer tries all ways that may be best; a moderate one judges by
/// samples. One stretch is packed while the way of the next is chosen.
class TracePacker {
  public:
    TracePacker(const Trace& trace, const WhorlPacking& packing);
    ~TracePacker();
    TracePacker(const TracePacker&) = delete;
    TracePacker& operator=(const TracePacker&) = delete;

    bool done() const;
    /// Packs the next stretch; nothing if it was cancelled. Progress advances by its accesses.
    std::optional<PackedBatch> next(Progress& progress);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace whorl::sim
