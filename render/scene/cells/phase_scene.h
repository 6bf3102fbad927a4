// The phases of a run: its accesses, or those that are seen, in rows of equal length, one below the other, with the
// miss rate or the misses of each stretch as intensity. Loops of that length stand as columns, other periods as
// slanting stripes, phases as bands. Rows that fit hold whole turns of a loop, if there is one; else the key notes that
// the pattern comes from the rows.
//
// After FlameScope (B. Gregg, M. Spier), which folds seconds so.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "render/scene/cells/chart.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/totals/overview.h"

namespace whorl::scene {

enum class PhaseShows : std::uint8_t { missRate, misses };

struct PhaseSubject {
    const sim::Overview& overview;
    const sim::MachineConfig& machine;
    std::uint64_t accesses = 0;            ///< accesses of the trace
    std::uint64_t built = 0;               ///< accesses from the start that the overview covers already
    std::span<const std::uint64_t> loops;  ///< lengths of the trace's loops, accesses, from loopsOf()
};

struct PhaseLook : ChartLook {
    std::uint64_t rowLength = 0;  ///< accesses; 0: chosen to fit
    std::size_t level = 0;
    PhaseShows shows = PhaseShows::missRate;
    std::optional<TimeSpan> seen;    ///< accesses; none: all
    std::optional<TimeSpan> chosen;  ///< the selected range
    /// With several runs beside each other: the accesses of the longest, so that the rows of all runs have one length.
    std::uint64_t longest = 0;
    bool operator==(const PhaseLook&) const = default;
};

/// Where the rows are.
struct PhaseFrame : ChartFrame {
    ChartRows rows = {};
    int cellWidth = 1;
    std::uint64_t first = 0;      ///< the access that the first row begins with
    std::uint64_t end = 1;        ///< accesses before the end of what is shown
    std::uint64_t rowLength = 1;  ///< accesses
    std::uint64_t loop = 0;       ///< length of the loop of which a row holds whole turns, accesses; 0: no loop
    std::uint64_t columns = 1;

    /// The accesses of a cell: [from, to).
    TimeSpan spanOf(std::uint64_t row, std::uint64_t column) const;
};
PhaseFrame phaseFrame(const PhaseSubject& subject, const PhaseLook& look);

/// The largest value in the picture.
float phaseMost(const PhaseSubject& subject, const PhaseLook& look);

/// The picture, with the playhead at `t`.
FlatScene phaseScene(const PhaseSubject& subject, const PhaseLook& look, double t);

/// The accesses of the cell at a pixel.
std::optional<TimeSpan> phaseAt(const PhaseSubject& subject, const PhaseLook& look, glm::ivec2 at);

}  // namespace whorl::scene
