// Latent false sharing: constructed cases, and what is found appears when it is replayed.
#include "sim/analysis/latent_sharing.h"

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

/// CPUs with an L1 of 64 bytes a block before a memory 100 cycles away.
const std::string kBlocksOf64 = "4K/2/64";

struct Found {
    std::shared_ptr<const Run> run;
    SharingReport now;
    LatentReport latent;

    const LatentGroup* byPlacement() const {
        for (const LatentGroup& group : latent.groups) {
            if (!group.shifts.empty()) return &group;
        }
        return nullptr;
    }
    const LatentGroup* byBlocks() const {
        for (const LatentGroup& group : latent.groups) {
            if (group.shifts.empty()) return &group;
        }
        return nullptr;
    }
};

Found found(std::shared_ptr<const Run> run, Range range) {
    Progress progress;
    Found out{.run = std::move(run), .now = {}, .latent = {}};
    out.now = sharingOf(*out.run, range, progress).value();
    out.latent = latentSharingOf(*out.run, out.now, progress).value();
    return out;
}

Found found(TraceBuilder& b, const MachineConfig& machine) {
    const auto run = test::built(b, machine);
    return found(run, test::wholeOf(run->trace()));
}

/// Two CPUs, each of which writes ten times to a counter of its own.
Found countersApart(std::uint64_t apart) {
    TraceBuilder b("counters");
    b.newObject(counter("a", 0x1000));
    b.newObject(counter("b", 0x1000 + apart));
    writeInTurn(b, {0x1000, 0x1000 + apart}, 10);
    return found(b, test::simplyTimed(kBlocksOf64));
}

