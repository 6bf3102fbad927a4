// What is reported about a cache: one list for the text table, for JSON and for CSV; and cells that several tables
// have. For this folder's sources only.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cache/counters.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/totals/ledger.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

struct CounterRow {
    std::string_view key;    ///< in JSON and CSV
    std::string_view words;  ///< in the text table
    std::uint64_t (*value)(const CacheCounters&);
    /// Whether a machine can have any, so that the table shows it.
    bool (*possible)(const MachineConfig&);
};

inline bool always(const MachineConfig&) {
    return true;
}
inline bool never(const MachineConfig&) {
    return false;
}
template <class Of>
bool anyLevel(const MachineConfig& machine, Of&& of) {
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        if (of(l)) return true;
    }
    return false;
}
inline bool isCoherent(const MachineConfig& m) {
    return m.isCoherent();
}
inline bool isInclusive(const MachineConfig& m) {
    return anyLevel(m, [&](std::size_t l) { return m.levels[l].inclusion == Inclusion::inclusive; });
}
inline bool isBounded(const MachineConfig& m) {
    return m.memory.isBounded();
}
inline bool isExclusive(const MachineConfig& m) {
    return anyLevel(m, [&](std::size_t l) { return m.levels[l].inclusion == Inclusion::exclusive; });
}
inline bool passesWrites(const MachineConfig& m) {
    return anyLevel(m, [&](std::size_t l) { return m.levels[l].passesWrites(); });
}
inline bool prefetches(const MachineConfig& m) {
    return anyLevel(m, [&](std::size_t l) { return m.levels[l].prefetch != Prefetcher::none; });
}

/// The first seven are the oldest, and other code relies on their order.
inline constexpr std::array<CounterRow, 19> kCounterRows = {{
    {"accesses", "accesses", [](const CacheCounters& c) { return c.accesses(); }, always},
    {"hits", "hits", [](const CacheCounters& c) { return c.hits(); }, always},
    {"misses", "misses", [](const CacheCounters& c) { return c.misses(); }, always},
    {"read_misses", "read misses", [](const CacheCounters& c) { return c.readMisses; }, always},
    {"write_misses", "write misses", [](const CacheCounters& c) { return c.writeMisses; }, always},
    {"evictions", "evictions", [](const CacheCounters& c) { return c.evictions; }, always},
    {"writebacks", "write-backs", [](const CacheCounters& c) { return c.writebacks; }, always},
    {"write_throughs", "write-throughs", [](const CacheCounters& c) { return c.writeThroughs; }, passesWrites},
    {"reads", "reads", [](const CacheCounters& c) { return c.reads; }, never},
    {"writes", "writes", [](const CacheCounters& c) { return c.writes; }, never},
    {"fills", "fills", [](const CacheCounters& c) { return c.fills; }, never},
    {"invalidations", "invalidations", [](const CacheCounters& c) { return c.invalidations; }, isCoherent},
    {"downgrades", "downgrades", [](const CacheCounters& c) { return c.downgrades; }, isCoherent},
    {"upgrades", "upgrades", [](const CacheCounters& c) { return c.upgrades; }, isCoherent},
    {"back_invalidations", "back-invalidations", [](const CacheCounters& c) { return c.backInvalidations; },
     isInclusive},
    {"paged_out", "left with their page", [](const CacheCounters& c) { return c.pagedOut; }, isBounded},
    {"moves", "moved nearer", [](const CacheCounters& c) { return c.moves; }, isExclusive},
    {"prefetches", "prefetches", [](const CacheCounters& c) { return c.prefetches; }, prefetches},
    {"useful_prefetches", "… that were used", [](const CacheCounters& c) { return c.usefulPrefetches; }, prefetches},
}};

/// A figure reported for the use of the blocks of a cache.
struct UseRow {
    std::string_view key;
    std::string_view words;
    std::uint64_t (*value)(const StaySum&, std::uint32_t block);
};
inline constexpr std::array<UseRow, 3> kUseRows = {{
    {"used_bytes", "bytes used", [](const StaySum& s, std::uint32_t) { return s.usedBytes; }},
    {"unused_bytes", "bytes unused", [](const StaySum& s, std::uint32_t block) { return s.unusedBytes(block); }},
    {"saved_by_full_use", "fills full use would save",
     [](const StaySum& s, std::uint32_t block) { return s.savedByFullUse(block); }},
}};

/// A ratio; 0 if there were no accesses.
inline double perAccess(std::uint64_t cycles, std::uint64_t accesses) {
    return accesses == 0 ? 0.0 : static_cast<double>(cycles) / static_cast<double>(accesses);
}

/// "24 %", "0.4 %".
inline std::string inPercent(double part, double whole) {
    const double share = whole == 0 ? 0.0 : 100 * part / whole;
    const double size = std::abs(share);
    return fmt::format("{:.{}f} %", share, size < 9.95 && size > 0 ? 1 : 0);
}

/// "+24 %", "-24 %": a share that is a change, of which only a decrease has a sign.
inline std::string withSign(std::string share, double change) {
    return change > 0 && !share.starts_with("0 ") ? "+" + std::move(share) : share;
}

/// Whether inPercent() rounds a share to nothing, so that no sentence has a use for it.
inline bool isNothing(double part, double whole) {
    return whole == 0 || std::abs(part) / whole < 0.0005;
}

/// "24 %", "less than 0.1 %", "none".
inline std::string shareInWords(double part, double whole) {
    if (part == 0) return "none";
    return isNothing(part, whole) ? "less than 0.1 %" : inPercent(part, whole);
}

inline std::string regionName(const Trace& trace, std::size_t region) {
    return region < trace.regions().size() ? trace.regions()[region].name : "(no region)";
}

/// Adds the cells for how the blocks of a level were used: fills, bytes used, and the share of the bytes in percent.
inline void addUse(std::vector<Cell>& cells, const StaySum& stays, const LevelConfig& level) {
    cells.emplace_back(stays.fills);
    cells.emplace_back(stays.usedBytes);
    cells.emplace_back();
    if (stays.fills > 0) cells.back() = 100 * stays.utilization(level.block);
}

/// The use of the blocks of one cache.
inline StaySum staysOf(const Ledger& ledger, const MachineConfig& machine, std::size_t level, std::size_t cache) {
    return ledger.stays[machine.firstCache(level) + cache];
}

/// The misses of one cache by kind.
inline std::array<std::uint64_t, kMissKinds> kindsOf(const Ledger& ledger, const MachineConfig& machine,
                                                     std::size_t level, std::size_t cache) {
    std::array<std::uint64_t, kMissKinds> kinds{};
    for (const SetTally& set : ledger.sets[machine.firstCache(level) + cache]) {
        for (std::size_t k = 0; k < kMissKinds; ++k) kinds[k] += set.misses[k];
    }
    return kinds;
}

}  // namespace whorl::sim
