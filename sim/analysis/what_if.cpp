#include "sim/analysis/what_if.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/analysis/figures.h"
#include "sim/replay/measuring.h"

namespace whorl::sim {

namespace {

/// The figures of two measurements on one machine, which therefore match; elapsed cycles only where both have them.
std::vector<Difference> figuresOf(const Measures& before, const Measures& after, bool haveTimes) {
    const FiguresWanted wanted{.elapsed = haveTimes && before.elapsed && after.elapsed};
    std::vector<Figure> was = sim::figuresOf(before, wanted);
    const std::vector<Figure> is = sim::figuresOf(after, wanted);
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
    const auto play = [&](const std::shared_ptr<const Trace>& trace) {
        return measure(trace, machine, {Tick{0}, Tick{trace->size()}}, true, progress);
    };
    const auto was = WHORL_TRY(play(before));
    const auto is = WHORL_TRY(play(after));
    WhatIf out{.trace = after->name(), .machine = was.machine.name, .changes = {}, .figures = {}};
    for (const LayoutChange& change : after->changes()) out.changes.push_back(asText(change));
    out.figures = figuresOf(was, is, before->hasTimes() && after->hasTimes());
    const Ledger& ledger = *was.ledger;
    const Ledger& ledgerAfter = *is.ledger;
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
