#include "sim/report/call_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "sim/report/report_rows.h"
#include "sim/report/tally.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

std::string nameOfFunction(const Trace& trace, std::uint32_t function) {
    return function == 0 || function >= trace.functions().size() ? "(not known)" : trace.functions()[function];
}

void addSelfColumns(Table& table, const MachineConfig& machine) {
    table.columns.insert(table.columns.end(), {{"cycles", "own cycles"}, {"accesses", "accesses"}});
    for (const LevelConfig& level : machine.levels) {
        table.columns.push_back({level.name + "_misses", level.name + " misses"});
    }
}

void addSelfCells(std::vector<Cell>& row, const Tally& self, const MachineConfig& machine) {
    row.emplace_back(self.cycles);
    row.emplace_back(self.accesses);
    for (std::size_t l = 0; l < machine.levels.size(); ++l) row.emplace_back(self.missesAt(l));
}

struct SelfAndInclusive {
    Tally self;
    Tally inclusive;
};

/// The tree of functions that call each other.
struct CallNode {
    std::uint32_t function = 0;
    SelfAndInclusive sums;
    std::map<std::uint32_t, std::size_t> called;  ///< nodes, by function
};

class CallForest {
  public:
    CallForest(const TallyTable& sites, const Trace& trace) : trace_(trace), nodes_(1) {
        for (std::uint32_t s = 0; s < sites.rows(); ++s) {
            Tally tally;
            tally.add(sites, s);
            if (!tally.isEmpty()) add(trace.sites()[s], tally);
        }
    }
    const CallNode& node(std::size_t n) const { return nodes_[n]; }
    /// The nodes that a node calls, the highest inclusive cycles first.
    std::vector<std::size_t> calledBy(std::size_t n) const {
        std::vector<std::size_t> out;
        for (const auto& [function, called] : nodes_[n].called) out.push_back(called);
        std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
            return nodes_[a].sums.inclusive.cycles > nodes_[b].sums.inclusive.cycles;
        });
        return out;
    }

  private:
    const Trace& trace_;
    std::vector<CallNode> nodes_;  ///< the first is the root

    void add(const Site& site, const Tally& tally) {
        std::vector<std::uint32_t> functions{site.function};
        for (std::uint32_t c = site.call; c != kNoCall; c = trace_.calls()[c].parent) {
            functions.push_back(trace_.site(trace_.calls()[c].site).function);
        }
        std::reverse(functions.begin(), functions.end());
        std::size_t at = 0;
        nodes_[at].sums.inclusive.add(tally);
        for (const std::uint32_t f : functions) {
            const auto [called, isNew] = nodes_[at].called.try_emplace(f, nodes_.size());
            at = called->second;
            if (isNew) nodes_.push_back({.function = f, .sums = {}, .called = {}});
            nodes_[at].sums.inclusive.add(tally);
        }
        nodes_[at].sums.self.add(tally);
    }
};

}  // namespace

std::vector<Tally> inclusiveTallies(const TallyTable& sites, const Trace& trace) {
    std::vector<Tally> tallies(std::max<std::size_t>(1, trace.functions().size()));
    for (std::uint32_t s = 0; s < sites.rows(); ++s) {
        Tally tally;
        tally.add(sites, s);
        if (tally.isEmpty()) continue;
        eachRunning(trace, trace.sites()[s], [&](std::uint32_t function) { tallies[function].add(tally); });
    }
    return tallies;
}

void addInclusiveColumns(Table& table, const MachineConfig& machine) {
    table.columns.insert(
        table.columns.end(),
        {{"inclusive_accesses", {}}, {"inclusive_cycles", "inclusive cycles"}, {"inclusive_percent", "%"}});
    for (const LevelConfig& level : machine.levels) {
        const bool isNearest = &level == &machine.levels.front();
        table.columns.push_back(
            {level.name + "_inclusive_misses", isNearest ? "inclusive " + level.name + " misses" : ""});
    }
}

