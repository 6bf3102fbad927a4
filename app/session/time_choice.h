// Settings of the pictures over time: which stretch they show, whose history is told, how the phases are folded. Plain
// data.
#pragma once

#include <cstdint>
#include <optional>

#include "render/scene/cells/phase_scene.h"
#include "sim/analysis/place.h"
#include "sim/base/types.h"

namespace whorl::app {

/// A view of a history.
struct HistoryChoice {
    std::optional<sim::Place> place;  ///< kept; none: follows what is picked
    std::optional<sim::Range> range;  ///< pinned, as that of other views
    bool operator==(const HistoryChoice&) const = default;
};

struct PhaseChoice {
    std::uint64_t rowLength = 0;  ///< accesses; 0: fitting
    std::uint8_t level = 0;
    scene::PhaseShows shows = scene::PhaseShows::missRate;
    bool operator==(const PhaseChoice&) const = default;
};

}  // namespace whorl::app
