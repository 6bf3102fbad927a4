// Maps the numbers of a view of cells to colours, and makes the key for them.
#pragma once

#include <cstddef>

#include "app/session/view_settings.h"
#include "render/scene/cells/cell_scene.h"
#include "render/scene/cells/chart.h"
#include "render/scene/region_looks.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::app {

struct Colouring {
    scene::EntryColour colourOf;
    scene::CellKey key;
};

/// What colours depend on.
struct ColouringOf {
    scene::CellQuantity quantity;
    scene::CellDisplay display = scene::CellDisplay::memory;
    const CellChoice& choice;
    const sim::MachineConfig& machine;
    const sim::Trace& trace;
    scene::Ground ground = scene::Ground::dark;
    const scene::RegionLooks& looks;
    const scene::ChosenHues& hues;
    float least = 0;       ///< the smallest value that cells have, where all have one
    float most = 1;        ///< the largest value, of all runs beside each other
    std::size_t runs = 1;  ///< number of runs that share this scale
};

Colouring colouringOf(const ColouringOf& of);

}  // namespace whorl::app
