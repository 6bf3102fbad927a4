// Layout changes that are tried: savings computed by hand, and the same as those of a what-if for the built-in programs
// and for random runs. No change that is named costs cycles.
#include "sim/analysis/sharing_trials.h"

#include "support/json.h"

#include "sim/analysis/comparison.h"
#include "sim/analysis/history_help.h"
#include "sim/analysis/sharing_help.h"
#include "sim/programs/programs_support.h"
#include "sim/replay/measuring.h"
#include "sim/report/json.h"
#include "sim/report/sharing_report.h"
#include "sim/trace/layout/mapped_trace.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::counter;
using test::writeInTurn;

struct Tried {
    std::shared_ptr<const Run> run;
    SharingReport report;

    std::string text() const { return sharingDocument({report, run->sharedTrace()}).text(9); }
};

Tried tried(std::shared_ptr<const Run> run, Range range) {
    Progress progress;
    Tried out{.run = std::move(run), .report = {}};
    out.report = sharingOf(*out.run, range, progress).value();
    EXPECT_TRUE(tryCures(out.report, *out.run, progress));
    return out;
}

Tried tried(std::shared_ptr<const Trace> trace, const MachineConfig& machine) {
    const Range all = test::wholeOf(*trace);
    return tried(test::built(std::move(trace), machine), all);
}

Tried tried(TraceBuilder& b) {
    return tried(test::shared(b), test::sharingMachine());
}

std::vector<LayoutChange> changesOf(const std::vector<std::string>& specs) {
    std::vector<LayoutChange> out;
    for (const std::string& spec : specs) out.push_back(parseLayoutChange(spec).value());
    return out;
}

TEST(SharingTrials, NamesWhatSavesCyclesWithItsSavings) {
    TraceBuilder b("counters");
    b.newObject(counter("a", 0x1000));
    b.newObject(counter("b", 0x1004));
    writeInTurn(b, {0x1000, 0x1004}, 4);
    const Tried t = tried(b);
    ASSERT_EQ(t.report.groups.size(), 1u);
    // Each of the eight writes misses; apart, only the first of each CPU does.
    const Trial expected{.changes = changesOf({"align:b:32"}), .cycles = 600, .elapsed = 300, .padding = 28};
    EXPECT_EQ(t.report.groups[0].cures, (std::vector<Trial>{expected}))
        << "padding b does not help, and is not named; nor is what has the same effect";
    EXPECT_EQ(t.report.together, std::nullopt);
    EXPECT_EQ(t.text(),
              "600 cycles lost by sharing, of 808 access cycles.\n"
              "Tried on machine small: 1 change of the layout, of which 1 saves 1 % of all stall cycles.\n\n"
              "L1: 1 block of a and b: false sharing. Invalidated 7 times; 6 misses by false\n"
              "   sharing, 0 by true sharing; 600 cycles lost, 74.3 % of all. CPU 0 writes a;\n"
              "   CPU 1 writes b. At fault: a.c:7 (600 cycles). Cure: align b to 32 bytes\n"
              "   (--map \"align:b:32\"), which saves 600 access cycles and 300 elapsed, for 28\n"
              "   bytes of padding.\n");
    const test::Json json(jsonText(sharingDocument({t.report, t.run->sharedTrace()}).json()));
    EXPECT_EQ(json["tried"], 1);
    EXPECT_EQ(json["machine"], "small");
    EXPECT_EQ(json["together"], nullptr);
    EXPECT_EQ(json["groups"][0]["cures"].dump(),
              R"([{"changes":[{"bytes":32,"element":0,"kind":"align","of_class":false,"spec":"align:b:32",)"
              R"("thing":"b"}],"padding":28,"saved_cycles":600,"saved_elapsed":300}])");
}

