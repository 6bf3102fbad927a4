// Values of a machine on a command line: one at a time, and as sweeps.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "sim/machine/machine_config.h"
#include "support/refusal.h"

namespace whorl::sim {
namespace {

MachineConfig machine() {
    MachineConfig machine = parseGeometry("1K/2/32, 4K/4/32").value();
    machine.name = "m";
    return machine;
}

MachineConfig changedBy(std::string_view assignment) {
    auto changed = withValue(machine(), assignment);
    EXPECT_TRUE(changed.has_value()) << assignment << ": " << changed.error().sentence();
    return changed.value_or(MachineConfig{});
}

std::string valueRefusal(std::string_view assignment) {
    return test::refusalOf(withValue(machine(), assignment));
}

TEST(WithValue, ChangesALevelAndNothingElse) {
    MachineConfig expected = machine();
    expected.levels[1].policy = Policy::fifo;
    EXPECT_EQ(changedBy("L2.policy=fifo"), expected);
    EXPECT_EQ(changedBy(" l2 . policy = fifo "), expected);

    expected = machine();
    expected.levels[0].size = 2048;
    EXPECT_EQ(changedBy("L1.size=2K"), expected);
    EXPECT_EQ(changedBy("size=2048"), expected) << "the first level, when none is named";

    expected = machine();
    expected.levels[1].ways = 128;
    EXPECT_EQ(changedBy("L2.ways=full"), expected);
    expected.levels[1].ways = 8;
    EXPECT_EQ(changedBy("L2.ways=8"), expected);

    expected = machine();
    expected.levels[0].latency = expected.levels[1].latency = 9;
    EXPECT_EQ(changedBy("*.latency=9"), expected);
}

TEST(WithValue, TakesEveryKeyOfALevel) {
    EXPECT_EQ(changedBy("L2.name=7").levels[1].name, "7");
    EXPECT_EQ(changedBy("block=64").levels[0].block, 64u);
    EXPECT_EQ(changedBy("shared_by=all").levels[0].sharedBy, 0u);
    EXPECT_EQ(changedBy("L2.shared_by=2").levels[1].sharedBy, 2u);
    EXPECT_EQ(changedBy("seed=18446744073709551615").levels[0].seed, ~std::uint64_t{0});
    EXPECT_TRUE(changedBy("write=through").levels[0].writeThrough);
    EXPECT_FALSE(changedBy("allocate=false").levels[0].allocate);
    EXPECT_EQ(changedBy("L2.inclusion=inclusive").levels[1].inclusion, Inclusion::inclusive);
    EXPECT_EQ(changedBy("prefetch=next-line").levels[0].prefetch, Prefetcher::nextLine);
    EXPECT_EQ(changedBy("degree=3").levels[0].degree, 3u);
}

TEST(WithValue, TakesTheKeysOfTheMachine) {
    EXPECT_EQ(changedBy("name=other").name, "other");
    EXPECT_EQ(changedBy("note=7").note, "7");
    EXPECT_EQ(changedBy("source=true").source, "true");
    EXPECT_EQ(changedBy("cpus=4").cpus, 4u);
    EXPECT_EQ(changedBy("protocol=msi").protocol, Protocol::msi);
    EXPECT_EQ(changedBy("memory_latency=1").memoryLatency, 1u);
    EXPECT_EQ(changedBy("upgrade_latency=2").upgradeLatency, 2u);
    EXPECT_EQ(changedBy("writeback_latency=3").writebackLatency, 3u);
    EXPECT_TRUE(changedBy("conventions.writeback_first=true").conventions.writebackFirst);
    EXPECT_TRUE(changedBy("writeback_first=true").conventions.writebackFirst);
    EXPECT_TRUE(changedBy("modify_counts_once=true").conventions.modifyCountsOnce);
    EXPECT_TRUE(changedBy("straddle_counts_once=true").conventions.straddleCountsOnce);
}

TEST(WithValue, MakesAndChangesTlbs) {
    MachineConfig m = changedBy("tlb.entries=64");
    EXPECT_EQ(m.tlb, (TlbConfig{.entries = 64, .ways = 64, .page = 4096, .walk = 30}));
    m = withValue(m, "tlb.entries=32").value();
    EXPECT_EQ(m.tlb, (TlbConfig{.entries = 32, .ways = 32, .page = 4096, .walk = 30})) << "still fully associative";
    m = withValue(m, "tlb.ways=4").value();
    m = withValue(m, "tlb.page=8K").value();
    m = withValue(m, "tlb.walk=9").value();
    m = withValue(m, "tlb.entries=16").value();
    EXPECT_EQ(m.tlb, (TlbConfig{.entries = 16, .ways = 4, .page = 8192, .walk = 9}));
    EXPECT_EQ(withValue(m, "tlb.entries=0").value(), machine());
    EXPECT_EQ(valueRefusal("tlb.page=8K"),
              "tlb.page: this machine has no TLB; give it one first, as with tlb.entries=64");
}

TEST(WithValue, BoundsMemory) {
    MachineConfig m = changedBy("memory.size=4M");
    EXPECT_EQ(m.memory, (MemoryConfig{.size = 4194304, .page = 4096, .fault = 100'000}));
    m = withValue(m, "memory.page=8K").value();
    m = withValue(m, "memory.fault=7").value();
    m = withValue(m, "memory.size=1M").value();
    EXPECT_EQ(m.memory, (MemoryConfig{.size = 1048576, .page = 8192, .fault = 7})) << "the rest is kept";
    EXPECT_EQ(withValue(m, "memory.size=0").value(), machine());
    EXPECT_EQ(valueRefusal("memory.page=8K"),
              "memory.page: the memory of this machine is not bounded; give it a size first, as with memory.size=4M");
    EXPECT_EQ(
        valueRefusal("memory.pages=8K"),
        "memory.pages: the key \"pages\" is not known; did you mean \"page\"? the keys of a memory are size, page "
        "and fault");
}

TEST(WithValue, MemoryAndTlbHaveTheSamePages) {
    MachineConfig m = withValue(changedBy("memory.size=4M"), "memory.page=8K").value();
    m = withValue(m, "tlb.entries=4").value();
    EXPECT_EQ(m.tlb.page, 8192u) << "a new TLB has the memory's";
    m = withValue(m, "tlb.page=1K").value();
    EXPECT_EQ(m.memory.page, 1024u);
    m = withValue(m, "memory.page=2K").value();
    EXPECT_EQ(m.tlb.page, 2048u);
    m = withValue(m, "memory.size=0").value();
    EXPECT_EQ(withValue(m, "memory.size=1M").value().memory.page, 2048u) << "bounded memory has the TLB's";
}

TEST(WithValue, LevelsAreCalledByTheirNames) {
    MachineConfig m = machine();
    m.levels[0].name = "Near.one";
    m.levels[1].name = "near.ONE";
    EXPECT_EQ(withValue(m, "near.ONE.latency=7").value().levels[1].latency, 7u) << "the one that is called just so";
    EXPECT_EQ(withValue(m, "Near.one.latency=7").value().levels[0].latency, 7u);
    EXPECT_EQ(withValue(m, "near.ONE.latency=7").value().levels[0].latency, 4u);
}

TEST(ValueIn, IsWhatWithValueSets) {
    for (const char* assignment : {"L2.policy=fifo", "cpus=4", "protocol=msi", "levels=1", "L1.allocate=false",
                                   "writeback_first=true", "memory_latency=7", "L2.ways=8", "ways=1"}) {
        const std::string words = assignment;
        const std::string key = words.substr(0, words.find('='));
        EXPECT_EQ(valueIn(changedBy(words), key), words.substr(words.find('=') + 1)) << words;
        EXPECT_NE(valueIn(machine(), key), words.substr(words.find('=') + 1)) << words;
    }
    EXPECT_EQ(valueIn(machine(), "l2.size"), "4K");
    EXPECT_EQ(valueIn(machine(), "L3.size"), std::nullopt);
    EXPECT_EQ(valueIn(machine(), "*.size"), std::nullopt);
}

TEST(WithValue, LevelsAreTakenAwayAndAdded) {
    EXPECT_EQ(changedBy("levels=2"), machine());
    EXPECT_EQ(geometryOf(changedBy("levels=1")), "1K/2/32");
    EXPECT_EQ(geometryOf(changedBy("levels=0")), "no cache");
    const MachineConfig four = changedBy("levels=4");
    EXPECT_EQ(geometryOf(four), "1K/2/32, 4K/4/32, 32K/4/32, 256K/4/32");
    EXPECT_EQ(four.levels[3].name, "L4");
    EXPECT_EQ(geometryOf(withValue(changedBy("levels=0"), "levels=2").value()), "32K/8/64, 256K/8/64");
    for (std::size_t n = 0; n <= kMaxLevels; ++n) {
        const auto sound = checked(changedBy("levels=" + std::to_string(n)), "");
        ASSERT_TRUE(sound) << sound.error().sentence();
        EXPECT_EQ(sound->levels.size(), n);
    }
    EXPECT_EQ(valueRefusal("levels=9"), "levels: 9 is not a number of levels; give 0 to 8");
    EXPECT_EQ(valueRefusal("levels=all"), "levels: \"all\" is not a number of levels; give 0 to 8");
    const auto none = withValue(changedBy("levels=0"), "L1.ways=2");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().sentence(), "L1.ways: this machine has no caches; give it some first, as with levels=1");
}

TEST(WithValue, SaysWhatIsWrong) {
    EXPECT_EQ(valueRefusal("L2.policy"),
              "\"L2.policy\" does not set a value; write a key, =, and the value, as in L2.policy=fifo or cpus=4");
    EXPECT_EQ(valueRefusal("=4").substr(0, 26), "\"=4\" does not set a value;");
    EXPECT_EQ(
        valueRefusal("L2.policy=fifi"),
        "L2.policy: \"fifi\" is not a policy; did you mean \"fifo\"? it must be lru, plru, fifo, mru, random, srrip "
        "or opt");
    EXPECT_EQ(
        valueRefusal("L2.ways="),
        "L2.ways: \"\" is not a number of ways; give a whole number such as 8, or \"full\" for a fully associative "
        "cache");
    EXPECT_EQ(valueRefusal("cpus=-1"), "cpus: \"-1\" is not a valid whole number; use a whole number such as 8");
    EXPECT_EQ(valueRefusal("shared_by=0"),
              "shared_by: 0 is not a number of CPUs that share a cache; give one from 1 to 64, or \"all\"");
    EXPECT_EQ(valueRefusal("LL2.ways=4"),
              "LL2.ways: there is no level \"LL2\"; did you mean \"L2\"? the levels are L1, L2 and * for all");
    EXPECT_EQ(valueRefusal("L2.cpus=4"), "L2.cpus: \"cpus\" is not a level's; it is the machine's: write cpus=");
    EXPECT_EQ(
        valueRefusal("L2.wayz=4"),
        "L2.wayz: the key \"wayz\" is not known; did you mean \"ways\"? the keys of a level are name, size, ways, "
        "block, shared_by, policy, seed, write, allocate, inclusion, prefetch, degree and latency");
    EXPECT_EQ(
        valueRefusal("memory_latncy=4"),
        "the key \"memory_latncy\" is not known; did you mean \"memory_latency\"? the keys of a level are name, size, "
        "ways, block, shared_by, policy, seed, write, allocate, inclusion, prefetch, degree and latency; those of "
        "the machine are name, note, source, cpus, protocol, memory_latency, upgrade_latency, writeback_latency, "
        "levels, memory.size, memory.page, memory.fault, tlb.entries, tlb.ways, tlb.page, tlb.walk, writeback_first, "
        "modify_counts_once, straddle_counts_once and "
        "full_write_fetches");
    EXPECT_EQ(
        valueRefusal("tlb.pages=4"),
        "tlb.pages: the key \"pages\" is not known; did you mean \"page\"? the keys of a TLB are entries, ways, page "
        "and walk");
    EXPECT_EQ(valueRefusal("conventions.x=true"),
              "conventions.x: the key \"x\" is not known; the conventions are writeback_first, modify_counts_once, "
              "straddle_counts_once and full_write_fetches");
    EXPECT_FALSE(withValue(MachineConfig{}, "ways=4").has_value());
}

std::string values(std::string_view text) {
    const auto values = parseSweepValues(text);
    return values ? fmt::format("{}", fmt::join(*values, " ")) : values.error().sentence();
}

TEST(ValuesOf, ListsAndRanges) {
    EXPECT_EQ(values("8"), "8");
    EXPECT_EQ(values("1, 2,4 ,8"), "1 2 4 8");
    EXPECT_EQ(values("lru,fifo"), "lru fifo");
    EXPECT_EQ(values("16K:128K:x2"), "16K 32K 64K 128K");
    EXPECT_EQ(values("512:2K:x2"), "512 1K 2K");
    EXPECT_EQ(values("512:2048:x2"), "512 1024 2048") << "numbers stay numbers";
    EXPECT_EQ(values("1K:3K:+512"), "1K 1536 2K 2560 3K");
    EXPECT_EQ(values("1:8:+1"), "1 2 3 4 5 6 7 8");
    EXPECT_EQ(values("1 : 8 : +3"), "1 4 7") << "the end is not always hit";
    EXPECT_EQ(values("1:100:x3"), "1 3 9 27 81");
    EXPECT_EQ(values("5:5:x2"), "5");
    EXPECT_EQ(values("1,2:8:x2,full"), "1 2 4 8 full");
    EXPECT_EQ(values("18446744073709551614:18446744073709551615:+1"), "18446744073709551614 18446744073709551615");
    EXPECT_EQ(values("9223372036854775808:18446744073709551615:x2"), "9223372036854775808");
}

TEST(ValuesOf, SaysWhatIsWrong) {
    const std::string hint =
        "; give a list such as 1,2,4,8, or a range from:to:xFACTOR or from:to:+STEP, such as 16K:1M:x2 or 1:8:+1";
    EXPECT_EQ(values(""), "\"\" has an empty value" + hint);
    EXPECT_EQ(values("1,,2"), "\"1,,2\" has an empty value" + hint);
    EXPECT_EQ(values("1,2,"), "\"1,2,\" has an empty value" + hint);
    EXPECT_EQ(values("1:8"), "\"1:8\" lacks the factor or step of its range" + hint);
    for (const std::string text : {"1:8:2", "1:8:", "1:8:x", "1:8:+", "a:8:x2", "1:b:x2", ":8:x2", "1:8:x2:x2"}) {
        EXPECT_EQ(values(text), fmt::format("\"{}\" is not a range of numbers{}", text, hint));
    }
    EXPECT_EQ(values("8:1:+1"), "\"8:1:+1\" goes down: a range goes up" + hint);
    for (const std::string text : {"0:8:x2", "1:8:x1", "1:8:x0", "1:8:+0"}) {
        EXPECT_EQ(values(text), fmt::format("\"{}\" would never end{}", text, hint));
    }
}

TEST(ValuesOf, AtMostTenThousand) {
    EXPECT_EQ(parseSweepValues("1:10000:+1").value().size(), 10'000u);
    EXPECT_EQ(values("1:10001:+1").substr(0, 47), "\"1:10001:+1\" makes more than 10000 values; give");
    EXPECT_FALSE(parseSweepValues("1:10000:+1,7").has_value());
    EXPECT_FALSE(parseSweepValues("0:18446744073709551615:+1").has_value());
    std::string list = "1";
    for (int i = 1; i < 10'000; ++i) list += ",1";
    EXPECT_EQ(parseSweepValues(list).value().size(), 10'000u);
    EXPECT_FALSE(parseSweepValues(list + ",1").has_value());
}

}  // namespace
}  // namespace whorl::sim
