// Measures computed while streaming against those of a run, and against a stored trace.
#include "sim/replay/measuring.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "sim/reference/random_cases.h"
#include "sim/replay/replay_help.h"
#include "sim/trace/trace_random.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

test::SharedTrace sharedAccesses(std::uint64_t length, std::uint32_t cpus) {
    return test::shared(test::randomAccesses(length, cpus));
}

void expectEqual(const Measures& figures, const Measures& measures) {
    EXPECT_EQ(figures.counters, measures.counters);
    EXPECT_EQ(figures.cycles, measures.cycles);
    if (figures.ledger) {
        EXPECT_EQ(*figures.ledger, *measures.ledger);
    }
}

TEST(Measures, EqualsARun) {
    const auto trace = sharedAccesses(70000, 3);
    sim::Run run(trace, test::twoLevels());
    Progress progress;
    ASSERT_TRUE(run.build(progress));
    for (const bool ledger : {false, true}) {
        const auto whole = measure(trace, test::twoLevels(), {Tick{0}, Tick{70000}}, ledger, progress);
        ASSERT_TRUE(whole.has_value());
        EXPECT_EQ(whole->machine, run.machine());
        EXPECT_EQ(whole->ledger != nullptr, ledger);
        expectEqual(*whole, *run.measures());
        const auto part = measure(trace, test::twoLevels(), {Tick{30001}, Tick{66000}}, ledger, progress);
        ASSERT_TRUE(part.has_value());
        expectEqual(*part, *run.between({Tick{30001}, Tick{66000}}, progress));
        const auto none = measure(trace, test::twoLevels(), {Tick{5}, Tick{5}}, ledger, progress);
        ASSERT_TRUE(none.has_value());
        EXPECT_EQ(none->counters.accesses(), 0u);
    }
}

TEST(Measures, LooksIntoTheFutureWhereItMust) {
    const auto trace = sharedAccesses(5000, 1);
    MachineConfig opt = test::twoLevels();
    opt.levels[0].policy = Policy::opt;
    Progress progress;
    const auto best = measure(trace, opt, {Tick{0}, Tick{5000}}, false, progress);
    const auto lru = measure(trace, test::twoLevels(), {Tick{0}, Tick{5000}}, false, progress);
    ASSERT_TRUE(best && lru);
    EXPECT_LT(best->counters.level(0).misses(), lru->counters.level(0).misses());
}

TEST(Measures, IsCancelled) {
    Progress progress;
    progress.cancel();
    for (const bool ledger : {false, true}) {
        const auto figures =
            measure(sharedAccesses(5000, 1), test::twoLevels(), {Tick{0}, Tick{5000}}, ledger, progress);
        ASSERT_FALSE(figures.has_value());
        EXPECT_TRUE(figures.error().cancelled);
    }
}

/// Two CPUs on a machine where every access costs 10 cycles; the second waits for the first.
TEST(Measures, ReportsTheElapsedCycles) {
    MachineConfig slow = parseGeometry("1K/2/32").value();
    slow.levels[0].latency = 10;
    slow.memoryLatency = 0;
    Progress progress;
    const auto elapsed = [&](bool knowsTime, Range range, bool ledger) {
        TraceBuilder b("t");
        if (knowsTime) b.workBeforeEach(1);
        for (int i = 0; i < 3; ++i) b.add(test::access(Op::read, 0x100, 4, 0));
        if (knowsTime) b.delay(5, Tick{2});
        b.add(test::access(Op::read, 0x100, 4, 1));
        const auto trace = test::shared(b);
        return measure(trace, slow, range, ledger, progress)->elapsed;
    };
    for (const bool ledger : {false, true}) {
        EXPECT_EQ(elapsed(false, {Tick{0}, Tick{4}}, ledger), 30u);
        EXPECT_EQ(elapsed(false, {Tick{2}, Tick{4}}, ledger), 10u);
        EXPECT_EQ(elapsed(false, {Tick{3}, Tick{4}}, ledger), 0u);  // the other CPU was not busy longer
        EXPECT_EQ(elapsed(true, {Tick{0}, Tick{4}}, ledger), 3 * 11u + 5 + 10);
        EXPECT_EQ(elapsed(true, {Tick{3}, Tick{4}}, ledger), 5u + 10);
    }
}

TEST(Measures, StreamsToTheSameCounts) {
    const test::Folder folder;
    for (const std::uint32_t cpus : {1u, 2u, 6u}) {
        const auto trace = sharedAccesses(20000, cpus);
        for (const char* name : {"t.trace", "t.whorl", "t.trace.gz"}) {
            ASSERT_EQ(test::written(*trace, folder.at(name)), "written");
            Progress progress;
            const auto streamed = measureStreamed(folder.at(name), {}, test::twoLevels(), progress);
            ASSERT_TRUE(streamed.has_value()) << streamed.error().sentence();
            const auto kept = measure(trace, test::twoLevels(), {Tick{0}, Tick{20000}}, false, progress);
            EXPECT_EQ(streamed->measures.machine, kept->machine);
            EXPECT_EQ(streamed->measures.counters, kept->counters);
            EXPECT_EQ(streamed->measures.cycles, kept->cycles);
            EXPECT_EQ(streamed->measures.elapsed, kept->elapsed);
            EXPECT_EQ(streamed->trace.cpus, cpus);
        }
    }
}

