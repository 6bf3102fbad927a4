#include "sim/analysis/cycle_classes.h"

namespace whorl::sim {

CycleClasses::CycleClasses(const MachineConfig& machine)
    : levels_(machine.levels.size()),
      isCoherent_(machine.isCoherent()),
      hasOverhead_(machine.tlb.walk > 0 || machine.memory.fault > 0 || machine.writebackLatency > 0),
      hasOthers_(machine.cpus > 1) {
    for (const LevelConfig& level : machine.levels) names_.push_back(level.name);
}

bool CycleClasses::isPossible(std::size_t c) const {
    if (c == coherence()) return isCoherent_;
    if (c == overhead()) return hasOverhead_;
    return c < coherence() || hasOthers_;
}

std::string CycleClasses::words(std::size_t c) const {
    if (c == work()) return "work";
    if (c < served(levels_)) return names_[c - 1];
    if (c == served(levels_)) return "memory";
    if (c == coherence()) return "coherence";
    if (c == overhead()) return "paging, write-backs";
    if (c == locks()) return "at locks";
    if (c == barriers()) return "at barriers";
    return c == otherWaits() ? "other waits" : "idle";
}

std::string CycleClasses::key(std::size_t c) const {
    if (c == overhead()) return "overhead_cycles";
    if (c == locks()) return "lock_cycles";
    if (c == barriers()) return "barrier_cycles";
    if (c == otherWaits()) return "other_wait_cycles";
    return words(c) + "_cycles";
}

}  // namespace whorl::sim
