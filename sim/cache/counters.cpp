#include "sim/cache/counters.h"

namespace whorl::sim {

namespace {

/// Calls f(a.field, b.field) for each counter.
template <class F>
void forFields(CacheCounters& a, const CacheCounters& b, F&& f) {
    for (const auto field :
         {&CacheCounters::reads, &CacheCounters::writes, &CacheCounters::readMisses, &CacheCounters::writeMisses,
          &CacheCounters::fills, &CacheCounters::evictions, &CacheCounters::writebacks, &CacheCounters::invalidations,
          &CacheCounters::backInvalidations, &CacheCounters::pagedOut, &CacheCounters::downgrades,
          &CacheCounters::upgrades, &CacheCounters::moves, &CacheCounters::prefetches, &CacheCounters::usefulPrefetches,
          &CacheCounters::writeThroughs, &CacheCounters::writeThroughBytes}) {
        f(a.*field, b.*field);
    }
}

}  // namespace

CacheCounters& CacheCounters::operator+=(const CacheCounters& o) {
    forFields(*this, o, [](std::uint64_t& a, std::uint64_t b) { a += b; });
    return *this;
}

CacheCounters& CacheCounters::operator-=(const CacheCounters& o) {
    forFields(*this, o, [](std::uint64_t& a, std::uint64_t b) { a -= b; });
    return *this;
}

Counters::Counters(const MachineConfig& machine)
    : tlbMisses(machine.tlb.entries > 0 ? machine.cpus : 0, 0),
      pageFaults(machine.memory.isBounded() ? machine.cpus : 0, 0),
      pageWritebacks(pageFaults),
      conventions_(machine.conventions) {
    std::size_t caches = 0;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        first_.push_back(caches);
        caches += machine.caches(l);
    }
    caches_.resize(caches);
}

CacheCounters Counters::level(std::size_t level) const {
    CacheCounters sum;
    for (std::size_t i = 0; i < cachesAt(level); ++i) sum += cache(level, i);
    return sum;
}

void Counters::count(const Event& e) {
    if (e.isInCache()) {
        count(e, cache(e.level, e.cache));
    } else if (e.kind == EventKind::memory) {
        ++(e.write ? memory.writes : memory.reads);
    } else if (e.kind == EventKind::tlbMiss) {
        ++tlbMisses[e.cache];
    } else if (e.kind == EventKind::pageFault) {
        ++pageFaults[e.cache];
    } else if (e.kind == EventKind::pageOut) {
        pageWritebacks[e.cache] += e.dirty;
    }
}

void Counters::count(const Event& e, CacheCounters& c) {
    switch (e.kind) {
        case EventKind::hit:
        case EventKind::miss:
            if (e.counts()) ++(e.write ? c.writes : c.reads);
            if (e.counts() && e.kind == EventKind::miss) ++(e.write ? c.writeMisses : c.readMisses);
            c.usefulPrefetches += e.useful;
            break;
        case EventKind::fill:
            ++c.fills;
            break;
        case EventKind::eviction:
            ++c.evictions;
            break;
        case EventKind::writeback:
            ++c.writebacks;
            break;
        case EventKind::invalidation:
            ++(e.cause == Cause::coherence   ? c.invalidations
               : e.cause == Cause::inclusion ? c.backInvalidations
                                             : c.pagedOut);
            break;
        case EventKind::downgrade:
            ++c.downgrades;
            break;
        case EventKind::upgrade:
            ++c.upgrades;
            break;
        case EventKind::moved:
            ++c.moves;
            break;
        case EventKind::prefetch:
            ++c.prefetches;
            break;
        case EventKind::writeThrough:
            ++c.writeThroughs;
            c.writeThroughBytes += e.bytes();
            break;
        default:
            break;
    }
}

Counters& Counters::operator-=(const Counters& earlier) {
    reads -= earlier.reads;
    writes -= earlier.writes;
    memory.reads -= earlier.memory.reads;
    memory.writes -= earlier.memory.writes;
    for (std::size_t i = 0; i < tlbMisses.size(); ++i) tlbMisses[i] -= earlier.tlbMisses[i];
    for (std::size_t i = 0; i < pageFaults.size(); ++i) {
        pageFaults[i] -= earlier.pageFaults[i];
        pageWritebacks[i] -= earlier.pageWritebacks[i];
    }
    for (std::size_t i = 0; i < caches_.size(); ++i) caches_[i] -= earlier.caches_[i];
    return *this;
}

}  // namespace whorl::sim