/// Two CPUs fill an array by turns, then one reads it all: apart, its elements take eight misses to read instead of
/// one.
TEST(SharingTrials, DoesNotNameWhatCostsCycles) {
    TraceBuilder b("array");
    Region r = test::region("C", 0x1000, 32);
    r.elementSize = 4;
    r.rows = 8;
    b.addRegion(r);
    for (std::uint8_t i = 0; i < 8; ++i) b.add(test::access(Op::write, 0x1000 + 4 * i, 4, i % 2));
    for (std::uint8_t i = 0; i < 8; ++i) b.add(test::access(Op::read, 0x1000 + 4 * i, 4, 0));
    const Tried t = tried(b);
    ASSERT_EQ(t.report.groups.size(), 1u);
    EXPECT_TRUE(t.report.groups[0].cures.empty());
    // The eight writes miss as before. CPU 0 misses the four elements that CPU 1 wrote.
    const Trial expected{.changes = changesOf({"spread:C:32"}), .cycles = -300, .elapsed = -300, .padding = 224};
    EXPECT_EQ(t.report.groups[0].rejected, (std::vector<Trial>{expected}));
    EXPECT_NE(t.text().find("of which none saves 1 % of all stall cycles"), std::string::npos) << t.text();
    EXPECT_NE(t.text().find("No cure: to spread the elements"), std::string::npos) << t.text();
    EXPECT_EQ(t.text().find("Cure:"), std::string::npos) << t.text();
}

/// Two counters in a block, and a hundred times as many misses elsewhere.
TEST(SharingTrials, DoesNotNameWhatSavesNextToNothing) {
    TraceBuilder b("little");
    b.newObject(counter("a", 0x1000));
    b.newObject(counter("b", 0x1004));
    writeInTurn(b, {0x1000, 0x1004}, 4);
    for (std::uint64_t i = 0; i < 700; ++i) {
        for (const std::uint8_t cpu : {0, 1}) b.add(test::access(Op::read, 0x100000 * (cpu + 1) + 32 * i, 4, cpu));
    }
    const Tried t = tried(b);
    ASSERT_EQ(t.report.groups.size(), 1u);
    EXPECT_TRUE(t.report.groups[0].cures.empty());
    const Trial expected{.changes = changesOf({"align:b:32"}), .cycles = 600, .elapsed = 300, .padding = 28};
    EXPECT_EQ(t.report.groups[0].rejected, (std::vector<Trial>{expected}));
    EXPECT_EQ(remarksOn(t.report, t.report.groups[0]),
              "Too little for a cure: to align b to 32 bytes (--map \"align:b:32\") saves 600 access "
              "cycles and 300 elapsed, "
              "for 28 bytes of padding.");
    EXPECT_NE(t.text().find("of which none saves 1 % of all stall cycles"), std::string::npos) << t.text();
}

/// An array of 64 numbers that 4 CPUs write, in blocks of 4; the owner of each element is given.
template <class Owner>
SharingReport dealt(bool isZeroedBefore, Owner&& owner) {
    TraceBuilder b("dealt");
    Region x = test::region("x", 0x1000, 512);
    x.elementSize = 8;
    x.rows = 64;
    b.addRegion(x);
    for (std::uint64_t i = 0; i < 64 && isZeroedBefore; ++i) b.add(test::access(Op::write, 0x1000 + 8 * i, 8, 0));
    for (int round = 0; round < 2; ++round) {
        for (std::uint64_t i = 0; i < 64; ++i) {
            b.add(test::access(Op::write, 0x1000 + 8 * i, 8, static_cast<std::uint8_t>(owner(i))));
        }
    }
    const auto run = test::built(b, test::sharingMachine());
    Progress progress;
    return sharingOf(*run, {Tick{0}, Tick{run->trace().size()}}, progress).value();
}

TEST(SharingTrials, NeighboursOfDifferentThreadsBelongInChunks) {
    const auto remarks = [](const SharingReport& report) {
        std::string out;
        for (const SharingGroup& group : report.groups) out += remarksOn(report, group);
        return out;
    };
    const std::string chunks = "Neighbours in x belong to different threads: give each a contiguous chunk.";
    for (const bool isZeroed : {false, true}) {
        EXPECT_EQ(remarks(dealt(isZeroed, [](std::uint64_t i) { return i % 4; })), chunks);
        EXPECT_EQ(remarks(dealt(isZeroed, [](std::uint64_t i) { return i / 3 % 4; })), chunks);
        EXPECT_EQ(remarks(dealt(isZeroed, [](std::uint64_t i) { return i < 18   ? 0
                                                                       : i < 33 ? 1
                                                                       : i < 50 ? 2
                                                                                : 3; })),
                  "")
            << "they are contiguous";
        EXPECT_EQ(remarks(dealt(isZeroed, [](std::uint64_t i) { return i < 4 ? i : 0; })), "")
            << "four counters of four CPUs are one for each: padding helps";
    }
}

