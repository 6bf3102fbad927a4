// What other orders of loops save: as much as when they are written by hand.
#include "sim/analysis/loop_trials.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>

#include "sim/analysis/why.h"
#include "sim/programs/pattern/loop_orders.h"
#include "sim/programs/pattern/pattern_help.h"
#include "sim/replay/measuring.h"
#include "sim/report/json.h"
#include "sim/report/loop_words.h"
#include "sim/report/why_report.h"
#include "sim/trace/trace_help.h"
#include "support/json.h"
#include "support/machines.h"

namespace whorl::sim {
namespace {

using test::patternTrace;

std::vector<OtherLoops> otherLoopsIn(const std::string& text) {
    std::vector<OtherLoops> out;
    for (LoopOrder& order : loopOrders(parsePattern(text, "p").value())) {
        out.push_back({.words = order.words,
                       .line = order.line,
                       .text = order.text,
                       .run = [text = order.text](Progress& progress) {
                           return parsePattern(text, "p").and_then(
                               [&](const Pattern& p) { return runPattern(p, "p", progress); });
                       }});
    }
    return out;
}

WhyReport whyLoops(const std::string& text, const MachineConfig& machine) {
    Progress progress;
    return whyOf(test::shared(patternTrace(text)), machine, {.loops = otherLoopsIn(text)}, progress).value();
}

Measures typedMeasures(const std::string& text, const MachineConfig& machine) {
    Progress progress;
    const auto trace = test::shared(patternTrace(text));
    return measure(trace, machine, {Tick{0}, Tick{trace->size()}}, false, progress).value();
}

/// Every figure is that of the pattern that is typed.
void expectAsTyped(const WhyReport& report) {
    for (const LoopTrial& trial : report.loops) {
        SCOPED_TRACE(trial.loops.text);
        const Measures typed = typedMeasures(trial.loops.text, report.machine);
        EXPECT_EQ(trial.cycles, typed.cyclesOfAll());
        EXPECT_EQ(trial.accesses, typed.counters.accesses());
        EXPECT_EQ(trial.lost, trial.cycles - trial.accesses * report.machine.lookUp());
        for (std::size_t l = 0; l < trial.misses.size(); ++l) {
            EXPECT_EQ(trial.misses[l], typed.counters.level(l).misses());
        }
    }
}

TEST(LoopTrials, AWalkDownColumnsIsCuredByTheOtherOrder) {
    const MachineConfig machine = test::simplyTimed("1K/2/32");
    const WhyReport report = whyLoops("for i in 0..64 {\n for j in 0..64 { read A[j][i] } }", machine);
    expectAsTyped(report);
    const LoopTrial* const cure = report.loopCure();
    ASSERT_NE(cure, nullptr);
    EXPECT_EQ(cure->loops.words, "the loops over i and j the other way round");
    const Measures along = typedMeasures("for i in 0..64 { for j in 0..64 { read A[i][j] } }", machine);
    EXPECT_EQ(cure->misses, std::vector<std::uint64_t>{along.counters.level(0).misses()});
    EXPECT_EQ(report.misses, std::vector<std::uint64_t>{64 * 64});
    EXPECT_EQ(cure->cycles, along.cyclesOfAll());
    EXPECT_EQ(cure->misses[0], 64u * 64 / 4);
    EXPECT_EQ(loopsInWords(report),
              "the loops over i and j the other way round (line 1): 25 % of the L1 misses, -75 % stall cycles; type "
              "'pattern:for j in 0..64 { for i in 0..64 { read A[j][i] } }'");
    EXPECT_EQ(loopTrialsInWords(report), "4 other orders of the loops were tried by running them");
}

TEST(LoopTrials, ATranspositionIsCuredByBlocks) {
    const MachineConfig machine = test::simplyTimed("1K/4/32");
    const WhyReport report = whyLoops(
        "array A[64][64]; array B[64][65]; for i in 0..64 { for j in 0..64 { write B[j][i]; read A[i][j] } }", machine);
    expectAsTyped(report);
    const LoopTrial* const cure = report.loopCure();
    ASSERT_NE(cure, nullptr);
    EXPECT_EQ(cure->loops.words, "the loops over i and j in blocks of 8");
    const Measures tiled = typedMeasures(
        "array A[64][64]; array B[64][65]; for ii in 0..64 step 8 { for jj in 0..64 step 8 { for i in ii..ii + 8 { for "
        "j "
        "in jj..jj + 8 { write B[j][i]; read A[i][j] } } } }",
        machine);
    EXPECT_EQ(cure->cycles, tiled.cyclesOfAll());
    EXPECT_EQ(cure->misses[0], tiled.counters.level(0).misses());
}

TEST(LoopTrials, ASumThatIsKeptInMemoryCountsItsAccesses) {
    const std::string product =
        "for i in 0..16 { for j in 0..16 { for k in 0..16 { read A[i][k], B[k][j] } write C[i][j] } }";
    const WhyReport report = whyLoops(product, test::simplyTimed("512/2/32"));
    expectAsTyped(report);
    ASSERT_NE(report.loopCure(), nullptr);
    EXPECT_EQ(report.loopCure()->accesses, 4u * 16 * 16 * 16);
    EXPECT_NE(loopsInWords(report).find("of all cycles with 16 384 accesses instead of 8 448"), std::string::npos)
        << loopsInWords(report);
}

TEST(LoopTrials, NoCureIsOne) {
    const WhyReport report =
        whyLoops("for i in 0..64 { for j in 0..64 { read A[i][j] } }", test::simplyTimed("1K/2/32"));
    EXPECT_EQ(report.loopCure(), nullptr);
    EXPECT_EQ(report.loops.size(), 4u);
    const std::string words = loopsInWords(report);
    EXPECT_TRUE(words.starts_with("no other order of the loops saves 1 % of all stall cycles; tried: the loops over"))
        << words;
    EXPECT_NE(words.find(" and 1 more"), std::string::npos) << words;
    EXPECT_TRUE(loopsInWords(whyLoops("for i in 0..64 { read A[i] }", test::simplyTimed("1K/2/32"))).empty());
}

TEST(LoopTrials, IsTheSameAsJson) {
    const WhyReport report =
        whyLoops("for i in 0..64 { for j in 0..64 { read A[j][i] } }", test::simplyTimed("1K/2/32"));
    const test::Json json(jsonText(whyDocument(report, nullptr).json()));
    EXPECT_EQ(json["loops"].size(), report.loops.size());
    EXPECT_EQ(json["loop_cure"]["words"], report.loopCure()->loops.words);
    EXPECT_EQ(json["loop_cure"]["pattern"], report.loopCure()->loops.text);
    EXPECT_EQ(json["loops"][0]["lost"], report.loops[0].lost);
    EXPECT_EQ(json["loops"][0]["misses_then"]["L1"], report.loops[0].misses[0]);
    const std::string text = whyDocument(report, nullptr).text(0);
    EXPECT_NE(text.find('\n' + loopsInWords(report) + '\n'), std::string::npos) << text;
    EXPECT_NE(text.find(loopTrialsInWords(report) + ".\n"), std::string::npos);
    EXPECT_EQ(text.find("hint:"), std::string::npos) << text;
}

TEST(LoopTrials, WhatDoesNotRunIsNotTried) {
    std::vector<OtherLoops> loops = otherLoopsIn("for i in 0..64 { for j in 0..64 { read A[j][i] } }");
    loops[0].run = [](Progress&) -> Expected<Trace> { return fail("p", "it does not run", ""); };
    Progress progress;
    progress.split();
    const auto trials = loopTrials(loops, test::simplyTimed("1K/2/32"), oneByOne, progress);
    ASSERT_TRUE(trials);
    EXPECT_EQ(trials->size(), loops.size() - 1);
    EXPECT_DOUBLE_EQ(progress.fraction(), 1);
}

TEST(LoopTrials, ProgressNeverRunsBackwardsAndCanBeStopped) {
    const std::string text = "for i in 0..64 { for j in 0..64 { read A[j][i] } }";
    Progress progress;
    double last = 0;
    std::vector<OtherLoops> loops = otherLoopsIn(text);
    for (OtherLoops& each : loops) {
        each.run = [&, run = each.run](Progress& part) {
            EXPECT_GE(progress.fraction(), last);
            EXPECT_LE(progress.fraction(), 1);
            last = progress.fraction();
            return run(part);
        };
    }
    const auto trace = test::shared(patternTrace(text));
    EXPECT_TRUE(whyOf(trace, test::simplyTimed("1K/2/32"), {.loops = loops}, progress));
    EXPECT_GT(last, 0.5);
    EXPECT_GE(progress.fraction(), last);
    Progress stopped;
    for (OtherLoops& each : loops) {
        each.run = [&, run = each.run](Progress& part) {
            stopped.cancel();
            return run(part);
        };
    }
    EXPECT_TRUE(whyOf(trace, test::simplyTimed("1K/2/32"), {.loops = loops}, stopped).error().cancelled);
}

}  // namespace
}  // namespace whorl::sim
