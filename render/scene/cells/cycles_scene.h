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

#include "render/scene/cells/cell_key.h"
#include "render/scene/flat_scene.h"
#include "render/scene/time_axis.h"
#include "sim/analysis/critical_path.h"
#include "sim/analysis/cycle_costs.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

/// What is shown.
struct CyclesSubject {
    const sim::RunCosts& run;
    const sim::CycleCosts& costs;  ///< the run's, or finer ones that hold what is seen
    const sim::Trace& trace;
};

struct CyclesLook {
    glm::ivec2 size{0};
    Ground ground = Ground::dark;
    float text = 14;
    int controls = 0;                ///< room kept under the title, pixels
    TimeSpan seen;                   ///< in cycles
    std::optional<TimeSpan> chosen;  ///< the selected range, in cycles
    bool path = false;               ///< the critical path is drawn
    std::string note;                ///< beside the title
    bool operator==(const CyclesLook&) const = default;
};

/// Where the parts of the picture are.
struct CyclesFrame {
    TimeAxis axis;  ///< in cycles
    PixelBox rows;  ///< all of them
    int rowHeight = 1;
    int gap = 0;             ///< under each row; the path is there
    bool hasAll = false;     ///< the first row is that of all CPUs together
    std::uint32_t cpus = 1;  ///< those there is room for
    PixelBox ruler;
    PixelBox all;                   ///< rows and ruler
    std::optional<PixelBox> table;  ///< of sums; none: there is no room
    int keyTop = 0;

    /// `row` counts from 0, with that of all CPUs.
    PixelBox rowBox(std::size_t row) const;
    std::size_t rowCount() const { return cpus + (hasAll ? 1 : 0); }
    /// The row of a CPU.
    std::size_t rowOf(std::uint32_t cpu) const { return cpu + (hasAll ? 1 : 0); }
};
CyclesFrame cyclesFrame(const CyclesSubject& subject, const CyclesLook& look);

/// The buckets that are seen, [first, last): of them are the sums that are shown.
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
    Buckets buckets;                   ///< of the column
    std::size_t what = 0;              ///< the class under the pixel
    PixelBox box;
};
std::optional<CyclesHit> cyclesAt(const CyclesSubject& subject, const CyclesLook& look, glm::ivec2 at);

/// The sums of a CPU, or of all, over some buckets, by class.
std::vector<sim::Cycles> sumsOf(const sim::CycleCosts& costs, std::optional<std::uint32_t> cpu, const Buckets& buckets);

}  // namespace whorl::scene
