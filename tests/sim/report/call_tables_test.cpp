// What functions cost with all that they called: against sums over the accesses, one by one.
#include "sim/report/call_tables.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/replay/measuring.h"
#include "sim/report/callgrind_writer.h"
#include "sim/report/tables.h"
#include "sim/trace/source_lines.h"
#include "support/calling_trace.h"
#include "support/rounds.h"
#include "support/runs.h"

namespace whorl::sim::test {
namespace {

/// An L1 that prefetches by the steps of instructions, so that mistaking these would show.
MachineConfig learningMachine() {
    MachineConfig machine = parseGeometry("1K/2/32, 4K/4/32").value();
    machine.cpus = 2;
    machine.levels[0].prefetch = Prefetcher::stride;
    machine.levels[0].latency = 1;
    machine.levels[1].latency = 10;
    machine.memoryLatency = 100;
    return machine;
}

using Names = std::vector<std::string>;

/// The functions that run during a site's accesses, the outermost first, its own last.
Names chainOf(const Trace& trace, const Site& site) {
    Names chain{trace.functionOf(site)};
    for (std::uint32_t c = site.call; c != kNoCall; c = trace.calls()[c].parent) {
        chain.insert(chain.begin(), trace.functionOf(trace.site(trace.calls()[c].site)));
    }
    return chain;
}

std::uint64_t countOfCell(const Table& table, const std::vector<Cell>& row, std::string_view key) {
    return std::get<std::uint64_t>(row[columnOf(table.columns, key)]);
}

std::string textOfCell(const Table& table, const std::vector<Cell>& row, std::string_view key) {
    const auto* const text = std::get_if<std::string>(&row[columnOf(table.columns, key)]);
    return text == nullptr ? "" : *text;
}

struct SumOf {
    std::uint64_t accesses = 0;
    std::uint64_t cycles = 0;
    bool operator==(const SumOf&) const = default;
};

/// The sums of the sites that something holds for.
template <class Holds>
SumOf sumWhere(const Trace& trace, const Ledger& ledger, Holds&& holds) {
    SumOf sum;
    for (std::uint32_t s = 0; s < trace.sites().size(); ++s) {
        if (!holds(trace.sites()[s])) continue;
        sum.accesses += ledger.sites.accesses(s);
        sum.cycles += ledger.sites.cycles(s);
    }
    return sum;
}

SumOf inclusiveIn(const Table& table, const std::vector<Cell>& row) {
    return {countOfCell(table, row, "inclusive_accesses"), countOfCell(table, row, "inclusive_cycles")};
}
SumOf selfIn(const Table& table, const std::vector<Cell>& row) {
    return {countOfCell(table, row, "accesses"), countOfCell(table, row, "cycles")};
}

class CallTables : public testing::Test {
  protected:
    template <class F>
    void forRandomRuns(F&& f) {
        for (unsigned seed = 0; seed < testRounds(20); ++seed) {
            const auto run = built(callingTrace(seed), learningMachine());
            f(run->trace(), *run->measures());
        }
    }
};

TEST_F(CallTables, AFunctionHasWhatRanWhileItRan) {
    forRandomRuns([](const Trace& trace, const Measures& measures) {
        const Table table = tableBy(Grouping::function, measures, trace);
        for (const auto& row : table.rows) {
            const std::string name = textOfCell(table, row, "function");
            const auto runs = [&](const Site& site) {
                bool is = trace.functionOf(site) == name;
                for (std::uint32_t c = site.call; c != kNoCall; c = trace.calls()[c].parent) {
                    const Call& call = trace.calls()[c];
                    is = is || trace.functionOf(trace.site(call.site)) == name;
                    for (const SiteId around : call.around) is = is || trace.functionOf(trace.site(around)) == name;
                }
                return is;
            };
            EXPECT_EQ(inclusiveIn(table, row), sumWhere(trace, *measures.ledger, runs)) << name;
            EXPECT_EQ(selfIn(table, row),
                      sumWhere(trace, *measures.ledger, [&](const Site& s) { return trace.functionOf(s) == name; }));
        }
    });
}

TEST_F(CallTables, TheTreeIsThatOfTheChains) {
    forRandomRuns([](const Trace& trace, const Measures& measures) {
        const Table table = callTree(measures, trace, false);
        std::uint64_t roots = 0;
        std::set<std::string> paths;
        for (const auto& row : table.rows) {
            const std::string path = textOfCell(table, row, "path");
            EXPECT_TRUE(paths.insert(path).second) << path;
            const auto joined = [](const Names& names, std::size_t count) {
                std::string out;
                for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? "" : ";") + names[i];
                return out;
            };
            const std::size_t depth = countOfCell(table, row, "depth");
            const auto isWithin = [&](const Site& site) {
                const Names chain = chainOf(trace, site);
                return chain.size() > depth && joined(chain, depth + 1) == path;
            };
            EXPECT_EQ(inclusiveIn(table, row), sumWhere(trace, *measures.ledger, isWithin)) << path;
            const auto isIt = [&](const Site& site) {
                const Names chain = chainOf(trace, site);
                return joined(chain, chain.size()) == path;
            };
            EXPECT_EQ(selfIn(table, row), sumWhere(trace, *measures.ledger, isIt)) << path;
            if (depth == 0) roots += countOfCell(table, row, "inclusive_cycles");
        }
        EXPECT_EQ(roots, measures.cyclesOfAll()) << "all is called by something, or by nothing that is known";
    });
}

TEST_F(CallTables, ACallerHasWhatRanWithinItsCalls) {
    forRandomRuns([](const Trace& trace, const Measures& measures) {
        const Table table = callerTable(measures, trace);
        SumOf all;
        for (const auto& row : table.rows) {
            const auto isCall = [&](std::uint32_t call, const std::string& called) {
                const std::string from = call == kNoCall ? "" : siteName(trace, trace.site(trace.calls()[call].site));
                return called == textOfCell(table, row, "function") && from == textOfCell(table, row, "called_from");
            };
            const auto runs = [&](const Site& site) {
                bool is = isCall(site.call, trace.functionOf(site));
                for (std::uint32_t c = site.call; c != kNoCall; c = trace.calls()[c].parent) {
                    is = is || isCall(trace.calls()[c].parent, trace.functionOf(trace.site(trace.calls()[c].site)));
                }
                return is;
            };
            EXPECT_EQ(inclusiveIn(table, row), sumWhere(trace, *measures.ledger, runs));
            all.accesses += selfIn(table, row).accesses;
            all.cycles += selfIn(table, row).cycles;
        }
        EXPECT_EQ(all, sumWhere(trace, *measures.ledger, [](const Site&) { return true; }));
    });
}

TEST_F(CallTables, NothingElseChanges) {
    for (unsigned seed = 0; seed < testRounds(20); ++seed) {
        const auto with = built(callingTrace(seed), learningMachine());
        const auto without = built(callingTrace(seed, false), learningMachine());
        EXPECT_EQ(with->totals(), without->totals());
        const auto sumsByLine = [](const sim::Run& run) {
            std::map<std::string, SumOf> sums;
            const Table table = tableBy(Grouping::line, *run.measures(), run.trace());
            for (const auto& row : table.rows) {
                std::string name = textOfCell(table, row, "line");
                name = name.substr(0, name.find(", called from"));  // known only with calls
                sums[name].accesses += countOfCell(table, row, "accesses");
                sums[name].cycles += countOfCell(table, row, "cycles");
            }
            return sums;
        };
        EXPECT_EQ(sumsByLine(*with), sumsByLine(*without));
        for (const Grouping grouping : {Grouping::region, Grouping::cpu}) {
            EXPECT_EQ(tableAsCsv(tableBy(grouping, *with->measures(), with->trace())),
                      tableAsCsv(tableBy(grouping, *without->measures(), without->trace())));
        }
    }
}

TEST_F(CallTables, CallgrindsCallsAreThose) {
    const auto run = built(callingTrace(7), learningMachine());
    const Trace& trace = run->trace();
    Progress progress;
    std::istringstream text(callgrindText(*run, wholeOf(trace), progress).value());
    std::string caller;
    std::string called;
    std::map<std::tuple<std::string, std::string, std::string>, SumOf> written;  // caller, line, called
    bool isCall = false;
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with("fn=")) caller = line.substr(3);
        if (line.starts_with("cfn=")) called = line.substr(4);
        if (std::exchange(isCall, line.starts_with("calls=")) && !line.empty()) {
            std::istringstream words(line);
            std::string at;
            std::array<std::uint64_t, 7> counts{};
            words >> at;
            for (std::uint64_t& n : counts) words >> n;
            written[{caller, at, called}] = {counts[0] + counts[1], counts[6]};
        }
    }
    EXPECT_FALSE(written.empty());
    const Table table = callerTable(*run->measures(), trace);
    for (const auto& row : table.rows) {
        const std::string from = textOfCell(table, row, "called_from");
        if (!from.starts_with("a.c:")) continue;
        const auto it =
            written.find({textOfCell(table, row, "caller"), from.substr(4), textOfCell(table, row, "function")});
        ASSERT_NE(it, written.end()) << from;
        EXPECT_EQ(it->second, inclusiveIn(table, row)) << from;
    }
}

}  // namespace
}  // namespace whorl::sim::test
