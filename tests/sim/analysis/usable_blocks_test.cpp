#include "sim/analysis/reuse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "sim/machine/validation.h"
#include "sim/trace/trace_builder.h"
#include "sim/trace/trace_random.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

/// A sound tree of up to three levels for up to eight CPUs.
MachineConfig randomTree(std::mt19937_64& random) {
    MachineConfig machine;
    machine.cpus = 1u << random() % 4;
    std::uint32_t shared = 1;
    std::uint32_t block = 8u << random() % 4;
    for (std::uint64_t l = 0, levels = 1 + random() % 3; l < levels; ++l) {
        LevelConfig level;
        level.name = "L" + std::to_string(l + 1);
        level.ways = static_cast<std::uint32_t>(1 + random() % 4);
        level.block = block;
        level.size = std::uint64_t{block} * level.ways * (1 + random() % 64);
        shared = std::min(machine.cpus, shared << random() % 3);
        level.sharedBy = shared;
        machine.levels.push_back(level);
        block <<= random() % 2;
    }
    return machine;
}

/// From every access, one by one.
std::uint64_t usableByHand(const Trace& trace, const MachineConfig& machine, std::size_t level) {
    const std::uint64_t size = machine.levels[level].block;
    std::vector<std::set<std::uint64_t>> touched(machine.caches(level));
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) {
        // The footprint is kept in granules.
        const std::uint64_t grain = std::max<std::uint64_t>(size, Footprint::kGranule);
        const std::uint64_t first = a.address.value / grain * grain;
        const std::uint64_t last = (a.address.value + a.size - 1) / grain * grain + grain - 1;
        for (std::uint64_t b = first / size; b <= last / size; ++b) touched[machine.cacheOf(level, a.cpu)].insert(b);
    });
    std::uint64_t sum = 0;
    for (const auto& blocks : touched) sum += std::min<std::uint64_t>(blocks.size(), machine.levels[level].blocks());
    return sum;
}

TEST(UsableBlocks, AreThoseOfACountByHandOnAnyMachine) {
    std::uint64_t several = 0;
    std::uint64_t capped = 0;
    for (std::uint64_t round = 0; round < testRounds(60); ++round) {
        std::mt19937_64 random(round);
        const MachineConfig machine = randomTree(random);
        TraceBuilder builder("t");
        for (int i = 0; i < 600; ++i) {
            builder.add({.address = ByteAddress{random() % 0x8000},
                         .size = static_cast<std::uint32_t>(1 + random() % 40),
                         .cpu = static_cast<std::uint8_t>(random() % machine.cpus)});
        }
        const Trace trace = std::move(builder).finish();
        Progress progress;
        const auto usable = usableParts(trace, machine, progress);
        ASSERT_TRUE(usable.has_value());
        ASSERT_EQ(usable->blocks.size(), machine.levels.size());
        for (std::size_t l = 0; l < usable->blocks.size(); ++l) {
            EXPECT_EQ(usable->blocks[l], usableByHand(trace, machine, l)) << "round " << round << ", level " << l;
            several += machine.caches(l) > 1 ? 1u : 0u;
            capped += usable->blocks[l] == machine.levels[l].blocks() * machine.caches(l) ? 1u : 0u;
        }
    }
    EXPECT_GT(several, testRounds(60) / 4);
    EXPECT_GT(capped, testRounds(60) / 4);
}

TEST(UsableParts, ACpuWithoutAccessesIsIdle) {
    TraceBuilder builder("t");
    for (const std::uint8_t cpu : {1, 3}) builder.add({.address = ByteAddress{0}, .size = 4, .cpu = cpu});
    const Trace trace = std::move(builder).finish();
    MachineConfig machine = *loadMachine("coherence");
    machine.cpus = 6;
    Progress progress;
    EXPECT_EQ(usableParts(trace, machine, progress)->idleCpus, 0b110101u);
}

TEST(UsableBlocks, CancelledThereAreNone) {
    TraceBuilder builder("t");
    builder.add({.address = ByteAddress{0}, .size = 4, .cpu = 1});
    const Trace trace = std::move(builder).finish();
    MachineConfig machine = *loadMachine("coherence");
    Progress progress;
    progress.cancel();
    EXPECT_FALSE(usableParts(trace, machine, progress).has_value());
}

TEST(Footprint, CountsItsBlocksAndJoinsAnother) {
    for (unsigned seed = 0; seed < testRounds(20); ++seed) {
        const Footprint a = test::randomTrace(seed).footprint();
        const Footprint b = test::randomTrace(seed + 1000).footprint();
        const Footprint both = a.with(b);
        for (const std::uint64_t block : {4u, 16u, 64u, 4096u}) {
            const auto all = [&](const Footprint& f) {
                return f.touchedBlocks(ByteAddress{0}, ByteAddress{~std::uint64_t{0}}, block);
            };
            EXPECT_EQ(a.blocks(block), all(a).size());
            std::set<std::uint64_t> joined;
            for (const Footprint* f : {&a, &b}) {
                for (const ByteAddress address : all(*f)) joined.insert(address.value);
            }
            EXPECT_EQ(both.blocks(block), joined.size());
        }
    }
}

}  // namespace
}  // namespace whorl::sim
