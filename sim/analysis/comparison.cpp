#include "sim/analysis/comparison.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/analysis/figures.h"
#include "sim/replay/measuring.h"
#include "sim/replay/totals/ledger.h"

namespace whorl::sim {

namespace {

/// The figures of a in their order, each with that of b; a figure that only b has comes after the one that precedes it
/// in b.
std::vector<ComparedFigure> joined(std::vector<Figure> a, std::vector<Figure> b) {
    std::vector<ComparedFigure> out;
    out.reserve(a.size() + b.size());
    for (Figure& f : a) out.push_back({std::move(f.key), std::move(f.words), f.value, std::nullopt});
    std::size_t next = 0;
    for (Figure& f : b) {
        const auto found = std::find_if(out.begin(), out.end(), [&](const auto& o) { return o.key == f.key; });
        if (found == out.end()) {
            out.insert(out.begin() + static_cast<std::ptrdiff_t>(next),
                       {std::move(f.key), std::move(f.words), std::nullopt, f.value});
        } else {
            found->b = f.value;
            next = static_cast<std::size_t>(found - out.begin());
        }
        ++next;
    }
    return out;
}

/// One CPU without timing of its own only waits for memory: its elapsed cycles are its access cycles.
bool tellsElapsed(const Measured& of) {
    return of.measures.machine.cpus > 1 || of.trace.hasTimes();
}

}  // namespace

std::optional<std::int64_t> ComparedFigure::difference() const {
    if (!a || !b) return std::nullopt;
    return static_cast<std::int64_t>(*b - *a);
}

std::optional<double> ComparedFigure::share() const {
    if (!a || !b || *a == 0) return std::nullopt;
    return static_cast<double>(*difference()) / static_cast<double>(*a);
}

Comparison comparison(const Measured& a, const Measured& b) {
    const bool differ = tellsElapsed(a) || tellsElapsed(b);
    const FiguresWanted wanted{.elapsed = differ && a.measures.elapsed && b.measures.elapsed, .traffic = true};
    Comparison out;
    out.sides = {Comparison::Side{a.trace.name(), a.measures.machine.name},
                 Comparison::Side{b.trace.name(), b.measures.machine.name}};
    out.figures = joined(figuresOf(a.measures, wanted), figuresOf(b.measures, wanted));
    return out;
}

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

/// Cycles by name, where they changed. `tableOf` returns a table of a side; `nameOf` the name for a row of it; empty:
/// none.
template <class TableOf, class NameOf>
std::vector<Difference> ranked(const Measured& before, const Measured& after, TableOf&& tableOf, NameOf&& nameOf) {
    std::map<std::string, Difference> byName;
    const auto add = [&](const Measured& side, std::uint64_t Difference::*cycles) {
        const TallyTable& table = tableOf(*side.measures.ledger);
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const std::string name = nameOf(side.trace, row);
            if (!name.empty()) byName[name].*cycles += table.cycles(row);
        }
    };
    add(before, &Difference::before);
    add(after, &Difference::after);
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
    const auto measuredBefore = WHORL_TRY(play(before));
    const auto measuredAfter = WHORL_TRY(play(after));
    WhatIf out{.trace = after->name(), .machine = measuredBefore.machine.name, .changes = {}, .figures = {}};
    for (const LayoutChange& change : after->changes()) out.changes.push_back(asText(change));
    out.figures = figuresOf(measuredBefore, measuredAfter, before->hasTimes() && after->hasTimes());
    const Measured was{*before, measuredBefore};
    const Measured is{*after, measuredAfter};
    out.regions = ranked(
        was, is, [](const Ledger& l) -> const TallyTable& { return l.owners; },
        [](const Trace& trace, std::size_t row) { return trace.owners().name(row); });
    if (before->objects().empty()) return out;
    const auto ofObjects = [](const Ledger& l) -> const TallyTable& { return l.objects; };
    out.objects = ranked(was, is, ofObjects, [](const Trace& trace, std::size_t row) {
        return row < trace.objects().size() ? trace.objects()[row].name : std::string("(no object)");
    });
    out.classes = ranked(was, is, ofObjects, [](const Trace& trace, std::size_t row) {
        return row < trace.objects().size() ? trace.objects()[row].className : std::string();
    });
    return out;
}

}  // namespace whorl::sim
