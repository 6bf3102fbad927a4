#include "sim/report/cycle_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "sim/report/report_rows.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

constexpr std::array<std::string_view, 3> kPathTables = {"source", "object", "segments"};

double percent(Cycles part, Cycles all) {
    return 100 * perAccess(part, all);
}

Cycles sumOf(const std::vector<Cycles>& cycles) {
    return std::accumulate(cycles.begin(), cycles.end(), Cycles{0});
}

std::vector<Cycles> sumsOf(const std::vector<std::vector<Cycles>>& spent, std::size_t classes) {
    std::vector<Cycles> all(classes);
    for (const std::vector<Cycles>& own : spent) {
        for (std::size_t c = 0; c < classes; ++c) all[c] += own[c];
    }
    return all;
}

/// The classes that a table has a column for.
std::vector<std::size_t> shownClasses(const CycleClasses& classes, const std::vector<Cycles>& all, bool leavesOut) {
    std::vector<std::size_t> out;
    for (std::size_t c = 0; c < classes.size(); ++c) {
        if (leavesOut ? all[c] > 0 : classes.isPossible(c)) out.push_back(c);
    }
    return out;
}

std::string nameOf(PathTable kind, std::size_t of, const Trace& trace, const SourceLines& lines) {
    if (kind == PathTable::source) {
        return siteName(trace, trace.site(lines.siteOf(static_cast<std::uint32_t>(of))));
    }
    return of < trace.objects().size() ? trace.objects()[of].name : regionName(trace, of - trace.objects().size());
}

}  // namespace

std::string cpuWords(const Trace& trace, std::uint32_t cpu) {
    const std::string& name = trace.cpuName(cpu);
    return name.empty() ? fmt::format("CPU {}", cpu) : fmt::format("CPU {}, {}", cpu, name);
}

std::string_view inWords(WaitFor what) {
    if (what == WaitFor::lock) return "a lock";
    return what == WaitFor::barrier ? "a barrier" : "another CPU";
}

Table costsTable(const std::vector<std::vector<Cycles>>& spent, const Measures& measures, const Trace& trace,
                 bool forPeople) {
    const CycleClasses classes(measures.machine);
    const std::vector<Cycles> all = sumsOf(spent, classes.size());
    const std::vector<std::size_t> shown = shownClasses(classes, all, forPeople);
    Table table{.name = "costs",
                .title = "What each CPU spent its cycles on",
                .columns = {{"cpu", "CPU"}, {"cycles", "cycles"}, {"access_cycles", "of accesses"}},
                .rows = {},
                .ranked = false};
    for (const std::size_t c : shown) table.columns.push_back({classes.key(c), classes.words(c)});
    const auto add = [&](std::string name, const std::vector<Cycles>& own, Cycles ofAccesses) {
        std::vector<Cell> cells{std::move(name), sumOf(own), ofAccesses};
        for (const std::size_t c : shown) cells.emplace_back(own[c]);
        table.rows.push_back(std::move(cells));
    };
    for (std::uint32_t cpu = 0; cpu < spent.size(); ++cpu) add(cpuWords(trace, cpu), spent[cpu], measures.cycles[cpu]);
    if (spent.size() > 1) add("all", all, measures.cyclesOfAll());
    if (!forPeople) return table;
    std::vector<Cell> shares{std::string("of all, %"), 100.0, percent(measures.cyclesOfAll(), sumOf(all))};
    for (const std::size_t c : shown) shares.emplace_back(percent(all[c], sumOf(all)));
    table.rows.push_back(std::move(shares));
    return table;
}

std::optional<PathTable> pathTableNamed(std::string_view word) {
    const auto at = std::find(kPathTables.begin(), kPathTables.end(), word);
    if (at == kPathTables.end()) return std::nullopt;
    return static_cast<PathTable>(at - kPathTables.begin());
}

Table pathTable(PathTable of, const PathCosts& costs, const CriticalPath& path, const Trace& trace) {
    const bool isBySource = of == PathTable::source;
    const CycleClasses& classes = costs.classes;
    Table table{.name = isBySource ? "path_by_source" : "path_by_object",
                .title = fmt::format("The critical path of {} cycles, by {}", grouped(path.length()),
                                     isBySource ? "source line" : "object"),
                .columns = {{isBySource ? "source" : "object", isBySource ? "source" : "object"},
                            {"cycles", "cycles"},
                            {"percent", "%"},
                            {"accesses", "accesses"}},
                .rows = {}};
    std::vector<std::size_t> shown;
    for (std::size_t c = 0; c < classes.size(); ++c) {
        if (!classes.isPossible(c) || c == classes.idle()) continue;
        shown.push_back(c);
        table.columns.push_back({classes.key(c), classes.words(c)});
    }
    const auto add = [&](std::string name, const std::vector<Cycles>& own, Cell accesses) {
        std::vector<Cell> cells{std::move(name), sumOf(own), percent(sumOf(own), path.length()), std::move(accesses)};
        for (const std::size_t c : shown) cells.emplace_back(own[c]);
        table.rows.push_back(std::move(cells));
    };
    const SourceLines lines(trace);
    for (const PathCosts::Part& part : isBySource ? costs.lines : costs.objects) {
        add(nameOf(of, part.of, trace, lines), part.cycles, part.accesses);
    }
    if (sumOf(costs.ofNone) > 0) add("(no access)", costs.ofNone, std::monostate{});
    rank(table, 1);
    return table;
}

Table pathSegmentTable(const CriticalPath& path, const Trace& trace) {
    Table table{.name = "path_segments",
                .title = fmt::format("The critical path of {} cycles", grouped(path.length())),
                .columns = {{"cpu", "CPU"},
                            {"from", "from cycle"},
                            {"to", "to cycle"},
                            {"cycles", "cycles"},
                            {"after", "after waiting for"}},
                .rows = {}};
    for (const PathSegment& s : path.segments) {
        table.rows.push_back({cpuWords(trace, s.cpu), s.from, s.to, s.to - s.from,
                              s.waited ? Cell{std::string(inWords(*s.waited))} : Cell{}});
    }
    return table;
}

}  // namespace whorl::sim