void addInclusiveCells(std::vector<Cell>& row, const Tally& inclusive, std::uint64_t all) {
    row.emplace_back(inclusive.accesses);
    row.emplace_back(inclusive.cycles);
    row.emplace_back(100 * perAccess(inclusive.cycles, all));
    for (std::size_t l = 0; l < inclusive.misses.size(); ++l) row.emplace_back(inclusive.missesAt(l));
}

Table callerTable(const Measures& measures, const Trace& trace) {
    const TallyTable& sites = measures.ledger->sites;
    constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
    const SourceLines lines(trace);
    using Pair = std::pair<std::uint32_t, std::uint32_t>;  // a function, and the line that it is called from
    std::map<Pair, SelfAndInclusive> sums;
    std::uint64_t all = 0;
    std::vector<Pair> told;
    for (std::uint32_t s = 0; s < sites.rows(); ++s) {
        Tally tally;
        tally.add(sites, s);
        if (tally.isEmpty()) continue;
        told.clear();
        all += tally.cycles;
        const auto tell = [&](std::uint32_t function, std::uint32_t call) -> SelfAndInclusive& {
            const Pair pair{function, call == kNoCall ? kUnknown : lines.of(trace.calls()[call].site)};
            SelfAndInclusive& of = sums[pair];
            if (std::find(told.begin(), told.end(), pair) == told.end()) of.inclusive.add(tally);
            told.push_back(pair);
            return of;
        };
        const Site& site = trace.sites()[s];
        tell(site.function, site.call).self.add(tally);
        for (std::uint32_t c = site.call; c != kNoCall; c = trace.calls()[c].parent) {
            tell(trace.site(trace.calls()[c].site).function, trace.calls()[c].parent);
        }
    }
    Table table{.name = "by_caller",
                .title = "By function and caller",
                .columns = {{"function", "function"}, {"called_from", "called from"}, {"caller", "in"}},
                .rows = {}};
    addInclusiveColumns(table, measures.machine);
    addSelfColumns(table, measures.machine);
    for (auto& [pair, of] : sums) {
        std::vector<Cell> row{nameOfFunction(trace, pair.first)};
        if (pair.second == kUnknown) {
            row.resize(3);
        } else {
            const Site& from = trace.site(lines.siteOf(pair.second));
            row.emplace_back(siteName(trace, from));
            row.emplace_back(trace.functionOf(from));
        }
        addInclusiveCells(row, of.inclusive, all);
        addSelfCells(row, of.self, measures.machine);
        table.rows.push_back(std::move(row));
    }
    rank(table, columnOf(table.columns, "inclusive_cycles"));
    return table;
}

Table callTree(const Measures& measures, const Trace& trace, bool forPeople) {
    constexpr std::uint64_t kLeastShare = 200;
    const CallForest forest(measures.ledger->sites, trace);
    Table table{.name = "by_call",
                .title = "By call: functions within those that called them",
                .columns = {{"path", {}}, {"depth", {}}, {"function", {}}, {"tree", "function"}},
                .rows = {},
                .ranked = false};
    addInclusiveColumns(table, measures.machine);
    addSelfColumns(table, measures.machine);
    const std::uint64_t all = forest.node(0).sums.inclusive.cycles;
    const auto visit = [&](const auto& self, std::size_t n, std::uint64_t depth, const std::string& path) -> void {
        for (const std::size_t called : forest.calledBy(n)) {
            const CallNode& node = forest.node(called);
            if (forPeople && node.sums.inclusive.cycles * kLeastShare < all) break;
            const std::string name = nameOfFunction(trace, node.function);
            const std::string below = path.empty() ? name : fmt::format("{};{}", path, name);
            std::vector<Cell> row{below, depth, name, std::string(2 * depth, ' ') + name};
            addInclusiveCells(row, node.sums.inclusive, all);
            addSelfCells(row, node.sums.self, measures.machine);
            table.rows.push_back(std::move(row));
            self(self, called, depth + 1, below);
        }
    };
    visit(visit, 0, 0, {});
    return table;
}

}  // namespace whorl::sim
