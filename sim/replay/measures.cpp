#include "sim/replay/measures.h"

#include <numeric>

namespace whorl::sim {

Cycles Measures::cyclesOfAll() const {
    return std::accumulate(cycles.begin(), cycles.end(), Cycles{0});
}

double Measures::cyclesPerAccess() const {
    const std::uint64_t accesses = counters.accesses();
    return accesses == 0 ? 0.0 : static_cast<double>(cyclesOfAll()) / static_cast<double>(accesses);
}

Measures& Measures::operator-=(const Measures& part) {
    counters -= part.counters;
    for (std::size_t cpu = 0; cpu < cycles.size(); ++cpu) cycles[cpu] -= part.cycles[cpu];
    if (elapsed && part.elapsed) *elapsed -= *part.elapsed;
    return *this;
}

Measures measuresOf(const Simulator& machine, bool isTimed) {
    Measures measures{
        .machine = machine.machine(), .counters = machine.counters(), .cycles = {}, .ledger = nullptr, .elapsed = {}};
    for (std::uint32_t cpu = 0; cpu < measures.machine.cpus; ++cpu) measures.cycles.push_back(machine.clock(cpu));
    if (!isTimed) measures.elapsed = machine.time();
    return measures;
}

}  // namespace whorl::sim
