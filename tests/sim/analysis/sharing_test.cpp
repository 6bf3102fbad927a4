// Sharing computed by hand, with what is proposed for it, and the sums against the kinds of misses of all other
// reports.
#include "sim/analysis/sharing.h"

#include "support/json.h"

#include "sim/analysis/history_help.h"
#include "sim/analysis/sharing_help.h"
#include "sim/report/json.h"
#include "sim/report/sharing_report.h"
#include "sim/trace/layout/mapped_trace.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::counter;
using test::writeInTurn;

SharingReport reportOf(const std::shared_ptr<const Trace>& trace) {
    Progress progress;
    return sharingOf(*test::built(trace, test::sharingMachine()), test::wholeOf(*trace), progress).value();
}

struct Analyzed {
    std::shared_ptr<const Trace> trace;
    SharingReport report;

    /// Misses by false sharing that remain when the proposals are applied.
    std::uint64_t leftWhenApplied() const {
        std::vector<LayoutChange> changes;
        for (const SharingGroup& group : report.groups) {
            changes.insert(changes.end(), group.proposals.begin(), group.proposals.end());
        }
        Progress progress;
        std::uint64_t left = 0;
        const auto cured = test::shared(mapped(trace, changes, progress).value());
        for (const SharedBlock& block : reportOf(cured).blocks) left += block.falseMisses;
        return left;
    }

    std::vector<std::string> proposals(std::size_t group = 0) const {
        std::vector<std::string> out;
        for (const LayoutChange& change : report.groups.at(group).proposals) out.push_back(asText(change));
        return out;
    }
};

Analyzed analyzed(TraceBuilder& b) {
    Analyzed out{.trace = test::shared(b), .report = {}};
    out.report = reportOf(out.trace);
    return out;
}

using Specs = std::vector<std::string>;

TEST(SharingReport, FindsTwoCountersInABlock) {
    TraceBuilder b("counters");
    b.newObject(counter("a", 0x1000));
    b.newObject(counter("b", 0x1004));
    writeInTurn(b, {0x1000, 0x1004}, 4);
    const Analyzed t = analyzed(b);
    ASSERT_EQ(t.report.groups.size(), 1u);
    const SharingGroup& group = t.report.groups[0];
    EXPECT_EQ(group.cause, SharingGroup::Cause::falseSharing);
    EXPECT_EQ(group.things, (Specs{"a", "b"}));
    EXPECT_EQ(group.invalidations, 7u);  // by all but the first write
    EXPECT_EQ(group.falseMisses, 6u);    // all but the first of each CPU
    EXPECT_EQ(group.trueMisses, 0u);
    EXPECT_EQ(group.lost, 600u);
    EXPECT_EQ(t.proposals(), (Specs{"align:b:32"}));
    EXPECT_EQ(t.leftWhenApplied(), 0u);
    EXPECT_EQ(sharingDocument({t.report, t.trace}).text(9),
              "600 cycles lost by sharing, of 808 access cycles.\n\n"
              "L1: 1 block of a and b: false sharing. Invalidated 7 times; 6 misses by false\n"
              "   sharing, 0 by true sharing; 600 cycles lost, 74.3 % of all. CPU 0 writes a;\n"
              "   CPU 1 writes b. At fault: a.c:7 (600 cycles).\n")
        << "a change that was not tried is not named";
    const test::Json json(jsonText(sharingDocument({t.report, t.trace}).json()));
    EXPECT_EQ(json["groups"][0]["blocks"][0]["fields"][1].dump(),
              R"({"address":"0x1004","cause":"false_sharing","cpus":[{"cpu":1,"reads":0,"writes":4}],)"
              R"("false_sharing":3,"invalidations":4,"lines":[{"line":"a.c:7","lost":300,"reads":0,"writes":4}],)"
              R"("lost":300,"offset":4,"place":"b","reads":0,"size":4,"true_sharing":0,"writes":4})");
    EXPECT_EQ(json["groups"][0]["lines"][0].dump(), R"({"invalidations":7,"line":"a.c:7","lost":600,"misses":6})");
}

