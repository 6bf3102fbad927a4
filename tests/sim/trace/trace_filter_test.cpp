#include "sim/trace/filter.h"

#include <gtest/gtest.h>

#include "sim/trace/trace_help.h"

namespace whorl::sim::test {
namespace {

constexpr std::string_view kFiltered =
    "region A 0x1000 256\n"
    "region B 0x2000 256\n"
    "R 0x1000 4 cpu=0 src/mm.c:1\n"
    "new n Node 0x1040 16\n"
    "W 0x1040 4 cpu=1 src/mm.c:2\n"
    "mark half\n"
    "R 0x2000 8 cpu=2 other.c:1\n"
    "del 0x1040\n"
    "W 0x20fc 4 cpu=0\n";

ReadOptions only(std::initializer_list<std::string_view> conditions, Unwanted unwanted = Unwanted::drop) {
    ReadOptions options;
    for (const std::string_view c : conditions) EXPECT_TRUE(addCondition(options.only, c)) << c;
    options.only.unwanted = unwanted;
    return options;
}

std::string kept(std::initializer_list<std::string_view> conditions) {
    return accessesOf(parsed(kFiltered, only(conditions)));
}

TEST(Filter, ChoosesByEachKind) {
    EXPECT_EQ(kept({"cpu=0"}), "R 1000 4 src/mm.c:1, W 20fc 4");
    EXPECT_EQ(kept({"cpu=1,2"}), "W 1040 4 cpu=1 src/mm.c:2, R 2000 8 cpu=2 other.c:1");
    EXPECT_EQ(kept({"cpu=1", "cpu=2"}), kept({"cpu=1,2"}));
    EXPECT_EQ(kept({"region=B"}), "R 2000 8 cpu=2 other.c:1, W 20fc 4");
    EXPECT_EQ(kept({"file=mm.c"}), "R 1000 4 src/mm.c:1, W 1040 4 cpu=1 src/mm.c:2");
    EXPECT_EQ(kept({"file=src/mm.c"}), kept({"file=mm.c"}));
    EXPECT_EQ(kept({"region=A,B"}), kept({}));
}

TEST(Filter, TakesTheEndsOfARange) {
    EXPECT_EQ(kept({"0x1003-0x1040"}), "R 1000 4 src/mm.c:1, W 1040 4 cpu=1 src/mm.c:2");
    EXPECT_EQ(kept({"0x1004-0x1040"}), "W 1040 4 cpu=1 src/mm.c:2");
    EXPECT_EQ(kept({"0x1003-0x103f"}), "R 1000 4 src/mm.c:1");
}

TEST(Filter, WantsAllKindsAtOnce) {
    EXPECT_EQ(kept({"cpu=0", "region=B"}), "W 20fc 4");
    EXPECT_EQ(kept({"cpu=0,1", "0x1000-0x10ff", "file=mm.c", "region=A"}), kept({"file=mm.c"}));
}

TEST(Filter, MovesMomentsUp) {
    const Trace trace = parsed(kFiltered, only({"cpu=0,2"}));
    ASSERT_EQ(trace.size(), 3u);
    EXPECT_EQ(trace.accessesOff(), 1u);
    EXPECT_EQ(trace.marks().at(0).at, Tick{1});
    EXPECT_EQ(trace.objects().at(0).born, Tick{1});
    EXPECT_EQ(trace.objects().at(0).died, Tick{2});
    EXPECT_EQ(regionsOf(trace), "A 1000+256, B 2000+256");
}

// By hand. CPU 1 worked 7 cycles before its first access, which is removed with a cycle of its own, and 3 before its
// second; it was woken by an access of CPU 0 that is removed too, and replaced by the one before it.
TEST(Filter, WorkStaysAndWakingMovesToWhatIsKept) {
    TraceBuilder builder("timed");
    builder.workBeforeEach(1);
    const auto add = [&](std::uint64_t address, std::uint8_t cpu) { builder.add(access(Op::read, address, 4, cpu)); };
    add(0x1000, 0);  // 0
    builder.delay(7);
    add(0x2000, 1);  // 1: removed
    add(0x2000, 0);  // 2: removed
    builder.delay(3, Tick{0});
    add(0x1000, 1);  // 3: 1
    builder.delay(4, Tick{2});
    add(0x1000, 2);  // 4: 2
    builder.delay(9);
    add(0x2000, 2);  // 5: removed
    add(0x1000, 2);  // 6: 3
    add(0x1000, 0);  // 7: 4
    const Trace trace = builder.finish();
    TraceFilter filter;
    ASSERT_TRUE(addCondition(filter, "0x1000-0x1fff"));
    const Timing timing = filtered(trace, filter, "t").value().timing();
    EXPECT_EQ(timing.each, 1u);
    EXPECT_EQ(timing.delays, (DelayList{{Tick{1}, 3, Tick{0}},
                                        {Tick{2}, 4, Tick{0}},
                                        {Tick{3}, 10, Delay::kNoAccess},
                                        {Tick{4}, 1, Delay::kNoAccess}}));
    filter.unwanted = Unwanted::simulate;
    EXPECT_EQ(filtered(trace, filter, "t").value().timing(), trace.timing());
}

TEST(Filter, KeepsTheOthersUnrecordedIfWanted) {
    const Trace all = parsed(kFiltered);
    const Trace trace = parsed(kFiltered, only({"cpu=0"}, Unwanted::simulate));
    EXPECT_EQ(accessesOf(trace), accessesOf(all));
    EXPECT_EQ(trace.accessesOff(), 0u);
    EXPECT_EQ(trace.marks().at(0).at, Tick{2});
    std::string unrecorded;
    trace.forEach(Tick{0}, Tick{4}, [&](Tick, const Access& a) { unrecorded += a.unrecorded ? '1' : '0'; });
    EXPECT_EQ(unrecorded, "0110");
}

TEST(Filter, SaysWhatBecomesOfAccessesWhileOff) {
    constexpr std::string_view kOff = "R 1 1\noff\nW 2 1\non\nR 3 1\n";
    EXPECT_EQ(parsed(kOff).size(), 2u);
    const Trace trace = parsed(kOff, only({}, Unwanted::simulate));
    ASSERT_EQ(trace.size(), 3u);
    EXPECT_TRUE(TraceCursor(trace).at(Tick{1}).unrecorded);
    EXPECT_FALSE(TraceCursor(trace).at(Tick{2}).unrecorded);
}

TEST(Filter, FindsInferredRegions) {
    const Trace trace = parsed(" L 00601000,8\n S 1ffeffe000,8\n L 04a00000,8\n", only({"region=stack"}));
    EXPECT_EQ(accessesOf(trace), "W 1ffeffe000 8");
}

TEST(Filter, SaysWhatIsWrong) {
    const auto wrong = [](std::string_view words) {
        TraceFilter filter;
        return refusalOf(addCondition(filter, words), "taken");
    };
    for (const std::string_view words :
         {"cpu=64", "cpu=", "cpu=0,,1", "colour=red", "0x10", "0x20-0x10", "", "region="}) {
        EXPECT_EQ(wrong(words), "--only \"" + std::string(words) +
                                    "\" is not valid; use cpu=0,2, region=A,B, file=mm.c or 0x1000-0x1fff");
    }
    EXPECT_EQ(sentenceOf("region matrix 0x1000 64\nR 0x1000 4\n", only({"region=matrx"})),
              "t: there is no region \"matrx\"; did you mean \"matrix\"?");
    EXPECT_EQ(sentenceOf(kFiltered, only({"file=zz.h"})),
              "t: there is no source file \"zz.h\"; there are src/mm.c, other.c");
    EXPECT_EQ(sentenceOf("R 0x1 1\n", only({"file=a.c"})),
              "t: there is no source file \"a.c\"; it names no source file");
    EXPECT_EQ(sentenceOf(kFiltered, only({"cpu=9"})), "t: no access matches --only; remove one of the conditions");
}

TEST(Filter, ChoosesWhileStreaming) {
    const auto streamed = [](std::initializer_list<std::string_view> conditions, Unwanted unwanted) {
        std::string out;
        const auto done =
            streamText(kFiltered, "t", only(conditions, unwanted), [&](std::span<const PackedAccess> some) {
                for (const PackedAccess& a : some) out += a.unrecorded() ? 'u' : a.isWrite() ? 'W' : 'R';
            });
        return done ? out + std::to_string(done->accesses) + std::to_string(done->accessesOff)
                    : done.error().sentence();
    };
    EXPECT_EQ(streamed({}, Unwanted::drop), "RWRW40");
    EXPECT_EQ(streamed({"cpu=0"}, Unwanted::drop), "RW22");
    EXPECT_EQ(streamed({"cpu=0"}, Unwanted::simulate), "RuuW40");
    EXPECT_EQ(streamed({"region=A"}, Unwanted::drop),
              "t: a streamed trace cannot be filtered by regions or source files; filter by CPU or addresses");
}

}  // namespace
}  // namespace whorl::sim::test
