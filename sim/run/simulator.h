// A machine in the middle of a trace: the caches as they stand and the counts so far. A plain value.
#pragma once

#include "sim/cache/hierarchy.h"
#include "sim/measure/counters.h"

namespace whorl::sim {

class Simulator {
  public:
    explicit Simulator(const MachineConfig& machine) : hierarchy_(machine), counters_(machine.levels.size()) {}

    template <class On>
    void step(const Access& a, On&& on) {
        counters_.count(a);
        hierarchy_.access(a, [&](const Event& e) {
            counters_.count(e);
            on(e);
        });
    }
    void step(const Access& a) {
        step(a, [](const Event&) {});
    }

    const Hierarchy& hierarchy() const { return hierarchy_; }
    const Counters& counters() const { return counters_; }
    bool operator==(const Simulator&) const = default;

  private:
    Hierarchy hierarchy_;
    Counters counters_;
};

}  // namespace whorl::sim