/// An array of elements of 4 bytes.
Region array(std::uint64_t base, std::uint64_t elements) {
    Region r = test::region("C", base, 4 * elements);
    r.elementSize = 4;
    r.rows = elements;
    return r;
}

TEST(SharingReport, SpreadsAnArrayWhoseElementsBelongToDifferentCpus) {
    TraceBuilder b("array");
    b.addRegion(array(0x1000, 8));
    writeInTurn(b, {0x1000, 0x1004, 0x1008, 0x100c}, 4);
    const Analyzed t = analyzed(b);
    ASSERT_EQ(t.report.groups.size(), 1u);
    EXPECT_EQ(t.proposals(), (Specs{"spread:C:32"}));
    EXPECT_EQ(t.leftWhenApplied(), 0u);
    EXPECT_EQ(t.report.blocks[0].fields[2].place, "C[2]");
}

TEST(SharingReport, KeepsTogetherWhatOneCpuUses) {
    TraceBuilder b("chunks");
    b.addRegion(array(0x1000, 16));
    for (int n = 0; n < 4; ++n) {
        writeInTurn(b, {0x1000, 0x1008, 0x1020, 0x1028}, 1);
        writeInTurn(b, {0x1004, 0x100c, 0x1024, 0x102c}, 1);
    }
    const Analyzed t = analyzed(b);
    ASSERT_EQ(t.report.groups.size(), 1u);
    EXPECT_EQ(t.report.groups[0].blocks.size(), 2u);
    EXPECT_EQ(t.proposals(), (Specs{"spread:C:32:8"}));
    EXPECT_EQ(t.leftWhenApplied(), 0u);
    EXPECT_EQ(asAdvice(t.report.groups[0].proposals[0]), "spread every 8 bytes of C to 32 bytes each");
}

TEST(SharingReport, AlignsAllInstancesOfAClass) {
    TraceBuilder b("quadrants");
    for (std::uint64_t i = 0; i < 3; ++i)
        b.newObject(test::object("q" + std::to_string(i), 0x1000 + 4 * i, 4, "Quadrant"));
    writeInTurn(b, {0x1000, 0x1004, 0x1008}, 3);
    const Analyzed t = analyzed(b);
    EXPECT_EQ(t.report.groups[0].things, (Specs{"q0", "q1", "q2"}));
    EXPECT_EQ(t.proposals(), (Specs{"align:class:Quadrant:32"}));
    EXPECT_EQ(t.leftWhenApplied(), 0u);
    EXPECT_EQ(asAdvice(t.report.groups[0].proposals[0]), "align each Quadrant to 32 bytes");
}

TEST(SharingReport, PadsWhatIsFollowedByThingsWithoutAName) {
    TraceBuilder b("pad");
    b.newObject(counter("x", 0x1000));
    writeInTurn(b, {0x1000, 0x1010}, 3);
    const Analyzed t = analyzed(b);
    EXPECT_EQ(t.proposals(), (Specs{"pad:x:32"}));
    EXPECT_EQ(t.leftWhenApplied(), 0u);
}