TEST(SharingTrials, CombinesCuresOfSeveralGroups) {
    TraceBuilder b("two");
    for (const std::uint64_t base : {0x1000, 0x5000}) {
        const std::string name = base == 0x1000 ? "a" : "b";
        b.newObject(counter(name + "0", base));
        b.newObject(counter(name + "1", base + 4));
        writeInTurn(b, {base, base + 4}, base == 0x1000 ? 4 : 6);
    }
    const Tried t = tried(b);
    ASSERT_EQ(t.report.groups.size(), 2u);
    ASSERT_TRUE(t.report.together.has_value());
    EXPECT_EQ(t.report.together->changes, changesOf({"align:b1:32", "align:a1:32"}));
    EXPECT_EQ(t.report.together->cycles, 600 + 1000);
    EXPECT_EQ(t.report.together->elapsed, 300 + 500);
    EXPECT_EQ(t.report.together->padding, 56u);
    EXPECT_NE(t.text().find("Together: align b1 to 32 bytes, align a1 to 32 bytes"), std::string::npos) << t.text();
}

/// Three counters need two changes: alone, either leaves two of them in a block.
TEST(SharingTrials, TriesWhatBelongsTogetherTogether) {
    TraceBuilder b("three");
    for (const std::uint64_t i : {0, 1, 2}) b.newObject(counter("c" + std::to_string(i), 0x1000 + 4 * i));
    writeInTurn(b, {0x1000, 0x1004, 0x1008}, 4);
    const Tried t = tried(b);
    ASSERT_EQ(t.report.groups.size(), 1u);
    ASSERT_FALSE(t.report.groups[0].cures.empty());
    const Trial& best = t.report.groups[0].cures.front();
    EXPECT_EQ(best.changes, changesOf({"align:c1:32", "align:c2:32"}));
    EXPECT_EQ(best.cycles, 900);
    EXPECT_EQ(best.elapsed, 300);
}

TEST(SharingTrials, SavesMoreByTimeThenByWaitingThenByBytes) {
    const auto trial = [](std::int64_t cycles, std::int64_t elapsed, std::uint64_t padding) {
        return Trial{.changes = {}, .cycles = cycles, .elapsed = elapsed, .padding = padding};
    };
    EXPECT_TRUE(savesMore(trial(1, 2, 9), trial(5, 1, 0)));
    EXPECT_TRUE(savesMore(trial(5, 1, 9), trial(4, 1, 0)));
    EXPECT_TRUE(savesMore(trial(5, 1, 8), trial(5, 1, 9)));
    EXPECT_FALSE(savesMore(trial(5, 1, 8), trial(5, 1, 8)));
    EXPECT_TRUE(trial(0, 1, 0).helps());
    EXPECT_FALSE(trial(0, 0, 0).helps());
    EXPECT_FALSE(trial(100, -1, 0).helps()) << "the program takes longer";
    EXPECT_FALSE(trial(-1, 100, 0).helps());
    EXPECT_EQ(savingsOf(trial(100, -1, 1)), "saves 100 access cycles, but costs 1 elapsed, for 1 byte of padding");
    EXPECT_EQ(savingsOf(trial(100, 0, 0)), "saves 100 access cycles");
    EXPECT_EQ(savingsOf(trial(0, -7, 1)), "costs 7 cycles elapsed, for 1 byte of padding");
    EXPECT_EQ(savingsOf(trial(0, 0, 64)), "changes no cycles, for 64 bytes of padding");
    EXPECT_EQ(savingsOf(trial(-1200, -3, 8)), "costs 1 200 access cycles and 3 elapsed, for 8 bytes of padding");
}

/// Plays a trial again by the way of `whorl whatif`.
void expectSameByWhatIf(const Trial& trial, const Run& run) {
    Progress progress;
    const auto view = test::shared(mapped(run.sharedTrace(), trial.changes, progress).value());
    const WhatIf again = whatIf(run.sharedTrace(), view, run.machine(), progress).value();
    for (const Difference& d : again.figures) {
        const std::int64_t saved = static_cast<std::int64_t>(d.before) - static_cast<std::int64_t>(d.after);
        if (d.key == "cycles") {
            EXPECT_EQ(saved, trial.cycles);
        }
        if (d.key == "elapsed") {
            EXPECT_EQ(saved, trial.elapsed);
        }
    }
    EXPECT_EQ(view->padding(), trial.padding);
}

