// How a machine in the middle of a trace differs from itself at an earlier moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/cache/hierarchy_patch.h"
#include "sim/replay/simulator.h"

namespace whorl::sim {

class SimulatorPatch {
  public:
    /// What makes `after` of `before`. `touched`: what was heard in between; when it is null, all is compared.
    SimulatorPatch(const Simulator& before, const Simulator& after, const TouchedSets* touched);
    /// What does the same as one patch and then the next.
    SimulatorPatch(const SimulatorPatch& first, const SimulatorPatch& second);

    void applyTo(Simulator& state) const;
    /// What it takes, in bytes.
    std::size_t bytes() const;

  private:
    HierarchyPatch hierarchy_;
    // As they are afterwards.
    Counters counters_;
    std::vector<Cycles> clocks_;
    std::uint64_t played_;
};

}  // namespace whorl::sim