/// Two objects in separate blocks, but in one block of a private L2.
TEST(SharingReport, FindsTheFartherLevelWhoseBlocksAreShared) {
    TraceBuilder b("farther");
    b.newObject(counter("x", 0x1000));
    b.newObject(counter("y", 0x1020));
    writeInTurn(b, {0x1000, 0x1020}, 4);
    MachineConfig two = withCpus(parseGeometry("1K/2/32, 4K/2/64").value(), 2);
    two.levels[1].sharedBy = 1;
    const auto trace = test::shared(b);
    Progress progress;
    const auto report = sharingOf(*test::built(trace, two), {Tick{0}, Tick{8}}, progress);
    ASSERT_EQ(report->groups.size(), 3u);
    EXPECT_EQ(report->groups[0].level, 1u);
    EXPECT_EQ(report->groups[0].falseMisses, 6u);
    for (const SharingGroup& group : report->groups) {
        ASSERT_EQ(group.proposals.size(), 1u);
        EXPECT_EQ(asText(group.proposals[0]), "align:y:64");
        EXPECT_EQ(group.through, group.level == 0 ? std::optional<std::size_t>(1) : std::nullopt);
    }
    // All cost is attributed to the farther level.
    EXPECT_EQ(report->groups[0].lost, report->lost);
}

/// The fields of a record that is surrounded by others stay together.
TEST(SharingReport, DoesNotSpreadWhatAligningCures) {
    TraceBuilder b("records");
    for (std::uint64_t i = 0; i < 2; ++i) {
        Object o = test::object("r" + std::to_string(i), 0x1000 + 8 * i, 4, "Record");
        o.size = 8;
        b.newObject(o);
    }
    for (int n = 0; n < 4; ++n) {
        writeInTurn(b, {0x1000, 0x1008}, 1);
        b.add(test::access(Op::read, 0x1004, 4, 0));
    }
    EXPECT_EQ(analyzed(b).proposals(), (Specs{"align:r1:32"}));
}

TEST(SharingReport, HasNoCureForTrueSharing) {
    TraceBuilder b("true");
    b.newObject(counter("x", 0x1000));
    for (int n = 0; n < 3; ++n) {
        for (const std::uint8_t cpu : {0, 1}) {
            b.add(test::access(Op::read, 0x1000, 4, cpu));
            b.add(test::access(Op::write, 0x1000, 4, cpu));
        }
    }
    const Analyzed t = analyzed(b);
    ASSERT_EQ(t.report.groups.size(), 1u);
    EXPECT_EQ(t.report.groups[0].cause, SharingGroup::Cause::trueSharing);
    EXPECT_EQ(t.report.groups[0].trueMisses, 4u);
    EXPECT_EQ(t.proposals(), Specs{});
    EXPECT_EQ(sharingDocument({t.report, t.trace}).text(1),
              "425 cycles lost by sharing, of 637 access cycles.\n\n"
              "L1: 1 block of x: true sharing. Invalidated 5 times; 0 misses by false sharing,\n"
              "   4 by true sharing; 425 cycles lost, 66.7 % of all. CPUs 0 and 1 read and\n"
              "   write x. They use the same words: no change of the layout helps.\n");
}

TEST(SharingReport, CountsUpgradesThatInvalidateACopy) {
    TraceBuilder b("upgrade");
    b.add(test::access(Op::read, 0x1000, 4, 0));
    b.add(test::access(Op::read, 0x1000, 4, 1));
    b.add(test::access(Op::write, 0x1000, 4, 0));
    const Analyzed t = analyzed(b);
    ASSERT_EQ(t.report.groups.size(), 1u);
    EXPECT_EQ(t.report.groups[0].cause, SharingGroup::Cause::noMiss);
    EXPECT_EQ(t.report.groups[0].invalidations, 1u);
    EXPECT_EQ(t.report.lost, 5u);
}

