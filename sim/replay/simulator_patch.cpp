#include "sim/replay/simulator_patch.h"

namespace whorl::sim {

SimulatorPatch::SimulatorPatch(const Simulator& before, const Simulator& after, const TouchedSets* touched)
    : hierarchy_(before.hierarchy_, after.hierarchy_, touched),
      counters_(after.counters_),
      clocks_(after.clocks_),
      played_(after.played_) {}

SimulatorPatch::SimulatorPatch(const SimulatorPatch& first, const SimulatorPatch& second)
    : hierarchy_(first.hierarchy_, second.hierarchy_),
      counters_(second.counters_),
      clocks_(second.clocks_),
      played_(second.played_) {}

void SimulatorPatch::applyTo(Simulator& state) const {
    hierarchy_.applyTo(state.hierarchy_);
    state.counters_ = counters_;
    state.clocks_ = clocks_;
    state.played_ = played_;
}

std::size_t SimulatorPatch::bytes() const {
    std::size_t caches = 0;
    for (std::size_t l = 0; l < counters_.levels(); ++l) caches += counters_.cachesAt(l);
    return sizeof *this - sizeof hierarchy_ + hierarchy_.bytes() + caches * sizeof(CacheCounters) +
           clocks_.size() * sizeof(Cycles);
}

}  // namespace whorl::sim
