// A stretch of a run as a trace of its own, with what came before it, against the whole run.
#include "sim/replay/past.h"

#include <gtest/gtest.h>

#include <random>

#include "sim/base/byte_sink.h"
#include "sim/cache/stored_state.h"
#include "sim/reference/random_cases.h"
#include "sim/replay/excerpt.h"
#include "sim/replay/measuring.h"
#include "sim/replay/snapshot.h"
#include "sim/trace/formats/whorl_writer.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"
#include "support/runs.h"

namespace whorl::sim::test {
namespace {

/// As it is read from its file.
SharedTrace throughFile(const Trace& trace) {
    StringSink file;
    Progress progress;
    EXPECT_TRUE(writeWhorl(trace, file, progress));
    auto read = traceOfFile(file.bytes());
    EXPECT_TRUE(read) << read.error().sentence();
    EXPECT_TRUE(read->losses().empty());
    return std::make_shared<const Trace>(*std::move(read));
}

std::string cachesOf(const Simulator& machine) {
    return StoredState::of(machine.hierarchy());
}

reference::Case caseOf(std::uint64_t seed) {
    reference::Case random = reference::randomCase(seed, 300);
    for (LevelConfig& level : random.machine.levels) {
        if (level.policy == Policy::opt) level.policy = Policy::lru;
    }
    return random;
}

TEST(Past, AnExcerptGoesOnAsTheWholeRun) {
    std::mt19937_64 dice(8);
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        SCOPED_TRACE(seed);
        const reference::Case random = caseOf(seed);
        const auto whole = built(traceOf(random.trace, 2), random.machine);
        const std::uint64_t size = whole->trace().size();
        const std::uint64_t from = dice() % size;
        const Range range{Tick{from}, Tick{from + 1 + dice() % (size - from)}};
        const auto excerpt = excerptOf(*whole, range);
        ASSERT_TRUE(excerpt) << excerpt.error().sentence();
        const SharedTrace part = throughFile(**excerpt);
        ASSERT_EQ(part->size(), range.size());
        ASSERT_TRUE(pastOf(*part, whole->machine()));

        const auto run = built(part, random.machine);
        UseReader usesHere(run);
        UseReader usesThere(whole);
        for (int i = 0; i < 4; ++i) {
            const Tick at{dice() % (range.size() + 1)};
            const Tick there{from + at.value};
            EXPECT_EQ(cachesOf(run->stateAt(at)), cachesOf(whole->stateAt(there)));
            EXPECT_EQ(usesHere.at(at), usesThere.at(there));
        }
        Progress progress;
        const auto expected = whole->between(range, progress);
        const auto counted = measure(part, random.machine, {Tick{0}, Tick{part->size()}}, false, progress);
        ASSERT_TRUE(counted);
        for (const Measures& found : {*run->measures(), *counted}) {
            EXPECT_EQ(found.counters, expected->counters);
            EXPECT_EQ(found.cycles, expected->cycles);
        }
        EXPECT_TRUE(*run->measures()->ledger == *expected->ledger);
        const Tick middle{range.size() / 2};
        EXPECT_TRUE(*run->between({middle, Tick{range.size()}}, progress)->ledger ==
                    *whole->between({Tick{from + middle.value}, range.to}, progress)->ledger);
    }
}

TEST(Past, AnExcerptOfAnExcerptIsOneOfTheWhole) {
    const reference::Case random = caseOf(3);
    const auto whole = built(traceOf(random.trace, 3), random.machine);
    const auto outer = built(throughFile(**excerptOf(*whole, {Tick{100}, Tick{700}})), random.machine);
    const auto inner = throughFile(**excerptOf(*outer, {Tick{50}, Tick{250}}));
    const auto direct = throughFile(**excerptOf(*whole, {Tick{150}, Tick{350}}));
    EXPECT_EQ(inner->parts().excerpt->first, Tick{150});
    EXPECT_EQ(inner->parts().excerpt->whole, whole->trace().size());
    Progress progress;
    const auto a = measure(inner, random.machine, {Tick{0}, Tick{200}}, true, progress);
    const auto b = measure(direct, random.machine, {Tick{0}, Tick{200}}, true, progress);
    EXPECT_EQ(a->counters, b->counters);
    EXPECT_TRUE(*a->ledger == *b->ledger);
}

TEST(Past, OnAnotherMachineAnExcerptBeginsWithEmptyCaches) {
    const reference::Case random = caseOf(5);
    const auto whole = built(traceOf(random.trace, 2), random.machine);
    const auto part = throughFile(**excerptOf(*whole, {Tick{200}, Tick{400}}));
    MachineConfig other = random.machine;
    other.levels[0].latency += 1;
    EXPECT_FALSE(pastOf(*part, built(part, other)->machine()));
    Simulator cold(withCpus(other, part->cpus()));
    part->forEach(Tick{0}, Tick{part->size()}, [&](Tick, const Access& a) { cold.step(a); });
    EXPECT_EQ(built(part, other)->totals(), cold.counters());
}

TEST(Past, OptHasNone) {
    MachineConfig machine;
    machine.levels = {{"L1", 1024, 4, 32}};
    machine.levels[0].policy = Policy::opt;
    const auto run = built(traceOf(caseOf(1).trace, 1), machine);
    EXPECT_EQ(excerptOf(*run, {Tick{0}, Tick{10}}).error().what, "a part of a trace has no future for the policy OPT");
}

TEST(Past, WhateverItsBytesAreARunCanBeBuilt) {
    std::mt19937_64 dice(9);
    for (std::uint64_t seed = 0; seed < testRounds(200); ++seed) {
        const reference::Case random = caseOf(seed % 20);
        const auto whole = built(traceOf(random.trace, 1), random.machine);
        TraceParts parts = (*excerptOf(*whole, {Tick{100}, Tick{300}}))->parts();
        Excerpt excerpt = *parts.excerpt;
        for (int i = 0; i < 3; ++i) {
            excerpt.past[dice() % excerpt.past.size()] = static_cast<char>(dice() % 3 == 0 ? dice() : dice() % 4);
        }
        if (dice() % 4 == 0) excerpt.past.resize(dice() % excerpt.past.size());
        parts.excerpt = std::make_shared<const Excerpt>(excerpt);
        const auto run = built(Trace(std::move(parts)), random.machine);
        EXPECT_EQ(run->built(), Tick{200});  // of which some are unrecorded
        UseReader(run).at(Tick{200});
    }
}

}  // namespace
}  // namespace whorl::sim::test
