// The difference between a machine at one tick of a trace and at a later one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/cache/hierarchy_patch.h"
#include "sim/replay/simulator.h"

namespace whorl::sim {

class SimulatorPatch {
  public:
    /// Turns `before` into `after`. `touched`: the sets of the events in between; when null, all sets are compared.
    SimulatorPatch(const Simulator& before, const Simulator& after, const TouchedSets* touched);
    /// Equivalent to applying one patch and then the next.
    SimulatorPatch(const SimulatorPatch& first, const SimulatorPatch& second);

    void applyTo(Simulator& state) const;
    /// The size in bytes.
    std::size_t bytes() const;

  private:
    HierarchyPatch hierarchy_;
    // The values afterwards.
    Counters counters_;
    std::vector<Cycles> clocks_;
    std::uint64_t played_;
};

}  // namespace whorl::sim