/// By MSI a CPU alone with a block must upgrade it, too. Of an access to two blocks, only the upgrade counts that
/// invalidated a copy.
TEST(SharingReport, CountsNoUpgradeThatInvalidatesNothing) {
    TraceBuilder b("upgrade");
    for (const std::uint8_t cpu : {1, 0}) b.add(test::access(Op::read, 0x1040, 4, cpu));
    b.add(test::access(Op::write, 0x1040, 4, 0));
    // CPU 0 loses the block to others of its set, and has it again, not to be written.
    for (const std::uint64_t address : {0x1140, 0x1240, 0x1340, 0x1440, 0x1040}) {
        b.add(test::access(Op::read, address, 4, 0));
    }
    for (const std::uint8_t cpu : {1, 0}) b.add(test::access(Op::read, 0x1080, 4, cpu));
    b.add(test::access(Op::write, 0x107c, 8, 0));
    MachineConfig machine;
    machine.cpus = 2;
    machine.protocol = Protocol::msi;
    machine.upgradeLatency = 5;
    machine.levels = {{.name = "L1", .size = 1024, .ways = 4, .block = 64, .sharedBy = 1}};
    const auto run = test::built(b, machine);
    Progress progress;
    EXPECT_EQ(run->totals().level(0).upgrades, 3u);
    EXPECT_EQ(sharingOf(*run, {Tick{0}, Tick{run->trace().size()}}, progress)->lost, 10u);
}

/// What a range lost does not depend on what happened before it.
TEST(SharingReport, TheLossesOfRangesAddUp) {
    for (std::uint64_t seed = 0; seed < testRounds(120); ++seed) {
        const test::RandomRun random(seed);
        const Range all{Tick{0}, Tick{random.run->trace().size()}};
        const Tick middle{seed * 7 % all.to.value};
        Progress progress;
        const Cycles whole = sharingOf(*random.run, all, progress)->lost;
        const Cycles first = sharingOf(*random.run, {all.from, middle}, progress)->lost;
        const Cycles second = sharingOf(*random.run, {middle, all.to}, progress)->lost;
        ASSERT_EQ(first + second, whole) << "seed " << seed;
    }
}

TEST(SharingReport, IsEmptyWhereNothingIsShared) {
    TraceBuilder b("alone");
    writeInTurn(b, {0x1000, 0x2000}, 3);
    const Analyzed t = analyzed(b);
    EXPECT_EQ(sharingDocument({t.report, t.trace}).text(5), "No CPU invalidates a block of another.\n");
}

TEST(SharingReport, SumsAreThoseOfTheKindsAndTheCounts) {
    for (std::uint64_t seed = 0; seed < testRounds(80); ++seed) {
        const test::RandomRun random(seed);
        Progress progress;
        const auto measures = random.run->between(random.range, progress);
        const auto report = sharingOf(*random.run, random.range, progress);
        const MachineConfig& machine = random.run->machine();
        Cycles lost = 0;
        for (std::size_t l = 0; l < machine.levels.size(); ++l) {
            SharedBlock sum;
            for (const SharedBlock& block : report->blocks) {
                if (block.level != l) continue;
                sum.trueMisses += block.trueMisses;
                sum.falseMisses += block.falseMisses;
                sum.invalidations += block.invalidations;
                lost += block.lost;
            }
            EXPECT_EQ(sum.trueMisses, measures->ledger->misses(machine, l, MissKind::trueSharing)) << "seed " << seed;
            EXPECT_EQ(sum.falseMisses, measures->ledger->misses(machine, l, MissKind::falseSharing)) << "seed " << seed;
            EXPECT_EQ(sum.invalidations, measures->counters.level(l).invalidations) << "seed " << seed;
        }
        Cycles ofGroups = 0;
        Cycles ofLines = 0;
        for (const SharingGroup& group : report->groups) {
            ofGroups += group.lost;
            for (const SharingLine& line : group.lines) ofLines += line.lost;
        }
        EXPECT_EQ(report->lost, lost);
        EXPECT_EQ(ofGroups, lost);
        EXPECT_EQ(ofLines, lost);
        EXPECT_LE(lost, report->cycles);
        Cycles waited = 0;
        for (const Cycles c : measures->cycles) waited += c;
        EXPECT_EQ(report->cycles, waited);
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(SharingReport, IsCancelled) {
    Progress progress;
    progress.cancel();
    const test::RandomRun random(2);
    EXPECT_FALSE(sharingOf(*random.run, random.range, progress).has_value());
}

}  // namespace
}  // namespace whorl::sim
