// The kinds of misses, on examples worked by hand from their definitions in docs/machines.md.
#include "sim/replay/totals/classifier.h"

#include <gtest/gtest.h>

#include "sim/replay/totals/ledger_builder.h"
#include "support/traces.h"

namespace whorl::sim {
namespace {

struct KindStep {
    char what;  ///< 'R' or 'W'
    std::uint64_t block;
    std::uint8_t cpu = 0;
};

/// The kinds of the misses of a level, in order, in words: blocks of 16 bytes, of which the first four are accessed.
std::string kindsAt(std::size_t level, const MachineConfig& machine, const std::vector<KindStep>& steps) {
    TraceBuilder builder("kinds");
    for (const KindStep& s : steps) {
        builder.add(Access{
            .address = ByteAddress{16 * s.block}, .size = 4, .op = s.what == 'W' ? Op::write : Op::read, .cpu = s.cpu});
    }
    const Trace trace = builder.finish();
    LedgerBuilder ledgerBuilder(machine, trace);
    Simulator simulator(machine);
    Progress progress;
    EXPECT_TRUE(replay(trace, simulator, test::wholeOf(trace), ledgerBuilder, progress));
    std::string out;
    const MissKindList& kinds = ledgerBuilder.kinds()[level];
    for (std::uint64_t i = 0; i < kinds.size(); ++i) {
        out += (i > 0 ? ", " : "") + std::string(kMissKindWords[static_cast<std::size_t>(kinds[i])]);
    }
    return out;
}

/// A level of blocks of 16 bytes.
LevelConfig level(const char* name, std::uint64_t sets, std::uint32_t ways) {
    return {.name = name, .size = 16 * sets * ways, .ways = ways, .block = 16};
}

// A write that does not allocate touches the block all the same, and brings it neither into the cache nor into the
// fully associative one.
TEST(Classifier, CompulsoryIsWhatNobodyTouchedWhateverWasAllocated) {
    MachineConfig machine;
    machine.levels = {level("L1", 1, 2)};
    machine.levels[0].allocate = false;
    EXPECT_EQ(kindsAt(0, machine, {{'W', 1}, {'W', 1}, {'R', 1}, {'W', 1}, {'R', 1}}),
              "compulsory, capacity, capacity");
}

// Blocks 1 and 2 evict each other from a direct-mapped cache. In a fully associative one both have room, but only the
// reads bring them there.
TEST(Classifier, WritesThatDoNotAllocateDoNotFillTheFullyAssociativeCache) {
    MachineConfig machine;
    machine.levels = {level("L1", 1, 1)};
    machine.levels[0].size = 32;  // two sets
    machine.levels[0].allocate = false;
    EXPECT_EQ(kindsAt(0, machine, {{'R', 0}, {'W', 2}, {'R', 2}, {'R', 0}}),
              "compulsory, compulsory, capacity, conflict");
}

// An exclusive level is filled by evictions alone: what L1 has never evicted, no cache of L2's size would hold.
TEST(Classifier, ExclusiveLevelsHoldWhatTheNearerLevelEvicts) {
    MachineConfig machine;
    machine.levels = {level("L1", 1, 1), level("L2", 2, 1)};
    machine.levels[1].inclusion = Inclusion::exclusive;
    // 0 and 2 are in the same set of L2: 0, 2 and 4 pass through. At the last 0, two ways without sets would hold 4
    // and 2, which L1 evicted last.
    EXPECT_EQ(kindsAt(1, machine, {{'R', 0}, {'R', 2}, {'R', 4}, {'R', 2}, {'R', 0}}),
              "compulsory, compulsory, compulsory, conflict");
}

/// Two CPUs with a cache each.
MachineConfig twoCpus(std::uint32_t ways) {
    MachineConfig machine;
    machine.cpus = 2;
    machine.levels = {level("L1", 2, ways)};
    machine.levels[0].sharedBy = 1;
    return machine;
}

// CPU 0 loses block 0 for room, and then CPU 1 writes it: it left for room, and a fully associative cache would have
// lost it to that write.
TEST(Classifier, WhatAnotherCpuWritesNoCacheKeeps) {
    EXPECT_EQ(kindsAt(0, twoCpus(1), {{'R', 0}, {'R', 2}, {'R', 0}}), "compulsory, compulsory, conflict");
    EXPECT_EQ(kindsAt(0, twoCpus(1), {{'R', 0}, {'R', 2}, {'W', 0, 1}, {'R', 0}}),
              "compulsory, compulsory, compulsory, capacity");
    // The same where the writer has the block for itself already, so that the write tells no other cache.
    EXPECT_EQ(kindsAt(0, twoCpus(1), {{'R', 0}, {'R', 2}, {'R', 0, 1}, {'W', 0, 1}, {'R', 0}}),
              "compulsory, compulsory, compulsory, capacity");
    // It is a coherence miss if the block was still there.
    EXPECT_EQ(kindsAt(0, twoCpus(1), {{'R', 0}, {'W', 0, 1}, {'R', 0}}), "compulsory, compulsory, true sharing");
}

// A prefetch touches a block for no one: the first request for it is compulsory if it comes too late.
TEST(Classifier, PrefetchesFillTheFullyAssociativeCache) {
    MachineConfig machine;
    machine.levels = {level("L1", 2, 1)};
    machine.levels[0].prefetch = Prefetcher::nextLine;
    // 0 brings 1; 2 brings 3 in its place.
    EXPECT_EQ(kindsAt(0, machine, {{'R', 0}, {'R', 2}, {'R', 1}}), "compulsory, compulsory, compulsory");
    // 0 brings 1, which is requested; 3 evicts it and brings 4, and in two ways without sets they are the last two.
    EXPECT_EQ(kindsAt(0, machine, {{'R', 0}, {'R', 1}, {'R', 3}, {'R', 1}}), "compulsory, compulsory, capacity");
}

}  // namespace
}  // namespace whorl::sim
