// Which bytes of blocks are used, on examples worked by hand.
#include "sim/replay/totals/block_use.h"

#include <gtest/gtest.h>

#include "sim/base/compact_bytes.h"
#include "sim/replay/measuring.h"
#include "sim/trace/trace_builder.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim {
namespace {

/// The use of the blocks of a level over a whole trace.
StaySum staysOf(TraceBuilder& builder, const MachineConfig& machine, std::size_t level) {
    const auto trace = test::shared(builder);
    Progress progress;
    const auto measures = measure(trace, machine, test::wholeOf(*trace), true, progress);
    return measures->ledger->staysAt(measures->machine, level);
}

// A loop over the first 8 of every 64 bytes, which Callgrind with --cacheuse=yes reports as 60 002 misses and
// 3 360 112 bytes lost.
TEST(BlockUse, IsThatOfCallgrind) {
    TraceBuilder builder("loop");
    for (std::uint64_t i = 0; i < 60'002; ++i) builder.add(test::access(Op::read, 0x100000 + 64 * i, 8));
    const StaySum stays = staysOf(builder, parseGeometry("32K/8/64, 1M/16/64").value(), 0);
    EXPECT_EQ(stays.fills, 60'002u);
    EXPECT_EQ(stays.unusedBytes(64), 3'360'112u);
    EXPECT_EQ(stays.savedByFullUse(64), 52'501u);
    EXPECT_DOUBLE_EQ(stays.utilization(64), 0.125);
}

// A byte counts once, however often it is used; in each stay anew.
TEST(BlockUse, CountsTheBytesOfAStay) {
    TraceBuilder builder("stays");
    builder.add(test::access(Op::read, 0x100, 4));
    builder.add(test::access(Op::write, 0x102, 4));
    builder.add(test::access(Op::read, 0x100, 1));
    builder.add(test::access(Op::read, 0x200, 16));  // evicts it
    builder.add(test::access(Op::read, 0x10f, 1));
    const StaySum stays = staysOf(builder, parseGeometry("16/1/16").value(), 0);
    EXPECT_EQ(stays.fills, 3u);
    EXPECT_EQ(stays.usedBytes, 6u + 16 + 1);
}

// Hits in L1 use the block in L2, too; but not bytes that were used before it came there.
TEST(BlockUse, FartherLevelsAreUsedByHitsInNearerOnes) {
    TraceBuilder builder("levels");
    builder.add(test::access(Op::read, 0x100, 4));
    builder.add(test::access(Op::read, 0x104, 4));   // a hit
    builder.add(test::access(Op::write, 0x108, 4));  // a hit
    EXPECT_EQ(staysOf(builder, parseGeometry("64/4/16, 256/4/32").value(), 1), (StaySum{1, 12}));

    TraceBuilder other("again");
    other.add(test::access(Op::read, 0x100, 4));  // into both levels
    other.add(test::access(Op::read, 0x200, 4));  // L2, of one block, gives it up, L1 does not
    other.add(test::access(Op::read, 0x104, 4));  // a hit in L1 alone
    other.add(test::access(Op::read, 0x110, 4));  // the other half of L2's block comes to both
    other.add(test::access(Op::read, 0x108, 4));  // a hit in L1
    EXPECT_EQ(staysOf(other, parseGeometry("64/4/16, 32/1/32").value(), 1), (StaySum{3, 4 + 4 + 8}));
}

// Each half of an access that straddles blocks uses its bytes of its own block.
TEST(BlockUse, AccessesThatStraddleUseBothBlocks) {
    TraceBuilder builder("straddles");
    builder.add(test::access(Op::read, 0x10c, 100));
    EXPECT_EQ(staysOf(builder, parseGeometry("4K/4/16").value(), 0), (StaySum{7, 100}));
    builder.add(test::access(Op::read, 0x10c, 200));
    EXPECT_EQ(staysOf(builder, parseGeometry("4K/4/128").value(), 0), (StaySum{2, 200}));
}

// A block belongs to who brought it: its line, its region.
TEST(BlockUse, BelongsToTheAccessThatFilled) {
    TraceBuilder builder("rows");
    builder.addRegion(test::region("A", 0x100, 64));
    builder.addRegion(test::region("B", 0x200, 64));
    const SiteId one = builder.site("a.c", 1);
    const SiteId two = builder.site("a.c", 2);
    builder.add(test::access(Op::read, 0x100, 8, 0, one));
    builder.add(test::access(Op::read, 0x108, 8, 0, two));
    builder.add(test::access(Op::read, 0x200, 4, 0, two));
    const auto trace = test::shared(builder);
    Progress progress;
    const auto measures = measure(trace, parseGeometry("4K/4/64").value(), {Tick{0}, Tick{3}}, true, progress);
    const Ledger& ledger = *measures->ledger;
    EXPECT_EQ(ledger.owners.stays(0, 0), (StaySum{1, 16}));
    EXPECT_EQ(ledger.owners.stays(1, 0), (StaySum{1, 4}));
    EXPECT_EQ(ledger.sites.stays(one.value, 0), (StaySum{1, 16}));
    EXPECT_EQ(ledger.sites.stays(two.value, 0), (StaySum{1, 4}));
}

// A state of an earlier version has all slots: the blocks, the numbers of their fills, their used bytes; what is not
// passed on yet; and the number of fills.
TEST(BlockUse, ReadsStatesOfEarlierVersions) {
    const MachineConfig machine = parseGeometry("64/2/16").value();
    constexpr std::uint64_t kNone = BlockUse::kNoFill;
    const std::vector<std::uint64_t> words = {0x10, 0,     0,     0x21,  // sets 0 and 1, of two ways
                                              0,    kNone, kNone, 1,     //
                                              0x3,  0xff,  0,     0xf0,  // what a block left there means nothing
                                              0x4,  0,     0,     0,     //
                                              2};
    const std::string packed = compressed({reinterpret_cast<const char*>(words.data()), 8 * words.size()});
    BlockUse use(machine);
    ASSERT_TRUE(use.unpack(packed));
    const auto expectUses = [](BlockUse& of) {
        of.settle();
        EXPECT_EQ(of.usedIn(0, 0, 0), 3u);
        EXPECT_EQ(of.usedIn(0, 0, 1), 0u);
        EXPECT_EQ(of.usedIn(0, 0, 2), 0u);
        EXPECT_EQ(of.usedIn(0, 0, 3), 4u);
    };
    BlockUse again(machine);
    ASSERT_TRUE(again.unpack(use.packed()));
    EXPECT_EQ(again.packed(), use.packed());
    expectUses(use);
    expectUses(again);
    const std::string now = use.packed();
    for (std::size_t cut = 0; cut < now.size(); ++cut) EXPECT_FALSE(BlockUse(machine).unpack(now.substr(0, cut)));
    EXPECT_FALSE(BlockUse(parseGeometry("128/2/16").value()).unpack(now));
    EXPECT_FALSE(BlockUse(parseGeometry("128/2/16").value()).unpack(packed));
}

}  // namespace
}  // namespace whorl::sim
