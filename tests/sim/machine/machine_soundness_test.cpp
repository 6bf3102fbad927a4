// What makes a machine of several CPUs, a TLB or unusual levels unsound.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/machine/machine_config.h"
#include "support/refusal.h"

namespace whorl::sim {
namespace {

std::string invalidity(MachineConfig machine) {
    return test::refusalOf(checked(std::move(machine), {}));
}

/// Three levels, sound, with these changes.
std::string with(const std::vector<std::string>& changes) {
    MachineConfig machine = parseGeometry("1K/2/32, 4K/4/32, 16K/4/32").value();
    for (const std::string& change : changes) machine = withValue(std::move(machine), change).value();
    return invalidity(std::move(machine));
}

TEST(MachineValidity, SharingNestsAndDividesTheCpus) {
    EXPECT_EQ(with({"cpus=8", "L1.shared_by=2", "L2.shared_by=4"}), "accepted");
    EXPECT_EQ(with({"cpus=6", "L1.shared_by=1", "L2.shared_by=3", "L3.shared_by=6"}), "accepted");
    EXPECT_EQ(with({"cpus=6", "L1.shared_by=2", "L2.shared_by=3"}),
              "L2: each cache serves 3 CPUs, but each L1 cache serves 2; give a multiple of 2, or \"all\"");
    EXPECT_EQ(
        with({"cpus=6", "L2.shared_by=4"}),
        "L2: each cache serves 4 CPUs, but the machine has 6; give a divisor of cpus, change cpus, or write \"all\"");
    EXPECT_EQ(
        with({"L2.shared_by=4"}),
        "L2: each cache serves 4 CPUs, but the machine has 1; give a divisor of cpus, change cpus, or write \"all\"");
    EXPECT_EQ(with({"cpus=4", "L1.shared_by=all"}),
              "L2: each cache serves 1 CPU, but each L1 cache serves 4; give a multiple of 4, or \"all\"");
    EXPECT_EQ(with({"cpus=4", "L1.shared_by=all", "L2.shared_by=4"}), "accepted");
}

TEST(MachineValidity, TheCachesOfALevelTogetherAreNotTooMany) {
    EXPECT_EQ(with({"cpus=64", "L2.size=8M", "L2.block=32"}), "accepted");
    EXPECT_EQ(
        with({"cpus=64", "L2.size=16M"}),
        "L2: 64 caches of 524288 blocks; the caches of a level have at most 16777216 together: make them smaller, "
        "or let more CPUs share one");
    EXPECT_EQ(with({"cpus=64", "L2.size=16M", "L2.shared_by=2"}), "accepted");
    // The suggested sizes would be sound.
    EXPECT_EQ(
        with({"cpus=64", "L2.size=8M", "L2.ways=3"}),
        "L2: 8M is not a whole number of sets of 3 ways of 32 bytes; with 3 ways of 32 bytes the nearest valid size "
        "is 8388576 (87381 sets); 8M with 2 ways is valid too");
}

TEST(MachineValidity, NumbersHaveBounds) {
    EXPECT_EQ(with({"memory_latency=1000000", "upgrade_latency=1000000", "writeback_latency=1000000",
                    "*.latency=1000000", "*.degree=16", "L1.seed=18446744073709551615"}),
              "accepted");
    EXPECT_EQ(
        with({"memory_latency=1000001", "upgrade_latency=1000001", "writeback_latency=1000001", "L3.latency=1000001"}),
        "memory_latency: a latency of 1000001 cycles; give 1000000 at most\n"
        "upgrade_latency: a latency of 1000001 cycles; give 1000000 at most\n"
        "writeback_latency: a latency of 1000001 cycles; give 1000000 at most\n"
        "L3: a latency of 1000001 cycles; give 1000000 at most");
    EXPECT_EQ(with({"L1.degree=0"}), "L1: 0 blocks a prefetch; give 1 to 16");
    EXPECT_EQ(with({"L1.degree=17"}), "L1: 17 blocks a prefetch; give 1 to 16");
}

TEST(MachineValidity, Tlbs) {
    EXPECT_EQ(with({"tlb.entries=64"}), "accepted");
    EXPECT_EQ(with({"tlb.entries=1536", "tlb.ways=12"}), "accepted");
    EXPECT_EQ(with({"tlb.entries=65536", "tlb.ways=1", "tlb.page=32"}), "accepted");
    EXPECT_EQ(with({"tlb.entries=131072", "tlb.page=16"}),
              "tlb.entries: 131072 entries; give 65536 at most\n"
              "tlb.page: a page of 16 bytes is smaller than the blocks of L1 (32 bytes); give a page of as many bytes "
              "at least");
    EXPECT_EQ(with({"tlb.entries=64", "tlb.ways=0", "tlb.page=3K", "tlb.walk=1000001"}),
              "tlb.ways: 0 ways; give 1 or more, or \"full\" for one set of all entries\n"
              "tlb.page: a page of 3072 bytes; a page is a power of two such as 4K\n"
              "tlb.walk: a latency of 1000001 cycles; give 1000000 at most");
    const std::string hint = "; give a multiple of 4, or other ways";
    EXPECT_EQ(with({"tlb.entries=66", "tlb.ways=4"}),
              "tlb.entries: 66 entries are not a whole number of sets of 4 ways" + hint);
    EXPECT_EQ(with({"tlb.entries=48", "tlb.ways=4"}), "accepted");
    EXPECT_EQ(with({"tlb.entries=2", "tlb.ways=4"}),
              "tlb.entries: 2 entries are not a whole number of sets of 4 ways" + hint);
}

TEST(MachineValidity, BoundedMemory) {
    EXPECT_EQ(with({"memory.size=8K"}), "accepted");
    EXPECT_EQ(with({"memory.size=4096G"}), "accepted");
    EXPECT_EQ(with({"memory.size=8192G"}),
              "memory.size: 8192G is 2147483648 pages of 4K; a memory has at most 1073741824");
    EXPECT_EQ(with({"memory.size=4096"}), "memory.size: 4K is one page, but an access may touch two; give 8K at least");
    EXPECT_EQ(with({"memory.size=9000"}),
              "memory.size: 9000 is not a whole number of pages of 4K; give a multiple of 4K");
    EXPECT_EQ(with({"memory.size=1024", "memory.page=3K"}),
              "memory.page: a page of 3072 bytes; a page is a power of two such as 4K");
    EXPECT_EQ(with({"L3.block=128", "memory.size=1024", "memory.page=64"}),
              "memory.page: a page of 64 bytes is smaller than the blocks of L3 (128 bytes); give a page of as many "
              "bytes at least");
    EXPECT_EQ(with({"L3.block=128", "memory.size=256", "memory.page=128"}), "accepted");
    EXPECT_EQ(with({"memory.size=8K", "memory.fault=1000000000"}), "accepted");
    EXPECT_EQ(with({"memory.size=8K", "memory.fault=1000000001"}),
              "memory.fault: a page fault of 1000000001 cycles; give 1000000000 at most");
    EXPECT_EQ(with({"tlb.entries=8", "memory.size=1M", "memory.page=16"}),
              "memory.page: a page of 16 bytes is smaller than the blocks of L1 (32 bytes); give a page of as many "
              "bytes at least")
        << "said once for both";
}

TEST(MachineValidity, TheFirstLevelHoldsNothingOfNearerOnes) {
    const std::string fault =
        "L1: the first level can be neither inclusive nor exclusive: no level is nearer; give it to a farther level, "
        "or write none";
    EXPECT_EQ(with({"L1.inclusion=inclusive"}), fault);
    EXPECT_EQ(with({"L1.inclusion=exclusive"}), fault);
}

TEST(MachineValidity, ExclusiveLevels) {
    EXPECT_EQ(with({"L2.inclusion=exclusive", "L3.inclusion=exclusive", "L1.prefetch=stride"}), "accepted");
    EXPECT_EQ(with({"L2.inclusion=inclusive", "L3.inclusion=exclusive"}), "accepted");
    EXPECT_EQ(with({"L2.inclusion=exclusive", "L2.block=64", "L3.block=64"}),
              "L2: an exclusive level has blocks of 64 bytes, L1 before it of 32; give both the same block");
    EXPECT_EQ(with({"L2.inclusion=exclusive", "L2.write=through"}),
              "L2: an exclusive level cannot write through; let it write back");
    EXPECT_EQ(with({"L2.inclusion=exclusive", "L2.allocate=false"}),
              "L2: an exclusive level must allocate on a write miss; write true");
    EXPECT_EQ(with({"L2.inclusion=exclusive", "L2.prefetch=stride"}),
              "L2: an exclusive level holds only what L1 has evicted, so it cannot prefetch; write none; L1 may have a "
              "prefetcher");
    EXPECT_EQ(with({"L2.inclusion=exclusive", "L1.write=through", "L1.allocate=false"}),
              "L2: it is exclusive, but L1 before it writes through; let L1 write back\n"
              "L2: it is exclusive, but L1 before it does not allocate on a write; let L1 allocate");
    // Inclusive levels may do all that.
    EXPECT_EQ(with({"L2.inclusion=inclusive", "*.write=through", "*.allocate=false", "L2.prefetch=stride",
                    "L3.block=64", "L2.block=64"}),
              "accepted");
}

TEST(MachineValidity, OptMustKnowTheFuture) {
    const std::string opening = "opt needs to know the requests to the level in advance, but ";
    EXPECT_EQ(with({"*.policy=opt"}), "accepted");
    // Always at the first level: its requests, and what other CPUs invalidate, are in the trace …
    EXPECT_EQ(with({"cpus=4", "L1.policy=opt", "L2.inclusion=exclusive", "L3.prefetch=stride"}), "accepted");
    // … but for what a farther level takes away, and for writes that leave a block out.
    EXPECT_EQ(with({"L1.policy=opt", "L3.inclusion=inclusive"}),
              "L1: opt needs to know in advance what leaves the level, but L3 is inclusive: what it evicts leaves the "
              "nearer levels, too; set the inclusion of L3 to none, or choose another policy");
    EXPECT_EQ(with({"L1.policy=opt", "L1.allocate=false"}),
              "L1: opt is the best policy only where a miss always fills, but writes do not allocate; write "
              "\"allocate\": true, or choose another policy");
    EXPECT_EQ(with({"L1.policy=opt", "L1.prefetch=stride"}),
              "L1: " + opening + "L1 prefetches; set the prefetch of L1 to none, or choose another policy");
    // Farther prefetchers and farther coherence have no effect on nearer levels.
    EXPECT_EQ(with({"L2.policy=opt", "L3.prefetch=stride"}), "accepted");
    EXPECT_EQ(with({"cpus=2", "*.shared_by=all", "L2.policy=opt"}), "accepted");
    EXPECT_EQ(with({"cpus=2", "protocol=none", "*.policy=opt"}), "accepted");
    EXPECT_EQ(with({"L2.policy=opt", "L3.inclusion=inclusive"}),
              "L2: " + opening + "L3 is inclusive; set the inclusion of L3 to none, or choose another policy");
    EXPECT_EQ(with({"L3.policy=opt", "L2.inclusion=exclusive"}),
              "L3: " + opening + "L2 is exclusive; set the inclusion of L2 to none, or choose another policy");
    EXPECT_EQ(with({"L2.policy=opt", "L1.prefetch=stride", "L2.prefetch=next-line"}),
              "L2: " + opening + "L1 prefetches; set the prefetch of L1 to none, or choose another policy\n" +
                  "L2: " + opening + "L2 prefetches; set the prefetch of L2 to none, or choose another policy");
    EXPECT_EQ(with({"cpus=2", "L3.policy=opt", "L2.shared_by=all"}),
              "L3: " + opening +
                  "the caches of L1 invalidate each other; set the protocol to none, or choose another policy");
}

TEST(MachineValidity, BlocksWrittenWholeComeThroughNoFartherLevel) {
    EXPECT_EQ(with({"conventions.full_write_fetches=false"}), "accepted");
    EXPECT_EQ(
        with({"conventions.full_write_fetches=false", "L3.inclusion=inclusive"}),
        "L3: it is inclusive, but by the convention full_write_fetches = false blocks are not fetched through it; "
        "write none, or leave the convention out");
}

TEST(MachineValidity, AFaultDoesNotBringOthersWithIt) {
    EXPECT_EQ(with({"cpus=65", "L2.shared_by=3", "L2.policy=opt"}), "there are 65 CPUs; a machine has 1 to 64");
    EXPECT_EQ(with({"L2.inclusion=exclusive", "L2.block=3"}),
              "L2: a block of 3 bytes; a block is a power of two from 1 to 4096 bytes");
}

TEST(MachineValidity, VeryManyLevelsAreOneFault) {
    MachineConfig machine = parseGeometry("1K/2/32").value();
    machine.levels.resize(100'000, machine.levels[0]);
    for (std::size_t i = 0; i < machine.levels.size(); ++i) machine.levels[i].name = fmt::format("L{}", i + 1);
    EXPECT_EQ(invalidity(machine), "there are 100000 levels; there can be 8 at most");
}

TEST(WithCpus, RoundsUpToWholeGroups) {
    MachineConfig machine = parseGeometry("1K/2/32, 4K/4/32, 16K/4/32").value();
    machine.cpus = 3;
    machine.levels[1].sharedBy = 3;
    EXPECT_EQ(withCpus(machine, 2), machine) << "never fewer";
    EXPECT_EQ(withCpus(machine, 4).cpus, 6u);
    EXPECT_EQ(withCpus(machine, 64).cpus, 63u) << "as many whole groups as there may be";
    EXPECT_EQ(withCpus(machine, 1000).cpus, 63u);
    for (std::uint32_t cpus = 1; cpus <= 64; ++cpus) EXPECT_EQ(invalidity(withCpus(machine, cpus)), "accepted") << cpus;
}

TEST(WithCpus, WhatIsBeyondASharedLevelStaysShared) {
    MachineConfig machine = parseGeometry("1K/2/32, 4K/4/32, 16K/4/32").value();
    machine.cpus = 4;
    machine.levels[1].sharedBy = 0;
    machine.levels[2].sharedBy = 4;
    ASSERT_EQ(invalidity(machine), "accepted");
    EXPECT_EQ(invalidity(withCpus(machine, 8)), "accepted");
    EXPECT_EQ(withCpus(machine, 8).cpus, 8u);
}

}  // namespace
}  // namespace whorl::sim
