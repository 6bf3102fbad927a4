#include "sim/analysis/traffic.h"

namespace whorl::sim {

Traffic trafficOf(const Counters& counters, const MachineConfig& machine, std::size_t level) {
    const std::uint64_t unit = level == 0 ? kMemoryWord : machine.levels[level - 1].block;
    CacheCounters nearer;
    if (level > 0) nearer = counters.level(level - 1);
    Traffic traffic;
    if (level == machine.levels.size()) {
        traffic.reads = counters.memory.reads;
        traffic.writes = counters.memory.writes;
    } else {
        const CacheCounters own = counters.level(level);
        const bool isExclusive = machine.levels[level].inclusion == Inclusion::exclusive;
        traffic.reads = isExclusive ? own.moves : own.reads;
        traffic.writes = own.writes + (isExclusive ? own.fills : 0);
    }
    traffic.readBytes = traffic.reads * unit;
    traffic.writtenBytes = (traffic.writes - nearer.writeThroughs) * unit + nearer.writeThroughBytes;
    return traffic;
}

std::string TrafficRow::wordsFor(const MachineConfig& machine, std::size_t level) const {
    return std::string(words) + " " + machine.levelName(level);
}

}  // namespace whorl::sim
