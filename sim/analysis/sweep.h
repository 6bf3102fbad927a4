// A sweep: one trace on many machines that differ in a few values, in all combinations. It can be split into shards,
// which are measured separately and merged; see sim/report/sweep_report.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A key of a machine (see withValue) and its values.
struct Axis {
    std::string key;
    std::vector<std::string> values;
};

/// Parses "L1.ways=1,2,4". An error when the values are invalid.
Expected<Axis> axisOf(std::string_view words);

/// Every n-th point, from a given one on.
struct Shard {
    std::uint64_t index = 1;  ///< from 1
    std::uint64_t count = 1;
};

/// Parses "2/3"; an error for anything else.
Expected<Shard> shardOf(std::string_view words);

inline constexpr std::uint64_t kMaxPoints = 1'000'000;

/// The points are all combinations of the axes' values; the last axis changes fastest. Numbered from 0 here, and from 1
/// in reports.
class Sweep {
  public:
    /// An error when a key occurs twice or is not one of the machine, or when there are too many points.
    static Expected<Sweep> of(MachineConfig base, std::vector<Axis> axes);

    const MachineConfig& base() const { return base_; }
    const std::vector<Axis>& axes() const { return axes_; }
    std::uint64_t points() const { return points_; }
    /// One value per axis.
    std::vector<std::string> valuesAt(std::uint64_t point) const;
    /// The machine of a point, or why it is not sound.
    Expected<MachineConfig> machineAt(std::uint64_t point) const;
    /// The points of a shard, ascending.
    std::vector<std::uint64_t> pointsOf(Shard shard) const;

  private:
    Sweep(MachineConfig base, std::vector<Axis> axes, std::uint64_t points)
        : base_(std::move(base)), axes_(std::move(axes)), points_(points) {}

    MachineConfig base_;
    std::vector<Axis> axes_;
    std::uint64_t points_;
};

/// The subject of a sweep: the same for all of its shards.
struct SweepSubject {
    std::string trace;                ///< its name
    std::uint64_t accesses = 0;       ///< number of accesses in the trace
    std::string digest;               ///< digest of the accesses: different for different traces
    Range range;                      ///< the measured range
    std::vector<std::string> extras;  ///< reported in addition to the counts: "kinds", "by region"
};
SweepSubject subjectOf(const Trace& trace, Range range);

}  // namespace whorl::sim
