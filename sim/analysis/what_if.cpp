#include "sim/analysis/what_if.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/analysis/figures.h"
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
    if (trace->hasTimes()) out.elapsed = out.measures.elapsed;
    return out;
}

/// One machine measured both, so that both have the same figures; elapsed cycles only where both know them.
std::vector<Difference> figuresOf(const Played& before, const Played& after) {
    const FiguresWanted wanted{.elapsed = before.elapsed && after.elapsed};
    std::vector<Figure> was = sim::figuresOf(before.measures, wanted);
    const std::vector<Figure> is = sim::figuresOf(after.measures, wanted);
    std::vector<Difference> out;
    out.reserve(was.size());
    for (std::size_t i = 0; i < was.size(); ++i) {
        out.push_back({.key = std::move(was[i].key),
                       .words = std::move(was[i].words),
                       .before = was[i].value,
                       .after = is[i].value});
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
