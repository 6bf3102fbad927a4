#include "app/views/cells/describe_cell.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/report.h"

namespace whorl::app {

namespace {

using sim::grouped;

std::string percent(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

std::string addressLine(const sim::Place& cell) {
    return fmt::format("{} bytes at {:#x}", grouped(cell.bytes), cell.from.value);
}

/// The names of regions, a few of many.
std::string namesOf(const std::vector<std::uint32_t>& regions, const sim::Trace& trace) {
    constexpr std::size_t kMax = 5;
    std::string names;
    for (std::size_t i = 0; i < std::min(kMax, regions.size()); ++i) {
        const bool known = regions[i] < trace.regions().size();
        names += (names.empty() ? "" : ", ") + (known ? trace.regions()[regions[i]].name : "(no region)");
    }
    return regions.size() > kMax ? names + ", …" : names;
}

}  // namespace

std::vector<std::string> describeMemory(const sim::Place& cell, const sim::CellTable& table, const DescribedWith& with,
                                        const sim::Range& range) {
    const sim::MachineConfig& machine = with.machine;
    std::vector<std::string> lines{inWords(cell, with.trace, machine, range.from), addressLine(cell)};
    const sim::CellSums sums = table.sums(cell.from, cell.bytes);
    const bool isIdle = sums == sim::CellSums{};
    if (!isIdle) {
        lines.push_back(fmt::format("accesses {}: {} reads, {} writes", grouped(sums.accesses), grouped(sums.reads()),
                                    grouped(sums.writes)));
    }
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        const auto regions = table.conflictingRegions(l, cell.from, cell.bytes);
        if (sums.requests(l) == 0 && regions.empty()) continue;
        std::string line = fmt::format("{}: {} hits, {} misses ({})", machine.levels[l].name, grouped(sums.hits[l]),
                                       grouped(sums.misses[l]), percent(sums.missRate(l)));
        const sim::StaySum& stays = sums.stays[l];
        if (stays.fills > 0) {
            line += fmt::format(", {} of its bytes used", percent(stays.utilization(machine.levels[l].block)));
        }
        lines.push_back(std::move(line));
        if (!regions.empty()) {
            lines.push_back(fmt::format("    conflicts with {}: {}", sim::counted(regions.size(), "region", "regions"),
                                        namesOf(regions, with.trace)));
        }
    }
    if (isIdle) {
        // A block that was there before the range may have lost its place in it.
        lines.emplace_back("not accessed in this range");
        return lines;
    }
    lines.push_back(
        fmt::format("miss penalty {} cycles, of {} access cycles", grouped(sums.penalty), grouped(sums.cycles)));
    if (sums.accesses > 0) {
        lines.push_back("mostly served by " + machine.levelName(sums.mostServed(machine.levels.size())));
    }
    if (machine.tlb.entries > 0) lines.push_back(fmt::format("TLB misses {}", grouped(sums.tlbMisses)));
    if (machine.memory.isBounded()) lines.push_back(fmt::format("page faults {}", grouped(sums.pageFaults)));
    if (table.share() < 1) lines.push_back(fmt::format("estimated from {} of the accesses", percent(table.share())));
    return lines;
}

std::vector<std::string> describeCache(const sim::Place& cell, const sim::CacheCellTable& table,
                                       const DescribedWith& with) {
    std::vector<std::string> lines{inWords(cell, with.trace, with.machine, table.range().from)};
    const sim::CacheCellSums& sums = table.at(cell.cache, cell.set, cell.way);
    lines.push_back(fmt::format("requests {}: {} hits, {} misses", grouped(sums.requests()), grouped(sums.hits),
                                grouped(sums.misses)));
    lines.push_back(fmt::format("{} evictions, {} written back", grouped(sums.evictions), grouped(sums.writebacks)));
    lines.push_back(sim::counted(sums.distinctBlocks, "distinct block", "distinct blocks") + " lived here");
    lines.push_back(fmt::format("miss penalty {} cycles", grouped(sums.penalty)));
    if (table.share() < 1) lines.push_back(fmt::format("estimated from {} of the accesses", percent(table.share())));
    return lines;
}

namespace {

/// "read by CPU 0 by access 120, 35 accesses ago: a miss served by memory".
std::string lastTouch(const sim::Touch& touch, const sim::Tick now, const sim::MachineConfig& machine) {
    const std::uint64_t ago = now.value - touch.tick.value - 1;
    return fmt::format(
        "last {} by access {}{}, {}: {}", touch.write ? "written" : "read", grouped(touch.tick.value),
        machine.cpus > 1 ? fmt::format(" of CPU {}", touch.cpu) : "",
        ago == 0 ? std::string("the newest") : grouped(ago) + " accesses ago",
        touch.served == 0 ? "a hit in " + machine.levelName(0) : "served by " + machine.levelName(touch.served));
}

/// Which caches hold the first block of a cell.
std::string whereabouts(const sim::Place& cell, const sim::Hierarchy& hierarchy) {
    std::string in;
    const sim::MachineConfig& machine = hierarchy.machine();
    for (std::size_t l = 0; l < hierarchy.levels(); ++l) {
        for (std::uint32_t c = 0; c < hierarchy.caches(l); ++c) {
            const sim::Cache& cache = hierarchy.cache(l, c);
            if (!cache.holds(cache.blockOf(cell.from))) continue;
            in += (in.empty() ? "" : ", ") + cacheInWords(machine, l, c);
        }
    }
    return in.empty() ? "now in memory only" : "now in " + in;
}

std::vector<std::string> describeMemoryNow(const sim::Place& cell, const sim::Activity& activity,
                                           const DescribedWith& with) {
    const sim::Tick now = activity.begun();
    std::vector<std::string> lines{inWords(cell, with.trace, with.machine, now), addressLine(cell)};
    lines.push_back(whereabouts(cell, activity.now.hierarchy()));
    const auto touched = std::find_if(activity.touches.rbegin(), activity.touches.rend(), [&](const sim::Touch& t) {
        return sim::overlap(t.address, t.size, cell.from, cell.bytes);
    });
    lines.push_back(touched == activity.touches.rend()
                        ? fmt::format("not accessed in the last {} accesses", grouped(now.value - activity.from.value))
                        : lastTouch(*touched, now, with.machine));
    return lines;
}

std::vector<std::string> describeCacheNow(const sim::Place& cell, const sim::Activity& activity,
                                          const DescribedWith& with) {
    std::vector<std::string> lines{inWords(cell, with.trace, with.machine, activity.begun())};
    const sim::Cache& cache = activity.now.hierarchy().cache(cell.level, cell.cache);
    if (!cache.isValid(cell.set, cell.way)) {
        lines.emplace_back("empty");
        return lines;
    }
    const sim::BlockAddress block = cache.blockIn(cell.set, cell.way);
    const sim::ByteAddress base = cache.addressOf(block);
    lines.push_back(fmt::format("holds {}, {}", with.trace.placeOf(base, activity.begun()),
                                cache.has(cell.set, cell.way, sim::Cache::dirty) ? "dirty" : "clean"));
    const std::uint32_t slot = cell.set.value * cache.ways() + cell.way.value;
    const auto touched =
        std::find_if(activity.cacheTouches.rbegin(), activity.cacheTouches.rend(),
                     [&](const sim::CacheTouch& t) { return t.slot == slot && t.cache == cell.cache; });
    lines.push_back(
        touched == activity.cacheTouches.rend()
            ? fmt::format("not requested in the last {} accesses",
                          grouped(activity.begun().value - activity.from.value))
            : fmt::format("last {} by access {}", touched->hit ? "hit" : "filled", grouped(touched->tick.value)));
    return lines;
}

}  // namespace

std::vector<std::string> describeNow(const sim::Place& cell, const sim::Activity& activity, const DescribedWith& with) {
    return cell.kind == sim::Place::Kind::memory ? describeMemoryNow(cell, activity, with)
                                                 : describeCacheNow(cell, activity, with);
}

}  // namespace whorl::app
