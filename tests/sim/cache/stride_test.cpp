// The stride prefetcher: an instruction trains it once, however it accesses memory.
#include <gtest/gtest.h>

#include "sim/replay/simulator.h"

namespace whorl::sim {
namespace {

enum class How : std::uint8_t { read, modify, straddle };

/// 200 accesses of one instruction, 64 bytes apart.
CacheCounters played(How how, std::size_t prefetchingLevel) {
    MachineConfig machine = parseGeometry("1K/2/64, 32K/8/64").value();
    machine.levels[prefetchingLevel].prefetch = Prefetcher::stride;
    Simulator simulator(machine);
    for (std::uint64_t i = 0; i < 200; ++i) {
        Access access{
            .address = ByteAddress{0x10000 + 64 * i + (how == How::straddle ? 60 : 0)}, .size = 8, .site = SiteId{7}};
        simulator.step(access);
        if (how != How::modify) continue;
        access.op = Op::write;
        access.modify = true;
        simulator.step(access);
    }
    return simulator.counters().level(prefetchingLevel);
}

// The first misses, the second gives a stride, the third and the fourth confirm it: from then on every block is there.
TEST(Stride, LearnsFromEachInstructionOnce) {
    for (const std::size_t level : {std::size_t{0}, std::size_t{1}}) {
        EXPECT_EQ(played(How::read, level).misses(), 4u);
        EXPECT_EQ(played(How::modify, level).misses(), 4u);
        EXPECT_EQ(played(How::modify, level).prefetches, played(How::read, level).prefetches);
    }
    // The first access misses twice. Before the second block of the fourth is asked for, its prefetch has come.
    EXPECT_EQ(played(How::straddle, 0).misses(), 4u);
    // The farther level is asked for both blocks of the first, and then for the second of each.
    EXPECT_EQ(played(How::straddle, 1).misses(), 6u);
}

}  // namespace
}  // namespace whorl::sim
