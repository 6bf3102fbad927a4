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

Measures measuresOf(const MachineConfig& machine, const MachineSums& sums, bool isTimed) {
    Measures measures{
        .machine = machine, .counters = sums.counters, .cycles = sums.clocks, .ledger = nullptr, .elapsed = {}};
    if (!isTimed) measures.elapsed = sums.time();
    return measures;
}

}  // namespace whorl::sim
