// The counts that everything shown is made of: what each cache and memory saw, summed over accesses.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cache/event.h"
#include "sim/trace/access.h"

namespace whorl::sim {

struct CacheCounters {
    std::uint64_t reads = 0;   ///< block requests that were reads, hit or miss
    std::uint64_t writes = 0;  ///< block requests that were writes
    std::uint64_t readMisses = 0;
    std::uint64_t writeMisses = 0;
    std::uint64_t evictions = 0;   ///< valid blocks that made room, clean or dirty
    std::uint64_t writebacks = 0;  ///< dirty blocks written to the next level

    std::uint64_t accesses() const { return reads + writes; }
    std::uint64_t misses() const { return readMisses + writeMisses; }
    std::uint64_t hits() const { return accesses() - misses(); }
    /// Hits per access, 0 to 1; 0 when there were none.
    double hitRate() const {
        return accesses() == 0 ? 0.0 : static_cast<double>(hits()) / static_cast<double>(accesses());
    }
    bool operator==(const CacheCounters&) const = default;
};

struct MemoryCounters {
    std::uint64_t reads = 0;   ///< blocks fetched by the last level
    std::uint64_t writes = 0;  ///< blocks written back by it
    bool operator==(const MemoryCounters&) const = default;
};

struct Counters {
    std::uint64_t reads = 0;   ///< accesses of the program that were loads
    std::uint64_t writes = 0;  ///< … that were stores
    std::vector<CacheCounters> levels;
    MemoryCounters memory;

    explicit Counters(std::size_t levelCount) : levels(levelCount) {}

    std::uint64_t accesses() const { return reads + writes; }

    void count(const Access& a) { ++(a.isWrite() ? writes : reads); }
    void count(const Event& e) {
        CacheCounters& c = levels[e.level];
        const bool last = e.level + 1u == levels.size();
        switch (e.kind) {
            case EventKind::hit:
                ++(e.write ? c.writes : c.reads);
                break;
            case EventKind::miss:
                ++(e.write ? c.writes : c.reads);
                ++(e.write ? c.writeMisses : c.readMisses);
                if (last) ++memory.reads;
                break;
            case EventKind::eviction:
                ++c.evictions;
                break;
            case EventKind::writeback:
                ++c.writebacks;
                if (last) ++memory.writes;
                break;
            case EventKind::fill:
                break;
        }
    }
    bool operator==(const Counters&) const = default;
};

}  // namespace whorl::sim
