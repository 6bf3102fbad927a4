#include "sim/analysis/figures.h"

#include <fmt/format.h>

#include <span>

#include "sim/cache/counters.h"
#include "sim/replay/totals/ledger.h"
#include "sim/replay/totals/miss_kind.h"

namespace whorl::sim {

namespace {

void addLevel(std::vector<Figure>& out, const Measures& measures, std::size_t l, bool traffic) {
    const MachineConfig& machine = measures.machine;
    const std::string& name = machine.levels[l].name;
    const CacheCounters counters = measures.counters.level(l);
    const auto kindOf = [&](MissKind kind) { return measures.ledger->misses(machine, l, kind); };
    if (traffic) out.push_back({name + "_accesses", name + " accesses", counters.accesses()});
    out.push_back({name + "_misses", name + " misses", counters.misses()});
    for (std::size_t k = 0; k < kMissKinds; ++k) {
        const auto kind = static_cast<MissKind>(k);
        if (!isPossible(kind, machine)) continue;
        out.push_back(
            {fmt::format("{}_{}", name, kMissKindKeys[k]), fmt::format("  {}", kMissKindWords[k]), kindOf(kind)});
    }
    if (isPossible(MissKind::trueSharing, machine)) {
        out.push_back({name + "_coherence", "  sharing, true and false",
                       kindOf(MissKind::trueSharing) + kindOf(MissKind::falseSharing)});
    }
    if (!traffic) return;
    out.push_back({name + "_evictions", name + " evictions", counters.evictions});
    out.push_back({name + "_writebacks", name + " write-backs", counters.writebacks});
    if (machine.levels[l].passesWrites()) {
        out.push_back({name + "_write_throughs", name + " write-throughs", counters.writeThroughs});
    }
}

/// Adds the blocks, and the bytes if `bytes` is set.
void addTraffic(std::vector<Figure>& out, const Measures& measures, std::size_t level, bool bytes) {
    const Traffic traffic = trafficOf(measures.counters, measures.machine, level);
    for (const TrafficRow& row : std::span(kTrafficRows).first(bytes ? kTrafficRows.size() : 2)) {
        out.push_back({fmt::format("{}_{}", measures.machine.levelName(level), row.key),
                       row.wordsFor(measures.machine, level), traffic.*row.value});
    }
}

}  // namespace

std::vector<Figure> figuresOf(const Measures& measures, FiguresWanted wanted) {
    std::vector<Figure> out;
    const Counters& counters = measures.counters;
    const MachineConfig& machine = measures.machine;
    if (wanted.traffic) out.push_back({"accesses", "accesses", counters.accesses()});
    out.push_back({"cycles", "access cycles", measures.cyclesOfAll()});
    if (wanted.elapsed && measures.elapsed) out.push_back({"elapsed", "cycles elapsed", *measures.elapsed});
    for (std::size_t l = 0; l < machine.levels.size(); ++l) addLevel(out, measures, l, wanted.traffic);
    for (std::size_t l = wanted.traffic ? 1 : machine.levels.size(); l < machine.levels.size(); ++l) {
        addTraffic(out, measures, l, true);
    }
    addTraffic(out, measures, machine.levels.size(), wanted.traffic);
    if (!counters.tlbMisses.empty()) out.push_back({"tlb_misses", "TLB misses", ofAllCpus(counters.tlbMisses)});
    if (!counters.pageFaults.empty()) {
        out.push_back({"page_faults", "page faults", ofAllCpus(counters.pageFaults)});
        out.push_back({"page_writebacks", "pages written back", ofAllCpus(counters.pageWritebacks)});
    }
    return out;
}

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
