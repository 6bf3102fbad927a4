// The fast simulator against the slow reference: every event, every count, every clock, every kind of miss, and the
// contents of the caches with their order, on examples worked by hand and on random machines and traces.
#include "sim/replay/simulator.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "sim/programs/program.h"
#include "sim/reference/compare.h"
#include "sim/reference/examples.h"
#include "sim/reference/random_cases.h"
#include "sim/reference/reference.h"
#include "sim/replay/totals/ledger_builder.h"
#include "support/rounds.h"
#include "support/traces.h"

namespace whorl::sim {
namespace {

struct Played {
    Simulator simulator;
    std::vector<std::string> lines;
    std::vector<std::string> kinds;
    std::vector<std::vector<std::uint32_t>> uses;  ///< bytes, by level, by fill
    Ledger ledger;
};

/// Plays a trace in batches of a few accesses.
Played played(const MachineConfig& machine, const std::vector<Access>& accesses) {
    const Trace trace = test::traceOf(accesses);
    Progress progress;
    Played out{.simulator = Simulator(machine, *futureOf(machine, trace, progress)), .ledger = Ledger(machine, trace)};
    LedgerBuilder ledgerBuilder(machine, trace);
    std::vector<compare::MissAt> misses;
    constexpr std::size_t kBatch = 7;
    for (std::size_t at = 0; at < accesses.size(); at += kBatch) {
        std::vector<PackedAccess> batch;
        for (std::size_t i = at; i < std::min(at + kBatch, accesses.size()); ++i) batch.emplace_back(accesses[i]);
        EventList events;
        out.simulator.play(batch, &events);
        ledgerBuilder.take({Tick{at}, batch, events, out.simulator.sums(), out.simulator});
        for (const Event& e : events) {
            if (!e.half) out.lines.push_back(compare::lineOf(e));
            if (e.kind == EventKind::miss) misses.push_back({at + e.access, e.level, e.cache, e.block.value});
        }
    }
    std::vector<std::uint64_t> next(machine.levels.size());
    for (const compare::MissAt& miss : misses) {
        out.kinds.push_back(compare::lineOf(miss, ledgerBuilder.kinds()[miss.level][next[miss.level]++]));
    }
    for (const StayUseList& uses : ledgerBuilder.uses()) {
        auto& of = out.uses.emplace_back();
        for (std::uint64_t i = 0; i < uses.size(); ++i) of.push_back(uses[i]);
    }
    out.ledger = ledgerBuilder.ledger();
    return out;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

TEST(Simulator, DoesWhatWasWorkedOutByHand) {
    for (const reference::Example& example : reference::examples()) {
        const Played fast = played(example.machine, example.accesses);
        EXPECT_EQ(joined(fast.lines), joined(example.lines)) << example.name;
        if (!example.kinds.empty()) {
            EXPECT_EQ(joined(fast.kinds), joined(example.kinds)) << example.name;
        }
        for (std::size_t cpu = 0; cpu < example.clocks.size(); ++cpu) {
            EXPECT_EQ(fast.simulator.clock(static_cast<std::uint32_t>(cpu)), example.clocks[cpu]) << example.name;
        }
    }
}

TEST(Simulator, EqualsTheReferenceOnProgramsWhosePagesLeave) {
    for (const char* program : {"matmul:n=12", "mergesort:n=300", "vecadd:n=200", "conflict"}) {
        Progress progress;
        const Trace trace = runProgram(*parseProgramSpec(program), progress).value();
        std::vector<Access> accesses;
        trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) { accesses.push_back(a); });
        for (const char* size : {"2K", "3K", "8K"}) {
            MachineConfig machine = withValue(loadMachine("paged").value(), std::string("memory.size=") + size).value();
            machine = withCpus(withValue(machine, "memory.page=512").value(), trace.cpus());
            const reference::Reference slow(machine, accesses);
            const Played fast = played(machine, accesses);
            ASSERT_EQ(compare::firstDifference(fast.lines, linesOf(slow.told())), "") << program << " in " << size;
            std::vector<std::string> kinds;
            for (const reference::Miss& miss : slow.misses()) kinds.push_back(lineOf(miss));
            ASSERT_EQ(compare::firstDifference(fast.kinds, kinds), "") << program << " in " << size;
            compare::expectSameCounts(fast.simulator, slow);
            compare::expectSameContents(fast.simulator.hierarchy(), slow.machine());
            compare::expectSamePages(fast.simulator.hierarchy(), slow.machine());
        }
    }
}

void expectEqualToTheReference(const reference::Case& random, std::uint64_t seed) {
    reference::Reference slow(random.machine, random.trace);
    const Played fast = played(random.machine, random.trace);
    ASSERT_EQ(compare::firstDifference(fast.lines, linesOf(slow.told())), "") << "case " << seed;
    std::vector<std::string> kinds;
    for (const reference::Miss& miss : slow.misses()) kinds.push_back(lineOf(miss));
    ASSERT_EQ(compare::firstDifference(fast.kinds, kinds), "") << "case " << seed;
    ASSERT_EQ(fast.uses, slow.uses().used()) << "case " << seed;
    compare::expectSameCounts(fast.simulator, slow);
    compare::expectSameContents(fast.simulator.hierarchy(), slow.machine());
    compare::expectSamePages(fast.simulator.hierarchy(), slow.machine());
    compare::expectLedgerAddsUp(fast.ledger, fast.simulator, random.machine, slow);
    if (testing::Test::HasFailure()) FAIL() << "case " << seed;
}

TEST(Simulator, EqualsTheReferenceOnRandomMachinesAndTraces) {
    for (std::uint64_t seed = 0; seed < testRounds(10'000); ++seed) {
        expectEqualToTheReference(reference::randomCase(seed, 150), seed);
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(Simulator, EqualsTheReferenceWithoutCaches) {
    for (std::uint64_t seed = 0; seed < testRounds(2'000); ++seed) {
        expectEqualToTheReference(reference::uncachedCase(seed, 150), seed);
        if (testing::Test::HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace whorl::sim
