// What lies over the cells of memory: boundaries, the states of pages, outlines with names, lines of conflict, and the
// marks of what is picked or watched.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/selection.h"
#include "app/session/view_settings.h"
#include "render/scene/cells/cell_measures.h"
#include "render/scene/cells/cell_scene.h"
#include "sim/analysis/activity.h"
#include "sim/analysis/place.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::app {

/// What is lit in all views of cells.
struct CellMarks {
    std::optional<ObjectPick> object;
    std::optional<sim::Place> place;
    std::optional<sim::ByteAddress> marked;
    std::vector<sim::ByteAddress> watched;
    bool operator==(const CellMarks&) const = default;
};

class MemoryOverlays {
  public:
    /// `activity` is null for a view over a range; for the key, also for one at a moment. All must outlive it.
    MemoryOverlays(const sim::Trace& trace, const sim::MachineConfig& machine, const CellChoice& choice,
                   scene::Ground ground, bool isLive, const sim::Activity* activity = nullptr)
        : trace_(trace), machine_(machine), choice_(choice), ground_(ground), isLive_(isLive), activity_(activity) {}

    /// The signs of the lines, for the key. `flow`: those of boundaries that have no room in it are left out; null: all
    /// that there may be.
    std::vector<scene::CellKey::Sign> signs(const scene::CellFlow* flow, const scene::MemoryShape& shape,
                                            const CellMarks& marks) const;
    void addTo(scene::MemoryPicture& picture, const scene::CellMoment& moment, const CellMarks& marks) const;

  private:
    /// The boundaries that are chosen, with their names.
    std::vector<std::pair<std::string, scene::CellBoundary>> boundaries() const;
    void addBoundaries(scene::MemoryPicture& picture) const;
    void addPages(scene::MemoryPicture& picture) const;
    void addOutlines(scene::MemoryPicture& picture) const;
    void addConflicts(scene::MemoryPicture& picture, const scene::CellMoment& moment) const;
    void addMarks(scene::MemoryPicture& picture, const CellMarks& marks) const;

    const sim::Trace& trace_;
    const sim::MachineConfig& machine_;
    const CellChoice& choice_;
    scene::Ground ground_;
    bool isLive_;
    const sim::Activity* activity_;
};

}  // namespace whorl::app
