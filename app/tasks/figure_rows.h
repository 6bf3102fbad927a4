// The counts of each level as rows of texts, up to the playhead or of a range: what the panel and the page show.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/tasks/figures.h"
#include "sim/replay/snapshot.h"

namespace whorl::app {

/// The counts of a range, whatever their source.
struct Figures {
    sim::Counters counters;
    std::vector<sim::Cycles> cycles;        ///< access cycles, by CPU
    const MissKindCounts* kinds = nullptr;  ///< null while they are unknown
    std::vector<sim::StaySum> stays = {};   ///< by level; empty while they are unknown
    bool kindsAreOld = false;               ///< they are of another time
};
/// Of the accesses that have begun at a time. `kinds`: the last ones that were counted; may be null.
Figures figuresSoFar(const sim::Run& run, const sim::Snapshot& now, const KindsSoFar* kinds);
Figures figuresIn(const RangeFigures& range);

struct FigureRow {
    std::string words;
    std::vector<std::string> cells;        ///< by level; "–" where a number is unknown
    std::string help = {};                 ///< what the words mean; may be empty
    std::optional<std::size_t> kind = {};  ///< the kind of misses that it counts
};
/// Rows that can only be 0 on the machine are left out.
std::vector<FigureRow> figureRows(const Figures& figures, const sim::MachineConfig& machine);

/// Below the rows, a line each: traffic, TLBs, pages.
std::vector<std::string> figureLines(const Figures& figures, const sim::MachineConfig& machine);

}  // namespace whorl::app