TEST(LatentSharing, FindsCountersABlockApart) {
    const Found f = countersApart(64);
    EXPECT_EQ(f.now.lost, 0u);
    ASSERT_EQ(f.latent.groups.size(), 2u);
    ASSERT_NE(f.byPlacement(), nullptr);
    const LatentGroup& moved = *f.byPlacement();
    EXPECT_EQ(moved.shifts, (std::vector<LayoutChange>{parseLayoutChange("shift:b:-32").value()}));
    EXPECT_EQ(moved.things, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(moved.cpus, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(moved.falseMisses, 18u);  // all but the first of each CPU
    EXPECT_EQ(moved.falseMissesNow, 0u);
    EXPECT_EQ(moved.lost, 1800u);
    ASSERT_NE(f.byBlocks(), nullptr);
    EXPECT_EQ(f.byBlocks()->falseMisses, 18u);
    EXPECT_EQ(f.byBlocks()->lost, 1800u);
    EXPECT_EQ(f.latent.doubled, (std::vector<std::uint32_t>{128}));
    EXPECT_EQ(latentAsText(f.latent, 1),
              "Latent false sharing: 1 other placement and blocks twice as large tried.\n\n"
              "Latent: if b began 32 bytes earlier, as another allocator or compiler may place\n"
              "   it, CPUs 0 and 1 would share blocks of a and b falsely in L1: 18 misses;\n"
              "   1 800 cycles lost (--map \"shift:b:-32\").\n"
              "\n… and 1 that would cost less\n");
    const test::Json json =
        test::Json(jsonText(sharingDocument({f.now, f.run->sharedTrace(), f.latent}).json()))["latent"];
    EXPECT_EQ(json["placements"], 1);
    EXPECT_EQ(json["doubled_blocks"]["L1"], 128);
    EXPECT_EQ(json["groups"].size(), 2u);
    EXPECT_EQ(json["groups"][0]["shifts"][0]["spec"], "shift:b:-32");
    EXPECT_EQ(json["groups"][0]["lost"], 1800);
}

TEST(LatentSharing, FindsNothingFurtherApart) {
    for (const std::uint64_t apart : {256, 4096}) {
        const Found f = countersApart(apart);
        EXPECT_TRUE(f.latent.groups.empty()) << apart;
        EXPECT_EQ(f.latent.placements, 0u) << "the filter finds no neighbours";
        EXPECT_NE(latentAsText(f.latent, 9).find("none would cause any"), std::string::npos);
    }
}

TEST(LatentSharing, DoesNotFindWhatIsSharedNow) {
    const Found f = countersApart(4);
    EXPECT_EQ(f.now.lost, 1800u);
    EXPECT_TRUE(f.latent.groups.empty());
}

/// Slices of a block each, aligned: whichever way the array is displaced, slices share blocks.
TEST(LatentSharing, FindsAnArrayWhoseStartMatters) {
    TraceBuilder b("slices");
    Region r = test::region("sums", 0x1000, 256);
    r.elementSize = 8;
    r.rows = 32;
    b.addRegion(r);
    for (int n = 0; n < 5; ++n) {
        for (std::uint64_t i = 0; i < 8; ++i) {
            for (std::uint8_t cpu = 0; cpu < 4; ++cpu)
                b.add(test::access(Op::write, 0x1000 + 64 * cpu + 8 * i, 8, cpu));
        }
    }
    const Found f = found(b, test::simplyTimed(kBlocksOf64));
    EXPECT_EQ(f.now.lost, 0u);
    ASSERT_NE(f.byPlacement(), nullptr);
    EXPECT_EQ(asText(f.byPlacement()->shifts.at(0)), "shift:sums:32");
    EXPECT_EQ(f.byPlacement()->cpus.size(), 4u);
    EXPECT_GT(f.byPlacement()->lost, 0u);
    ASSERT_NE(f.byBlocks(), nullptr);
}

/// What has no room to move alone moves with its neighbour.
TEST(LatentSharing, DisplacesNeighboursTogether) {
    TraceBuilder b("packed");
    b.newObject(counter("a", 0x1000, 64));
    b.newObject(counter("b", 0x1040, 64));
    for (int n = 0; n < 5; ++n) {
        for (std::uint64_t i = 0; i < 16; ++i) writeInTurn(b, {0x1000 + 4 * i, 0x1040 + 4 * i}, 1);
    }
    const Found f = found(b, test::simplyTimed(kBlocksOf64));
    ASSERT_NE(f.byPlacement(), nullptr);
    ASSERT_EQ(f.byPlacement()->shifts.size(), 2u);
    EXPECT_EQ(asText(f.byPlacement()->shifts[0]), "shift:b:32");
    EXPECT_EQ(asText(f.byPlacement()->shifts[1]), "shift:a:32");
}

TEST(LatentSharing, IsFoundOnlyWhereSomethingIsWritten) {
    TraceBuilder b("readers");
    b.newObject(counter("a", 0x1000));
    b.newObject(counter("b", 0x1040));
    for (int n = 0; n < 10; ++n) {
        b.add(test::access(Op::read, 0x1000, 4, 0));
        b.add(test::access(Op::read, 0x1040, 4, 1));
    }
    const Found f = found(b, test::simplyTimed(kBlocksOf64));
    EXPECT_EQ(f.latent.placements, 0u);
    EXPECT_TRUE(f.latent.groups.empty());
}

std::uint64_t falseMissesOf(const SharingReport& report, std::size_t level) {
    std::uint64_t sum = 0;
    for (const SharedBlock& block : report.blocks) sum += block.level == level ? block.falseMisses : 0;
    return sum;
}

/// Only what moves is looked at, so that a find may be offset elsewhere by less.
TEST(LatentSharing, AppearsWhenItIsReplayed) {
    for (const std::uint64_t apart : {64, 68, 96, 120}) {
        const Found f = countersApart(apart);
        ASSERT_NE(f.byPlacement(), nullptr) << apart;
        Progress progress;
        const auto view = test::shared(mapped(f.run->sharedTrace(), f.byPlacement()->shifts, progress).value());
        const auto then = sharingOf(*test::built(view, test::simplyTimed(kBlocksOf64)), f.now.range, progress);
        const std::size_t level = f.byPlacement()->level;
        EXPECT_EQ(falseMissesOf(*then, level) - falseMissesOf(f.now, level), f.byPlacement()->falseMisses) << apart;
        EXPECT_EQ(then->lost - f.now.lost, f.byPlacement()->lost) << apart;
    }
}

TEST(LatentSharing, IsBoundedForAnyRun) {
    for (std::uint64_t seed = 0; seed < testRounds(40); ++seed) {
        const test::RandomRun random(seed);
        const Found f = found(random.run, random.range);
        EXPECT_LE(f.latent.placements, kMaxPlacements);
        for (const LatentGroup& group : f.latent.groups) {
            EXPECT_GT(group.lost, 0u);
            EXPECT_GT(group.falseMisses, 0u);
            EXPECT_FALSE(group.things.empty());
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(LatentSharing, IsCancelled) {
    Progress progress;
    const Found f = countersApart(64);
    progress.cancel();
    EXPECT_FALSE(latentSharingOf(*f.run, f.now, progress).has_value());
}

}  // namespace
}  // namespace whorl::sim
