// What lies over the cells of memory: boundaries, the states of pages, outlines with names, lines of conflict, and the
// marks of what is picked or watched.
#pragma once

#include <optional>
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
    /// `activity` is null for a view over a range. All must outlive it.
    MemoryOverlays(const sim::Trace& trace, const sim::MachineConfig& machine, const CellChoice& choice,
                   scene::Ground ground, const sim::Activity* activity)
        : trace_(trace), machine_(machine), choice_(choice), ground_(ground), activity_(activity) {}

    /// The signs of the lines, for the key. `isLive`: of a view at a moment.
    static std::vector<scene::CellKey::Sign> signs(const sim::MachineConfig& machine, const CellChoice& choice,
                                                   scene::Ground ground, bool isLive);
    void addTo(scene::MemoryPicture& picture, const scene::CellMoment& moment, const CellMarks& marks) const;

  private:
    void addBoundaries(scene::MemoryPicture& picture) const;
    void addPages(scene::MemoryPicture& picture) const;
    void addOutlines(scene::MemoryPicture& picture) const;
    void addConflicts(scene::MemoryPicture& picture, const scene::CellMoment& moment) const;
    void addMarks(scene::MemoryPicture& picture, const CellMarks& marks) const;

    const sim::Trace& trace_;
    const sim::MachineConfig& machine_;
    const CellChoice& choice_;
    scene::Ground ground_;
    const sim::Activity* activity_;
};

}  // namespace whorl::app
