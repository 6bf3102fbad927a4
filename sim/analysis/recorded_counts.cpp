#include "sim/analysis/recorded_counts.h"

#include <algorithm>

namespace whorl::sim {

namespace {

void count(RecordedCache& cache, const RecordedEvent& e) {
    const std::uint64_t privately = e.privately ? 1 : 0;
    switch (e.kind) {
        case RecordedEvent::Kind::load:
            ++cache.loads;
            cache.exclusiveLoads += privately;
            break;
        case RecordedEvent::Kind::replace:
            ++cache.replacements;
            cache.dirtyReplacements += privately;
            break;
        case RecordedEvent::Kind::invalidate:
            ++cache.invalidations;
            cache.dirtyInvalidations += privately;
            break;
        case RecordedEvent::Kind::protect:
            ++cache.upgrades;
            break;
        case RecordedEvent::Kind::wait:
            break;
    }
}

}  // namespace

RecordedCache& RecordedCache::operator+=(const RecordedCache& more) {
    loads += more.loads;
    exclusiveLoads += more.exclusiveLoads;
    replacements += more.replacements;
    dirtyReplacements += more.dirtyReplacements;
    invalidations += more.invalidations;
    dirtyInvalidations += more.dirtyInvalidations;
    upgrades += more.upgrades;
    return *this;
}

RecordedCache RecordedLevel::ofAll() const {
    RecordedCache sum;
    for (const RecordedCache& cache : caches) sum += cache;
    return sum;
}

RecordedCpu RecordedCounts::ofAllCpus() const {
    RecordedCpu sum;
    for (const RecordedCpu& cpu : cpus) {
        sum.reads += cpu.reads;
        sum.writes += cpu.writes;
        sum.waits += cpu.waits;
        sum.cycles += cpu.cycles;
    }
    return sum;
}

RecordedCounts recordedCounts(const Trace& trace, const History& recorded) {
    const Range range{recorded.from, recorded.to};
    RecordedCounts counts;
    counts.elapsed = recorded.end - recorded.begin;
    counts.cpus.resize(recorded.cpus);
    counts.regions.resize(trace.regions().size() + 1);
    for (const HistoryLevel& level : recorded.levels) {
        counts.levels.push_back({.name = level.name,
                                 .blockSize = level.blockSize,
                                 .cpusPerCache = level.cpusPerCache,
                                 .caches = std::vector<RecordedCache>(level.caches)});
    }
    std::vector<Cycles> waited(range.size(), 0);
    for (const RecordedEvent& e : trace.recording()->events) {
        if (e.access < range.from || e.access >= range.to) continue;
        if (e.kind == RecordedEvent::Kind::wait) {
            waited[e.access.value - range.from.value] += e.cycles;
        } else if (e.level < counts.levels.size() && e.cache < counts.levels[e.level].caches.size()) {
            count(counts.levels[e.level].caches[e.cache], e);
        }
    }
    trace.forEach(range.from, range.to, [&](Tick t, const Access& a) {
        if (a.unrecorded) return;
        const Cycles cycles = waited[t.value - range.from.value];
        RecordedCpu& cpu = counts.cpus[a.cpu];
        ++(a.isWrite() ? cpu.writes : cpu.reads);
        cpu.waits += cycles > 0 ? 1 : 0;
        cpu.cycles += cycles;
        counts.regions[trace.regionAt(a.address)] += Cost{.accesses = 1, .cycles = cycles};
    });
    return counts;
}

}  // namespace whorl::sim
