// Stays that began before the range of a history: who filled them, and for what.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "sim/analysis/history_help.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {
namespace {

/// In a trace with times of its own all of it is played anyway: they are filled as the history of all of it says.
TEST(EarlierStays, AreThoseOfTheWholeHistory) {
    for (const char* program : {"vecadd:n=40", "windtunnel:particles=60,steps=1"}) {
        const auto trace = test::traceOfProgram(program);
        const auto run = test::built(trace, *loadMachine("chiron-vecadd"));
        ASSERT_TRUE(trace->hasTimes());
        Progress progress;
        const auto whole = historyOf(*run, test::wholeOf(*trace), progress);
        std::size_t earlier = 0;
        for (const std::uint64_t part : {3, 2}) {
            const auto history = historyOf(*run, {Tick{trace->size() / part}, Tick{trace->size()}}, progress);
            for (std::size_t l = 0; l < history->levels.size(); ++l) {
                for (const Stay& stay : history->levels[l].stays) {
                    if (stay.in != Stay::kNever) continue;
                    ++earlier;
                    const BlockAddress block = history->levels[l].blocks[stay.block].block;
                    const bool isKnown =
                        std::any_of(whole->levels[l].stays.begin(), whole->levels[l].stays.end(), [&](const Stay& s) {
                            return whole->levels[l].blocks[s.block].block == block && s.cache == stay.cache &&
                                   s.in < history->from && (s.out == Stay::kNever || s.out >= history->from) &&
                                   s.address == stay.address && s.cpu == stay.cpu;
                        });
                    EXPECT_TRUE(isKnown) << program << " level " << l;
                }
            }
        }
        EXPECT_GT(earlier, 10u);
    }
}

/// Without times only the range is played: the block's first byte must do, and a CPU of the cache.
TEST(EarlierStays, BelongToACpuOfTheirCache) {
    TraceBuilder b("t");
    for (std::uint8_t cpu = 0; cpu < 4; ++cpu) b.add({.address = ByteAddress{0x1010 + 64u * cpu}, .cpu = cpu});
    b.add({.address = ByteAddress{0x4000}, .cpu = 0});
    const auto run = test::built(b, *loadMachine("chiron-windtunnel"));
    Progress progress;
    const auto history = historyOf(*run, {Tick{4}, Tick{5}}, progress);
    for (const HistoryLevel& level : history->levels) {
        for (const Stay& stay : level.stays) {
            if (stay.in != Stay::kNever) continue;
            EXPECT_EQ(stay.cpu / level.cpusPerCache, stay.cache);
            EXPECT_EQ(stay.address.value % level.blockSize, 0u);
        }
    }
}

}  // namespace
}  // namespace whorl::sim
