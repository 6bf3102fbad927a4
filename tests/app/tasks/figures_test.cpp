// The numbers that panels show are the run's own, whether computed synchronously or in the background.
#include "app/tasks/figures.h"

#include <gtest/gtest.h>

#include <thread>

#include "app/system/threads.h"
#include "app/tasks/background_queries.h"
#include "support/shared_trace.h"

namespace whorl::app {
namespace {

using sim::MissKind;
using sim::Tick;

/// A walk over two regions by two CPUs, long enough for an overview whose buckets hold several accesses.
std::string longTrace(int accesses) {
    std::string text = "region A 0x1000 4096 8 rows=512\nregion B 0x8000 4096 8 rows=512\n";
    std::uint32_t random = 7;
    for (int i = 0; i < accesses; ++i) {
        random = random * 1664525 + 1013904223;
        const std::uint32_t base = (random >> 30 & 1) != 0 ? 0x8000 : 0x1000;
        text += (random >> 29 & 1) != 0 ? "W " : "R ";
        text += std::to_string(base + (random >> 8 & 0x1ff) * 8) + " 8 cpu=" + std::to_string(random >> 28 & 1) + "\n";
    }
    return text;
}

MissKindCounts plainKinds(const sim::Run& run, std::uint64_t from, std::uint64_t to) {
    sim::Progress progress;
    const auto measures = run.between({Tick{from}, Tick{to}}, progress);
    MissKindCounts kinds(run.machine().levels.size());
    for (std::size_t l = 0; l < kinds.size(); ++l) {
        for (std::size_t k = 0; k < sim::kMissKinds; ++k) {
            kinds[l][k] = measures->ledger->misses(run.machine(), l, static_cast<MissKind>(k));
        }
    }
    return kinds;
}

TEST(Figures, KindsSoFarAreTheRunsToTheLast) {
    const Session s = sessionOn(longTrace(50000), sharedMachine());
    const sim::Run& run = *s.opened.run;
    const sim::Overview overview = run.overview();
    ASSERT_GT(overview.accessesPerBucket(), 1u);
    sim::Progress progress;
    for (const std::uint64_t at : {0u, 1u, 3u, 4u, 12345u, 49999u, 50000u}) {
        const auto kinds = kindsBefore(run, kindsKnown(overview, Tick{at}), Tick{at}, progress);
        EXPECT_EQ(kinds->at, Tick{at});
        EXPECT_EQ(kinds->kinds, plainKinds(run, 0, at)) << at;
        const sim::Simulator state = run.stateAt(Tick{at});
        for (std::size_t l = 0; l < 2; ++l) {
            std::uint64_t sum = 0;
            for (const std::uint64_t kind : kinds->kinds[l]) sum += kind;
            EXPECT_EQ(sum, state.counters().level(l).misses()) << at;
        }
    }
}

TEST(Figures, OfARangeAreTheRunsOwn) {
    const Session s = sessionOn(longTrace(3000), sharedMachine());
    const sim::Run& run = *s.opened.run;
    sim::Progress progress;
    const auto figures = figuresOf(run, {Tick{100}, Tick{900}}, progress);
    sim::Counters counters = run.stateAt(Tick{900}).counters();
    counters -= run.stateAt(Tick{100}).counters();
    EXPECT_EQ(figures->measures.counters, counters);
    EXPECT_EQ(figures->kinds, plainKinds(run, 100, 900));
    sim::Progress cancelled;
    cancelled.cancel();
    EXPECT_EQ(figuresOf(run, {Tick{100}, Tick{900}}, cancelled), nullptr);
}

TEST(Figures, KindsAreOfferedWhereTheyCanHappen) {
    sim::MachineConfig m = sharedMachine();
    for (std::size_t k = 0; k < sim::kMissKinds; ++k) EXPECT_TRUE(canHappen(m, static_cast<MissKind>(k)));
    m.protocol = sim::Protocol::none;
    EXPECT_FALSE(canHappen(m, MissKind::trueSharing));
    m.protocol = sim::Protocol::mesi;
    m.cpus = 1;
    EXPECT_FALSE(canHappen(m, MissKind::falseSharing));
    EXPECT_TRUE(canHappen(m, MissKind::conflict));
    m.levels = {{.name = "L1", .size = 128, .ways = 4, .block = 32}};
    EXPECT_FALSE(canHappen(m, MissKind::conflict)) << "a single set with LRU has none";
    m.levels[0].policy = sim::Policy::fifo;
    EXPECT_TRUE(canHappen(m, MissKind::conflict));
}

/// Polls until everything is answered.
void settle(BackgroundQueries& queries, const Session& session) {
    Commands commands;
    const sim::Overview overview = session.opened.run->overview();
    do {
        queries.update(session, overview, commands);
        std::this_thread::yield();
    } while (queries.working());
    EXPECT_TRUE(commands.empty());
}

/// In a film, each frame has its own counts, however fast the computer is.
TEST(BackgroundQueries, CountTheKindsOfEachFrameThatWaitsForThem) {
    Session s = sessionOn(longTrace(20000), sharedMachine());
    ImmediateRunner runner;
    BackgroundQueries queries(runner);
    Commands commands;
    for (std::uint64_t at = 100; at < 20000; at += 777) {
        s.player.lead({.position = static_cast<double>(at), .pace = 1000, .moves = true});
        ASSERT_TRUE(s.player.moving());
        queries.update(s, s.opened.run->overview(), commands);
        ASSERT_EQ(queries.results().soFar->at, Tick{at});
    }
    EXPECT_EQ(queries.results().soFar->kinds, plainKinds(*s.opened.run, 0, queries.results().soFar->at.value));
}

TEST(BackgroundQueries, AnswerWhatIsAskedLast) {
    Session s = sessionOn(longTrace(50000), sharedMachine());
    ThreadPool pool;
    BackgroundQueries queries(pool);
    settle(queries, s);
    EXPECT_EQ(queries.results().range, nullptr);
    EXPECT_EQ(queries.results().soFar->at, Tick{0});
    const sim::Overview overview = s.opened.run->overview();
    Commands commands;
    // As while a handle is dragged: every query but the last is cancelled.
    for (std::uint64_t to = 1000; to < 40000; to += 777) {
        s.range = sim::Range{Tick{500}, Tick{to}};
        queries.update(s, overview, commands);
    }
    s.player.seek(1234.5, s.end());
    settle(queries, s);
    EXPECT_EQ(queries.results().range->of, *s.range);
    EXPECT_EQ(queries.results().soFar->at, Tick{1235});
    EXPECT_EQ(queries.results().soFar->kinds, plainKinds(*s.opened.run, 0, 1235));
    s.range.reset();
    settle(queries, s);
    EXPECT_EQ(queries.results().range, nullptr);
}

TEST(BackgroundQueries, CuresAreTriedBeforeTheyAreListed) {
    std::string text = "region a 0x1000 4\nregion b 0x1004 4\n";
    for (int n = 0; n < 20; ++n) text += "W 0x1000 4 cpu=0\nW 0x1004 4 cpu=1\n";
    Session s = sessionOn(text, sharedMachine());
    ThreadPool pool;
    BackgroundQueries queries(pool);
    settle(queries, s);
    EXPECT_EQ(queries.results().sharing, nullptr) << "not asked for";
    command::apply(s, command::Sharing{});
    settle(queries, s);
    ASSERT_NE(queries.results().sharing, nullptr);
    const sim::SharingReport& report = *queries.results().sharing;
    EXPECT_GT(report.tried, 0u);
    ASSERT_FALSE(report.groups.empty());
    ASSERT_FALSE(report.groups[0].cures.empty());
    EXPECT_EQ(sim::asText(report.groups[0].cures[0].changes[0]), "align:b:32");
    EXPECT_GT(report.groups[0].cures[0].cycles, 0);
}

TEST(BackgroundQueries, WhatIsStoppedIsNotAskedAgain) {
    Session s = sessionOn(longTrace(60000), sharedMachine());
    ThreadPool pool;
    BackgroundQueries queries(pool);
    Commands commands;
    s.range = sim::Range{Tick{0}, Tick{30000}};
    queries.update(s, s.opened.run->overview(), commands);
    queries.cancel();
    settle(queries, s);
    if (queries.results().range == nullptr) {
        settle(queries, s);
        EXPECT_EQ(queries.results().range, nullptr);
    }
    s.range->to = Tick{30001};
    settle(queries, s);
    EXPECT_EQ(queries.results().range->of, *s.range);
    const Session other = sessionOn(longTrace(1000), sharedMachine());
    settle(queries, other);
    EXPECT_EQ(queries.results().range, nullptr) << "of another run";
}

}  // namespace
}  // namespace whorl::app
