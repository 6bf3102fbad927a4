// The history of a place over time: a bar for each access, as high as its penalty and in the colour of the level that
// served it; above, the names of what lived there; below, when its blocks were in the caches, or which blocks lived in
// the cell. Bars closer than three pixels are folded: a folded one shows the highest penalty and the farthest level of
// its accesses. Names that have no room in their times stand over several of them, in runs: "a b c ×4".
//
// Source: K. Proudfoot, "Visualizing Memory Hierarchies" (memory cell history display).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/cells/chart.h"
#include "render/scene/region_looks.h"
#include "sim/analysis/place_history.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

struct HistorySubject {
    const sim::PlaceHistory& history;
    const sim::Trace& trace;
    const sim::MachineConfig& machine;
    const RegionLooks& looks;
};

struct HistoryLook : ChartLook {
    std::string title;
    TimeSpan span;                   ///< seen
    std::optional<TimeSpan> chosen;  ///< the selected range, in another colour
    ChosenHues hues;
    bool operator==(const HistoryLook&) const = default;
};

/// Where the parts of the picture are.
struct HistoryFrame : TimeFrame {
    PixelBox names = {};
    PixelBox plot = {};    ///< bars stand on its lower edge
    ChartRows stays = {};  ///< a row a level, or one for a cell of a cache
};
HistoryFrame historyFrame(const HistorySubject& subject, const HistoryLook& look);

/// The penalty of the highest bar, cycles; 1 at least.
sim::Cycles highestOf(const sim::PlaceHistory& history);

/// The picture without the playhead.
FlatScene historyScene(const HistorySubject& subject, const HistoryLook& look);

/// Names one after the other, with what is repeated once: "x, a b c ×4, z".
std::string inRuns(const std::vector<std::string>& names);

/// The accesses of the bar at a pixel: indices [first, last) into the history.
struct HistoryBar {
    std::size_t first = 0;
    std::size_t last = 0;
    PixelBox box;
};
std::optional<HistoryBar> barAt(const HistorySubject& subject, const HistoryLook& look, glm::ivec2 at);
/// The stay at a pixel: an index into the history.
std::optional<std::size_t> stayAt(const HistorySubject& subject, const HistoryLook& look, glm::ivec2 at);

}  // namespace whorl::scene