/// Two lines of a program, one after the other, that walk through arrays of their own.
TEST(Measures, StreamsTheSitesThatAPrefetcherLearnsFrom) {
    std::string lackey;
    std::string text;
    for (int i = 0; i < 6; ++i) {
        for (int array = 0; array < 2; ++array) {
            const int at = 0x10000 * (array + 1) + 64 * i;
            lackey += fmt::format("I  {:x},4\n L {:x},8\n", 0x400 + 4 * array, at);
            text += fmt::format("R 0x{:x} 8 a.c:{}\n", at, array + 1);
        }
    }
    MachineConfig machine = parseGeometry("4K/4/64").value();
    machine.levels[0].prefetch = Prefetcher::stride;
    const test::Folder folder;
    for (const std::string& path : {folder.put("lackey", lackey), folder.put("text", text)}) {
        Progress progress;
        const auto streamed = measureStreamed(path, {}, machine, progress);
        ASSERT_TRUE(streamed.has_value()) << streamed.error().sentence();
        EXPECT_EQ(streamed->measures.counters.level(0).misses(), 8u);
        EXPECT_EQ(streamed->measures.counters.level(0).prefetches, 6u);
    }
}

TEST(Measures, StreamsToTheSameCountsOnEveryMachine) {
    const test::Folder folder;
    const std::uint64_t cases = testRounds(600);
    std::uint64_t prefetches = 0;
    for (std::uint64_t seed = 0; seed < cases; ++seed) {
        const reference::Case random = reference::randomCase(seed, 150);
        TraceBuilder builder("random");
        for (std::uint32_t line = 1; line < 512; ++line) builder.site("kernel.c", line);
        for (const Access& a : random.trace) builder.add(a);
        const auto trace = test::shared(builder);
        for (const char* name : {"t.trace", "t.whorl"}) {
            ASSERT_EQ(test::written(*trace, folder.at(name)), "written");
            if (!canStream(folder.at(name), {}, random.machine)) continue;
            Progress progress;
            const auto streamed = measureStreamed(folder.at(name), {}, random.machine, progress);
            ASSERT_TRUE(streamed.has_value()) << streamed.error().sentence();
            const auto read = readTrace(folder.at(name), {}, progress);
            const auto kept = measure(std::make_shared<const Trace>(*read), random.machine, test::wholeOf(*trace),
                                      seed % 2 == 0, progress);
            ASSERT_EQ(streamed->measures.counters, kept->counters) << "case " << seed;
            ASSERT_EQ(streamed->measures.cycles, kept->cycles) << "case " << seed;
            for (std::size_t l = 0; l < random.machine.levels.size(); ++l) {
                if (random.machine.levels[l].prefetch != Prefetcher::stride) continue;
                prefetches += kept->counters.level(l).prefetches;
            }
        }
    }
    EXPECT_GT(prefetches, cases / 4);
}

TEST(Measures, StreamsOnlyWhatNeedsNoMore) {
    const test::Folder folder;
    const std::string path = folder.put("t", "R 1000 4\n");
    ReadOptions lackey = test::forced(TraceFormat::lackey);
    ReadOptions regions;
    regions.only.regions = {"A"};
    MachineConfig opt = test::twoLevels();
    opt.levels[1].policy = Policy::opt;
    EXPECT_TRUE(canStream(path, {}, test::twoLevels()));
    EXPECT_FALSE(canStream(path, regions, test::twoLevels()));
    ReadOptions named;
    named.regions = "names";
    EXPECT_FALSE(canStream(path, named, test::twoLevels()));
    EXPECT_FALSE(canStream(path, {}, opt));
    EXPECT_FALSE(canStream("-", {}, test::twoLevels()));
    EXPECT_TRUE(canStream("-", lackey, test::twoLevels()));
    EXPECT_TRUE(canStream("-", test::forced(TraceFormat::champsim), test::twoLevels()));
    EXPECT_FALSE(canStream("-", test::forced(TraceFormat::drcachesim), test::twoLevels()));
    ReadOptions recorded;
    recorded.order = AccessOrder::recorded;
    EXPECT_TRUE(canStream("-", recorded, withCpus(test::twoLevels(), kMaxCpus)));
    EXPECT_FALSE(canStream("-", {}, withCpus(test::twoLevels(), kMaxCpus))) << "its order may be another one";
}

TEST(Measures, SaysWhenTheCpusAreTooMany) {
    MachineConfig groups = test::twoLevels();
    groups.cpus = 3;
    groups.levels[0].sharedBy = 3;
    const auto trace = sharedAccesses(5000, 64);
    Progress progress;
    const auto figures = measure(trace, groups, {Tick{0}, Tick{5000}}, false, progress);
    ASSERT_FALSE(figures.has_value());
    EXPECT_EQ(figures.error().sentence(), "random: it names more CPUs than the machine can have");
    const test::Folder folder;
    test::written(*trace, folder.at("t.whorl"));
    const auto streamed = measureStreamed(folder.at("t.whorl"), {}, groups, progress);
    ASSERT_FALSE(streamed.has_value());
    EXPECT_EQ(streamed.error().what, "it names more CPUs than the machine can have");
}

}  // namespace
}  // namespace whorl::sim
