#include "sim/analysis/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sim/replay/measures.h"

namespace whorl::sim {

namespace {

/// One of the two replays.
struct Played {
    const Trace* trace = nullptr;
    Measures measures;
    std::optional<Cycles> elapsed;
};

Expected<Played> played(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine, Progress& progress) {
    auto measures = measure(trace, machine, {Tick{0}, Tick{trace->size()}}, true, progress);
    if (!measures) return tl::unexpected(measures.error());
    Played out{.trace = trace.get(), .measures = *std::move(measures), .elapsed = {}};
    if (!trace->timing().empty()) out.elapsed = out.measures.elapsed;
    return out;
}

void addLevel(std::vector<Difference>& out, const Measures& before, const Measures& after, std::size_t l) {
    const MachineConfig& machine = before.machine;
    const std::string& name = machine.levels[l].name;
    const auto kindOf = [&](const Measures& measures, MissKind kind) {
        return measures.ledger->misses(machine, l, kind);
    };
    const auto sharingOf = [&](const Measures& measures) {
        return kindOf(measures, MissKind::trueSharing) + kindOf(measures, MissKind::falseSharing);
    };
    out.push_back({.key = name + "_misses",
                   .words = name + " misses",
                   .before = before.counters.level(l).misses(),
                   .after = after.counters.level(l).misses()});
    for (std::size_t k = 0; k < kMissKinds; ++k) {
        const auto kind = static_cast<MissKind>(k);
        if (!isPossible(kind, machine)) continue;
        out.push_back({.key = fmt::format("{}_{}", name, kMissKindKeys[k]),
                       .words = fmt::format("  {}", kMissKindWords[k]),
                       .before = kindOf(before, kind),
                       .after = kindOf(after, kind)});
    }
    if (!isPossible(MissKind::trueSharing, machine)) return;
    out.push_back({.key = name + "_coherence",
                   .words = "  sharing, true and false",
                   .before = sharingOf(before),
                   .after = sharingOf(after)});
}

std::vector<Difference> figuresOf(const Played& before, const Played& after) {
    const Measures& was = before.measures;
    const Measures& is = after.measures;
    std::vector<Difference> out;
    out.push_back({.key = "cycles", .words = "access cycles", .before = was.cyclesOfAll(), .after = is.cyclesOfAll()});
    if (before.elapsed && after.elapsed) {
        out.push_back(
            {.key = "elapsed", .words = "cycles elapsed", .before = *before.elapsed, .after = *after.elapsed});
    }
    for (std::size_t l = 0; l < was.machine.levels.size(); ++l) addLevel(out, was, is, l);
    const MemoryCounters& memory = was.counters.memory;
    const MemoryCounters& memoryAfter = is.counters.memory;
    out.push_back({.key = "memory_reads",
                   .words = "blocks read from memory",
                   .before = memory.reads,
                   .after = memoryAfter.reads});
    out.push_back({.key = "memory_writes",
                   .words = "blocks written to memory",
                   .before = memory.writes,
                   .after = memoryAfter.writes});
    if (!was.counters.tlbMisses.empty()) {
        out.push_back({.key = "tlb_misses",
                       .words = "TLB misses",
                       .before = ofAllCpus(was.counters.tlbMisses),
                       .after = ofAllCpus(is.counters.tlbMisses)});
    }
    if (!was.counters.pageFaults.empty()) {
        out.push_back({.key = "page_faults",
                       .words = "page faults",
                       .before = ofAllCpus(was.counters.pageFaults),
                       .after = ofAllCpus(is.counters.pageFaults)});
        out.push_back({.key = "page_writebacks",
                       .words = "pages written back",
                       .before = ofAllCpus(was.counters.pageWritebacks),
                       .after = ofAllCpus(is.counters.pageWritebacks)});
    }
    return out;
}

/// Cycles by name, where they changed. `nameOf` returns the name for a row of the tables; empty: none.
template <class NameOf>
std::vector<Difference> ranked(const TallyTable& before, const TallyTable& after, NameOf&& nameOf) {
    std::map<std::string, Difference> byName;
    for (std::size_t row = 0; row < before.rows(); ++row) {
        const std::string name = nameOf(row);
        if (name.empty()) continue;
        Difference& d = byName[name];
        d.before += before.cycles(row);
        d.after += after.cycles(row);
    }
    std::vector<Difference> out;
    for (auto& [name, d] : byName) {
        if (d.before == d.after) continue;
        d.key = d.words = name;
        out.push_back(std::move(d));
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    return out;
}

}  // namespace

Expected<WhatIf> whatIf(const std::shared_ptr<const Trace>& before, const std::shared_ptr<const Trace>& after,
                        const MachineConfig& machine, Progress& progress) {
    const auto was = played(before, machine, progress);
    if (!was) return tl::unexpected(was.error());
    const auto is = played(after, machine, progress);
    if (!is) return tl::unexpected(is.error());
    WhatIf out{.trace = after->name(), .machine = was->measures.machine.name, .changes = {}, .figures = {}};
    for (const LayoutChange& change : after->changes()) out.changes.push_back(asText(change));
    out.figures = figuresOf(*was, *is);
    const Ledger& ledger = *was->measures.ledger;
    const Ledger& ledgerAfter = *is->measures.ledger;
    const auto& regions = before->regions();
    const auto& objects = before->objects();
    out.regions = ranked(ledger.regions, ledgerAfter.regions, [&](std::size_t row) {
        return row < regions.size() ? regions[row].name : std::string("(no region)");
    });
    if (objects.empty()) return out;
    out.objects = ranked(ledger.objects, ledgerAfter.objects, [&](std::size_t row) {
        return row < objects.size() ? objects[row].name : std::string("(no object)");
    });
    out.classes = ranked(ledger.objects, ledgerAfter.objects, [&](std::size_t row) {
        return row < objects.size() ? objects[row].className : std::string();
    });
    return out;
}

}  // namespace whorl::sim
