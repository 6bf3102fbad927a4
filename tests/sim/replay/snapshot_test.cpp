// Snapshots: independent of what was requested before, and consistent with what happened.
#include <gtest/gtest.h>

#include "sim/analysis/explain.h"
#include "sim/replay/replay_help.h"

namespace whorl::sim {
namespace {

TEST(Snapshot, IsTheSameWhateverWasAskedForBefore) {
    const auto run = test::built(test::ran("matmul:n=24"), *loadMachine("paper"));
    const std::vector<Lookback> lookbacks = {{.steps = 20},
                                             {.steps = 5, .window = 300},
                                             {.steps = 40, .window = 10, .lapse = 500},
                                             {.lapse = 64},
                                             {.steps = 64, .window = 64, .lapse = 64}};
    SnapshotReader any(run);
    std::uint64_t random = 7;
    const auto draw = [&](std::uint64_t below) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        return (random >> 33) % below;
    };
    double t = 5000;
    for (int i = 0; i < 200; ++i) {
        const Lookback& lookback = lookbacks[draw(lookbacks.size())];
        t = draw(4) == 0 ? static_cast<double>(draw(run->trace().size())) : t + static_cast<double>(draw(80)) - 10;
        t = std::max(t, 0.0) + 0.25;
        SnapshotReader fresh(run);
        test::expectSame(any.at(t, lookback), fresh.at(t, lookback));
    }
}

TEST(Snapshot, FlowsAndKindsAddUpToTheCounts) {
    const auto run = test::built(test::ran("matmul:n=16,variant=transposed"), *loadMachine("paper"));
    const std::uint64_t size = run->trace().size();
    SnapshotReader reader(run);
    const Snapshot& snapshot = reader.at(static_cast<double>(size), {.steps = 100, .window = size, .lapse = size});
    const Counters& counters = snapshot.now.counters();
    std::uint64_t inward = 0;
    std::uint64_t outward = 0;
    for (const auto& [key, count] : snapshot.flows.counts()) {
        if (key.kind == FlowKey::Kind::inward) inward += count;
        if (key.kind == FlowKey::Kind::outward || key.kind == FlowKey::Kind::writeback) outward += count;
    }
    EXPECT_EQ(inward, counters.level(0).misses());
    EXPECT_EQ(outward, counters.level(0).evictions + counters.level(1).evictions);
    std::uint64_t conflicts = 0;
    for (const Glance& g : snapshot.window) conflicts += (g.missed & 1) != 0 && g.kindAt(0) == MissKind::conflict;
    EXPECT_EQ(conflicts, run->measures()->ledger->misses(run->machine(), 0, MissKind::conflict));
}

TEST(Snapshot, APrefetchedBlockFlowsFromWhereItWas) {
    MachineConfig machine;
    machine.levels = {{.name = "L1", .size = 128, .ways = 4, .block = 32, .prefetch = Prefetcher::nextLine},
                      {.name = "L2", .size = 1024, .ways = 8, .block = 32}};
    // Fills blocks 0 and 1, then others that evict both from L1 but not from L2, then block 0 again: it and, by the
    // prefetcher, block 1 come from L2.
    const auto run = test::built("R 0x1000 4\nR 0x1100 4\nR 0x1200 4\nR 0x1300 4\nR 0x1000 4\n", machine);
    SnapshotReader reader(run);
    const Snapshot& snapshot = reader.at(5, {.lapse = 1});
    std::uint64_t fromL2 = 0;
    for (const auto& [key, count] : snapshot.flows.counts()) {
        if (key.kind == FlowKey::Kind::inward && key.level == 1) fromL2 += count;
        EXPECT_FALSE(key.kind == FlowKey::Kind::inward && key.level == 2) << "nothing comes from memory";
    }
    EXPECT_EQ(fromL2, 2u);
    const Snapshot& first = reader.at(1, {.lapse = 1});
    for (const auto& [key, count] : first.flows.counts()) {
        EXPECT_TRUE(key.kind != FlowKey::Kind::inward || key.level == 2) << "all comes from memory";
    }
}

TEST(Sharing, IsFalseWhenOtherBytesWereTouched) {
    MachineConfig machine = *loadMachine("coherence");
    machine.cpus = 2;
    // CPU 1 reads byte 0 of a block, CPU 0 writes byte 16; CPU 1 reads byte 16, CPU 0 writes it again; CPU 1 never
    // touches the second block.
    const auto run = test::built("R 0x1000 4 cpu=1\nW 0x1010 4 cpu=0\nR 0x1010 4 cpu=1\nW 0x1010 4 cpu=0\n", machine);
    SnapshotReader reader(run);
    const Snapshot& snapshot = reader.at(4, {.steps = 4});
    std::vector<Sharing> found;
    for (std::size_t s = 0; s < snapshot.recent.size(); ++s) {
        for (const Event& e : snapshot.recent[s].events) {
            if (e.kind != EventKind::invalidation || e.level != 0) continue;
            found.push_back(sharingAt(machine, snapshot.recent, s, e, machine.levels[0].block));
        }
    }
    EXPECT_EQ(found, (std::vector<Sharing>{Sharing::ofOtherBytes, Sharing::ofTheBytes}));
}

}  // namespace
}  // namespace whorl::sim
