// Costs over time as a picture: a row a CPU along the cycles of the run, and one of all CPUs together; in each, from
// its lower edge up, the share of each class in the cycles of a column. The classes stand in the same order everywhere:
// what the CPU does at its foot, what it waits for above, idling at the top. Beside the rows, the sums over what is
// shown.
//
// The critical path is a line along the rows; where it goes over to another CPU, a line leads there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/cells/chart.h"
#include "sim/analysis/critical_path.h"
#include "sim/analysis/cycle_costs.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

struct CyclesSubject {
    const sim::RunCosts& run;
    const sim::CycleCosts& costs;  ///< the run's, or finer ones that hold what is seen
    const sim::Trace& trace;
};

struct CyclesLook : ChartLook {
    TimeSpan seen;                          ///< in cycles
    std::optional<TimeSpan> chosen;         ///< the selected range, in cycles
    bool path = false;                      ///< the critical path is drawn
    std::optional<std::uint32_t> cpu = {};  ///< whose sums are in the table; none: those of all CPUs
    bool operator==(const CyclesLook&) const = default;
};

/// Where the parts of the picture are; its axis measures cycles.
struct CyclesFrame : TimeFrame {
    ChartRows rows = {};                 ///< the critical path runs in the gaps
    bool hasAll = false;                 ///< the first row is that of all CPUs together
    std::optional<PixelBox> table = {};  ///< place of the table of sums; none: no room

    /// The number of CPUs that have a row.
    std::uint32_t cpus() const { return static_cast<std::uint32_t>(rows.count - (hasAll ? 1 : 0)); }
    std::size_t rowOf(std::uint32_t cpu) const { return cpu + (hasAll ? 1 : 0); }
    /// The CPU of a row; none: all CPUs together.
    std::optional<std::uint32_t> cpuOf(std::size_t row) const;
};
CyclesFrame cyclesFrame(const CyclesSubject& subject, const CyclesLook& look);

/// The visible buckets, [first, last): the sums in the table are over these.
struct Buckets {
    std::size_t first = 0;
    std::size_t last = 0;
};
Buckets seenBuckets(const CyclesSubject& subject, const CyclesFrame& frame);

/// The picture without the playhead.
FlatScene cyclesScene(const CyclesSubject& subject, const CyclesLook& look);

/// What is at a pixel.
struct CyclesHit {
    std::optional<std::uint32_t> cpu;  ///< none: all
    Buckets buckets;                   ///< buckets of the column
    std::size_t what = 0;              ///< the class under the pixel
    PixelBox box;
};
std::optional<CyclesHit> cyclesAt(const CyclesSubject& subject, const CyclesLook& look, glm::ivec2 at);

/// The sums of a CPU, or of all, over some buckets, by class.
std::vector<sim::Cycles> sumsOf(const sim::CycleCosts& costs, std::optional<std::uint32_t> cpu, const Buckets& buckets);

}  // namespace whorl::scene