/// Whether a trial saves a hundredth of all stall cycles, or of those elapsed, of those that a group loses.
bool isWorth(const Trial& trial, const SharingGroup& group, const Run& run, Range range) {
    Progress progress;
    const Measures all = measure(run.sharedTrace(), run.machine(), range, false, progress).value();
    const auto saves = [&](std::int64_t cycles, Cycles of) {
        return cycles > 0 && 100 * std::min(static_cast<Cycles>(cycles), group.lost) >= of;
    };
    return saves(trial.cycles, all.cyclesOfAll() - all.counters.accesses() * all.machine.lookUp()) ||
           saves(trial.elapsed, all.elapsed.value_or(0));
}

/// The law of which trials are cures.
void expectSorted(const SharingReport& report, const Run& run) {
    for (const SharingGroup& group : report.groups) {
        for (const Trial& cure : group.cures) {
            EXPECT_TRUE(cure.helps() && isWorth(cure, group, run, report.range));
        }
        for (const Trial& trial : group.rejected) {
            const bool parts = group.alternating.empty() || 2 * trial.cycles >= static_cast<std::int64_t>(group.lost);
            EXPECT_FALSE(trial.helps() && parts && isWorth(trial, group, run, report.range));
        }
    }
}

std::vector<Trial> allOf(const SharingReport& report, std::vector<Trial> SharingGroup::*kin) {
    std::vector<Trial> out;
    for (const SharingGroup& group : report.groups) {
        for (const Trial& trial : group.*kin) {
            if (std::find(out.begin(), out.end(), trial) == out.end()) out.push_back(trial);
        }
    }
    return out;
}

TEST(SharingTrials, NoCureOfABuiltInProgramCostsCycles) {
    std::size_t costly = 0;  // of what is proposed
    for (const std::string program :
         {"vecadd", "vecadd:chunk=4", "vecadd:spin=ttas", "windtunnel", "windtunnel:quadrants=apart", "nbody"}) {
        const auto trace = test::shared(ran(program));
        const std::string own = parseProgramSpec(program)->program->machine;
        for (const std::string& name : {own, std::string("paradigm")}) {
            SCOPED_TRACE(program + " on " + name);
            const Tried t = tried(trace, loadMachine(name).value());
            for (const SharingGroup& group : t.report.groups) {
                EXPECT_TRUE(std::is_sorted(group.cures.begin(), group.cures.end(), savesMore));
            }
            std::vector<Trial> cures = allOf(t.report, &SharingGroup::cures);
            if (t.report.together) cures.push_back(*t.report.together);
            for (const Trial& cure : cures) {
                SCOPED_TRACE(asText(cure.changes.front()));
                EXPECT_GE(cure.cycles, 0);
                EXPECT_GE(cure.elapsed, 0);
                EXPECT_GT(cure.cycles + cure.elapsed, 0);
                expectSameByWhatIf(cure, *t.run);
            }
            expectSorted(t.report, *t.run);
            for (const Trial& trial : allOf(t.report, &SharingGroup::rejected)) {
                costly += trial.cycles < 0 ? 1 : 0;
            }
        }
    }
    EXPECT_GE(costly, 9u) << "what is proposed by reasoning often costs cycles, so that the law says something";
}

TEST(SharingTrials, AreMeasuredOverTheRange) {
    std::size_t trials = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const test::RandomRun random(seed);
        const Tried t = tried(random.run, random.range);
        Progress progress;
        for (const auto kin : {&SharingGroup::cures, &SharingGroup::rejected}) {
            for (const Trial& trial : allOf(t.report, kin)) {
                ++trials;
                const auto view = test::shared(mapped(random.run->sharedTrace(), trial.changes, progress).value());
                const auto after = test::built(view, random.run->machine())->between(random.range, progress);
                const auto before = random.run->between(random.range, progress);
                EXPECT_EQ(static_cast<std::int64_t>(before->cyclesOfAll()) - trial.cycles,
                          static_cast<std::int64_t>(after->cyclesOfAll()))
                    << "seed " << seed;
            }
        }
        expectSorted(t.report, *random.run);
        EXPECT_LE(t.report.tried, kMaxTrials + 12);
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_GE(trials, 6u) << "most rounds propose nothing, so all are played whatever share of them is asked for";
}

TEST(SharingTrials, AreCancelled) {
    Progress progress;
    const auto run = test::built(ran("vecadd"), loadMachine("chiron-vecadd").value());
    auto report = sharingOf(*run, {Tick{0}, Tick{run->trace().size()}}, progress);
    progress.cancel();
    EXPECT_FALSE(tryCures(*report, *run, progress));
    EXPECT_EQ(report->tried, 0u);
}

}  // namespace
}  // namespace whorl::sim
