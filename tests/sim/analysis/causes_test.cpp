// Causes of misses, of traces small enough to be followed by hand.
#include <gtest/gtest.h>

#include "sim/analysis/causes.h"
#include "sim/analysis/history_help.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim {
namespace {

/// Three arrays of 64 bytes in the same sets of a direct-mapped cache of two blocks of 32 bytes.
constexpr std::uint64_t kA = 0x1000;
constexpr std::uint64_t kB = 0x2000;
constexpr std::uint64_t kC = 0x3000;

std::shared_ptr<const sim::Run> played(const std::vector<std::uint64_t>& addresses, const char* machine = "64/1/32") {
    TraceBuilder b("hand");
    for (const std::uint64_t address : addresses) b.add(test::access(Op::read, address, 4));
    return test::built(b, *parseGeometry(machine));
}

Causes causes(const sim::Run& run, Range range, std::uint64_t victims, std::uint64_t bytes, std::uint64_t group = 32) {
    Progress progress;
    return *causesOf(run, range, 0, ByteAddress{victims}, bytes, group, progress);
}

std::pair<ByteAddress, std::uint64_t> caused(std::uint64_t address, std::uint64_t misses) {
    return {ByteAddress{address}, misses};
}

TEST(Causes, AreTheLastEvictors) {
    // A misses at first for nobody, then twice since B evicted it, and once since C did.
    const auto run = played({kA, kB, kA, kB, kC, kA, kC, kA + 4, kA + 8});
    const Range all{Tick{0}, Tick{9}};
    EXPECT_EQ(causes(*run, all, kA, 64), (Causes{.group = 32, .misses = {caused(kB, 2), caused(kC, 1)}, .others = 1}));
    EXPECT_EQ(causes(*run, all, kB, 64), (Causes{.group = 32, .misses = {caused(kA, 1)}, .others = 1}));
    EXPECT_EQ(causes(*run, all, kC, 64), (Causes{.group = 32, .misses = {caused(kA, 1)}, .others = 1}));
    EXPECT_EQ(causes(*run, all, 0x9000, 64), (Causes{.group = 32, .misses = {}, .others = 0}));
    EXPECT_EQ(causes(*run, all, kA, 64, 0x4000), (Causes{.group = 0x4000, .misses = {caused(0, 3)}, .others = 1}))
        << "all in one cell";
}

TEST(Causes, MayLieBeforeTheRange) {
    const auto run = played({kA, kB, kA, kB, kC, kA, kC, kA + 4, kA + 8});
    EXPECT_EQ(causes(*run, {Tick{2}, Tick{3}}, kA, 64), (Causes{.group = 32, .misses = {caused(kB, 1)}, .others = 0}));
    EXPECT_EQ(causes(*run, {Tick{3}, Tick{3}}, kA, 64), (Causes{.group = 32, .misses = {}, .others = 0}));
}

TEST(Causes, AreOfTheBlocksThatOverlap) {
    // Both blocks of A, evicted by those of B.
    const auto run = played({kA, kA + 32, kB, kB + 32, kA, kA + 32});
    const Range all{Tick{0}, Tick{6}};
    EXPECT_EQ(causes(*run, all, kA + 30, 1).misses, (std::vector{caused(kB, 1)}));
    EXPECT_EQ(causes(*run, all, kA + 30, 3).misses, (std::vector{caused(kB, 1), caused(kB + 32, 1)}));
    EXPECT_EQ(causes(*run, all, kA + 32, 1).misses, (std::vector{caused(kB + 32, 1)}));
}

/// What another CPU's write takes away is caused by no eviction, even if the block had been evicted before.
TEST(Causes, AreNoInvalidations) {
    MachineConfig machine = *parseGeometry("64/1/32, 1K/4/32");
    machine.cpus = 2;
    machine.levels[0].sharedBy = 1;
    TraceBuilder b("two");
    b.add(test::access(Op::read, kA, 4, 0));
    b.add(test::access(Op::read, kB, 4, 0));   // evicts A
    b.add(test::access(Op::read, kA, 4, 0));   // by B
    b.add(test::access(Op::write, kA, 4, 1));  // takes A away; its own miss is the first there
    b.add(test::access(Op::read, kA, 4, 0));
    const auto run = test::built(b, machine);
    EXPECT_EQ(causes(*run, {Tick{0}, Tick{5}}, kA, 32), (Causes{.group = 32, .misses = {caused(kB, 1)}, .others = 3}));
}

TEST(Causes, CanBeCancelled) {
    const auto run = played({kA, kB});
    Progress progress;
    progress.cancel();
    EXPECT_FALSE(causesOf(*run, {Tick{0}, Tick{2}}, 0, ByteAddress{kA}, 64, 32, progress).has_value());
}

}  // namespace
}  // namespace whorl::sim
