#include "sim/cache/simple_counts.h"

namespace whorl::sim {

void countSimple(const SimpleRun& run, const MachineConfig& machine, Counters& counters, Cycles& clock) {
    const SimpleCounts& memory = run.counts[run.levels];
    counters.reads += run.reads;
    counters.writes += run.writes;
    counters.memory.reads += memory.readHits;
    counters.memory.writes += memory.writeHits;
    clock += (memory.readHits - memory.idleReads) * machine.memoryLatency;
    std::uint64_t evictions = 0;  // evictions of the nearer level
    for (std::size_t l = 0; l < run.levels; ++l) {
        const SimpleCounts& from = run.counts[l];
        CacheCounters& to = counters.cache(l, 0);
        const bool isExclusive = machine.levels[l].inclusion == Inclusion::exclusive;
        const std::uint64_t fills = isExclusive ? evictions : from.readMisses + from.writeMisses;
        const std::uint64_t reads = from.readHits + from.readMisses;
        const std::uint64_t writes = from.writeHits + from.writeMisses;
        evictions = fills - from.newWays;
        to.reads += reads;
        to.writes += writes;
        to.readMisses += from.readMisses;
        to.writeMisses += from.writeMisses;
        to.fills += fills;
        to.evictions += evictions;
        to.writebacks += from.writebacks;
        to.backInvalidations += from.backInvalidations;
        to.moves += isExclusive ? from.readHits : 0;
        // Beyond the nearest level all writes are write-backs, for which no CPU waits.
        clock += (l == 0 ? reads + writes : reads - from.idleReads) * machine.levels[l].latency;
        clock += from.writebacks * machine.writebackLatency;
    }
}

}  // namespace whorl::sim
