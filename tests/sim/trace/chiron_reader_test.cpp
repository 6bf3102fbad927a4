#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/cache/cost.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/simulator.h"
#include "sim/trace/formats/chiron_format.h"
#include "sim/trace/trace_help.h"
#include "sim/trace/trace_random.h"

namespace whorl::sim::test {
namespace {

/// The example of the thesis on Chiron, with the W that is missing in print.
constexpr std::string_view kSample = R"(i 32
i 128
i 8
i 2
c Global 10000000000 6060 1
m 10000000650 0 1 1000315
m 10000000650 0 2 1000315
h 10000000650 0 2 1000315 7164
h 10000000650 0 1 1000315 7165
W 10000000650 0 1000315 57
m 10000000620 0 1 1000370
h 10000000620 0 1 1000370 7366
W 10000000620 0 1000370 20
m 10000000700 0 1 1000644
h 10000000700 0 1 1000644 10270
W 10000000700 0 1000644 20
m 10000000544 0 1 1001203
m 10000000544 0 2 1001203
h 10000000544 0 2 1001203 10663
h 10000000544 0 1 1001203 10664
W 10000000544 0 1001203 57
c bodytab 10000007120 40000 1
)";

const std::string kHead = "i 16\ni 64\ni 4\ni 2\n";

/// "load L2/0 @0 t=7164 400001a8 private" for each event.
std::string eventsOf(const Trace& trace) {
    constexpr std::string_view kKinds[] = {"load", "replace", "invalidate", "protect", "wait"};
    if (trace.recording() == nullptr) return "none";
    std::string out;
    for (const RecordedEvent& e : trace.recording()->events) {
        const auto kind = static_cast<std::size_t>(e.kind);
        const bool waits = e.kind == RecordedEvent::Kind::wait;
        out += fmt::format("{} {}{} @{} t={} {:x}", kKinds[kind], waits ? "cpu " : fmt::format("L{}/", e.level + 1),
                           e.cache, e.access.value, e.cycles, e.address.value);
        if (e.kind == RecordedEvent::Kind::replace) out += fmt::format(" for {:x}", e.other.value);
        out += e.privately ? " !\n" : "\n";
    }
    return out;
}

TEST(Chiron, TheThesisSampleIsRead) {
    const Trace trace = parsed(kSample);
    EXPECT_EQ(accessesOf(trace),
              "W 400001a8 4 file 1:315, W 40000190 4 file 1:370, W 400001c0 4 file 1:644, W 40000164 4 file 1:1203");
    EXPECT_EQ(objectsOf(trace),
              "Global|Global 40000000+3120 0-18446744073709551615; bodytab|bodytab 40000e50+16384 "
              "4-18446744073709551615; ");
    EXPECT_EQ(eventsOf(trace),
              "load L2/0 @0 t=7164 400001a8 !\n"
              "load L1/0 @0 t=7165 400001a8 !\n"
              "wait cpu 0 @0 t=57 400001a8 !\n"
              "load L1/0 @1 t=7366 40000190 !\n"
              "wait cpu 0 @1 t=20 40000190 !\n"
              "load L1/0 @2 t=10270 400001c0 !\n"
              "wait cpu 0 @2 t=20 400001c0 !\n"
              "load L2/0 @3 t=10663 40000164 !\n"
              "load L1/0 @3 t=10664 40000164 !\n"
              "wait cpu 0 @3 t=57 40000164 !\n");
    EXPECT_EQ(trace.recording()->blockSize, (std::array<std::uint32_t, 2>{32, 128}));
    EXPECT_EQ(trace.recording()->caches, (std::array<std::uint32_t, 2>{8, 2}));
}

TEST(Chiron, TheSampleWaitsOnItsMachineAsItWasRecorded) {
    const Trace trace = parsed(kSample);
    const auto machine = parseMachineJson(trace.machine(), "machine");
    ASSERT_TRUE(machine) << machine.error().sentence();
    EXPECT_EQ(machine->cpus, 8u);
    EXPECT_EQ(machine->caches(0), 8u);
    EXPECT_EQ(machine->caches(1), 2u);
    EXPECT_EQ(machine->levels[0].block, 32u);
    EXPECT_EQ(machine->levels[1].block, 128u);
    Simulator simulator(*machine);
    std::vector<Cycles> waits;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) {
        const Cycles before = simulator.clock(0);
        simulator.step(a);
        waits.push_back(simulator.clock(0) - before);
    });
    EXPECT_EQ(waits, (std::vector<Cycles>{57, 20, 20, 57}));
}

/// The text with all letters at the beginning of its lines in lower case.
std::string inLowerCase(std::string_view text) {
    std::string out(text);
    for (std::size_t i = 0; i < out.size(); ++i) {
        if ((i == 0 || out[i - 1] == '\n') && (out[i] == 'R' || out[i] == 'W')) out[i] = out[i] == 'R' ? 'r' : 'w';
    }
    return out;
}

TEST(Chiron, TheSampleAsItIsPrintedIsUnderstood) {
    const Trace trace = parsed(inLowerCase(kSample));
    EXPECT_EQ(accessesOf(trace), accessesOf(parsed(kSample)));
    EXPECT_EQ(eventsOf(trace), eventsOf(parsed(kSample)));
    EXPECT_EQ(trace.objects().size(), 2u);
    EXPECT_TRUE(trace.losses().empty());
}

TEST(Chiron, InLowerCaseStartsAndCompletionsAreToldApart) {
    const std::string both = kHead +
                             "r 100 0 1000005\nm 100 0 1 1000005\nh 100 0 1 1000005 10\nR 100 0 1000005 20\n"
                             "w 100 0 1000006\nw 200 1 1000007\ng 200 1 1 1000007 12\nW 200 1 1000007 99\n";
    const Trace trace = parsed(inLowerCase(both));
    EXPECT_EQ(accessesOf(trace), accessesOf(parsed(both)));
    EXPECT_EQ(eventsOf(trace), eventsOf(parsed(both)));
    EXPECT_TRUE(trace.losses().empty());
    // A wait has decimal digits whatever the base of addresses.
    EXPECT_NE(eventsOf(trace).find("t=99 80"), std::string::npos) << eventsOf(trace);
}

TEST(Chiron, StartsWithASizeBeforeTheirMissAreNoCompletions) {
    const std::string starts = kHead +
                               "r 100 0 0 10\nm 100 0 1 0\nh 100 0 1 0 10\nr 100 0 0 10\nw 200 0 0 4\n"
                               "m 200 0 1 0\nh 200 0 1 0 30\n";
    const Trace trace = parsed(starts);
    EXPECT_EQ(accessesOf(trace), "R 40 8, R 40 8, W 80 4");
    EXPECT_TRUE(trace.losses().empty());
}

TEST(Chiron, WhatMayBeAStartOrACompletionIsWarnedOf) {
    const std::string waits = kHead + "m 100 0 1 0\nh 100 0 1 0 10\nr 100 0 0 20\n";
    const Trace alone = parsed(waits + "w 140 1 0 4\n");
    EXPECT_EQ(accessesOf(alone), "R 40 4, W 60 4 cpu=1");
    ASSERT_EQ(alone.losses().size(), 1u);
    EXPECT_EQ(alone.losses()[0],
              "line 8, \"w 140 1 0 4\", does not follow the events of a miss, but was taken as the end of an access, "
              "and its last number as the cycles waited, as others in this file must be");
    const Trace starts =
        parsed(kHead + "r 100 0 0 4\nm 100 0 1 0\nw 200 1 0 4\nm 200 1 1 0\nm 300 2 1 0\nr 300 2 0 20\n");
    EXPECT_EQ(accessesOf(starts), "R 40 4, W 80 4 cpu=1, R c0 16 cpu=2");
    ASSERT_EQ(starts.losses().size(), 1u);
    EXPECT_EQ(starts.losses()[0],
              "line 10, \"r 300 2 0 20\", follows the events of a miss as the end of an access would, but was taken as "
              "its start, and its last number as a size, as others in this file must be");
    EXPECT_TRUE(parsed(kHead + "m 100 0 1 0\nr 100 0 0 20\nR 100 0 0 57\n").losses().empty())
        << "with upper case there is no doubt";
}

TEST(Chiron, AccessStartsDefineTheAccesses) {
    const Trace trace = parsed(kHead +
                               "r 100 0 0 10\n"
                               "w 104 1 0\n"
                               "h 100 0 1 0 5\n"  // of CPU 0, whose access began first
                               "h 100 0 2 0 7\n"
                               "f 100 0 1 0 8\n"
                               "h 104 1 1 0 9\n"
                               "W 104 1 0 9\n"
                               "R 100 0 0 5\n"
                               "w 100 0 0 4 m\n");
    EXPECT_EQ(accessesOf(trace), "R 40 8, W 44 4 cpu=1, W 40 4");
    EXPECT_EQ(eventsOf(trace),
              "load L1/0 @0 t=5 40 !\n"
              "load L2/0 @1 t=7 40 !\n"
              "invalidate L1/0 @1 t=8 40\n"
              "load L1/1 @1 t=9 44 !\n"
              "wait cpu 1 @1 t=9 44 !\n"
              "wait cpu 0 @0 t=5 40\n");
    TraceCursor cursor(trace);
    EXPECT_TRUE(cursor.at(Tick{2}).modify);
    EXPECT_FALSE(cursor.at(Tick{1}).modify);
}

TEST(Chiron, WithoutStartsEventsBelongToTheNextCompletionOfTheirCpu) {
    const Trace trace = parsed(kHead +
                               "g 100 0 1 0 5\n"
                               "g 100 0 2 0 5\n"
                               "g 100 3 1 0 4\n"  // of CPU 3, which completes later
                               "g 100 1 2 0 4\n"  // of CPUs 2 and 3
                               "b 500 1 2 0 4 200\n"
                               "p 100 0 1 0 6\n"
                               "e 100 3 1 0 6\n"
                               "W 100 0 0 9\n"
                               "R 500 3 0 8\n"
                               "f 100 0 1 0 9\n");  // of an access without further events
    EXPECT_EQ(accessesOf(trace), "W 40 4, R 140 4 cpu=3");
    EXPECT_EQ(eventsOf(trace),
              "load L1/0 @0 t=5 40\n"
              "load L2/0 @0 t=5 40\n"
              "load L1/3 @1 t=4 40\n"
              "load L2/1 @1 t=4 40\n"
              "replace L2/1 @1 t=4 140 for 80\n"
              "protect L1/0 @0 t=6 40\n"
              "invalidate L1/3 @0 t=6 40 !\n"
              "wait cpu 0 @0 t=9 40 !\n"
              "wait cpu 3 @1 t=8 140\n"
              "invalidate L1/0 @1 t=9 40\n");
}

TEST(Chiron, AddressesAreOctalUnlessADigitSaysOtherwise) {
    EXPECT_EQ(accessesOf(parsed(kHead + "R 17 0 0 1\nR 0x17 0 0 1\n")), "R f 4, R 17 4");
    EXPECT_EQ(accessesOf(parsed(kHead + "R 17 0 0 1\nR 18 0 0 1\n")), "R 11 4, R 12 4");
    EXPECT_EQ(accessesOf(parsed(kHead + "R 17 0 0 1\nR 1a 0 0 1\n")), "R 17 4, R 1a 4");
    EXPECT_EQ(accessesOf(parsed(kHead + "c x 100 9 0\nR 17 0 0 1\n")), "R 11 4");
    EXPECT_EQ(accessesOf(parsed(kHead + "c \"x y\" 100 9 0\nR 17 0 0 1\n")), "R 11 4");
    EXPECT_EQ(accessesOf(parsed(kHead + "b 20 0 1 0 1 99\nR 17 0 0 1\n")), "R 11 4");
    // Times, sources, numbers with 0x and words that are no numbers do not decide.
    EXPECT_EQ(accessesOf(parsed(kHead + "h 20 0 1 9999999 89\nh 0x9a 0 1 0 89\nR 17 0 98 99\n")), "R f 4 file 0:98");
    EXPECT_EQ(accessesOf(parsed(kHead + "R x8 0 0 1\nR 17 0 0 1\n", forced(TraceFormat::chiron, true))), "R f 4");
    EXPECT_EQ(accessesOf(parsed(kHead + "R 1777777777777777777770 0 0 1\n")), "R fffffffffffffff8 4");
}

TEST(Chiron, ObjectsHaveClassesAndLives) {
    const Trace trace = parsed(kHead +
                               "c n1 100 30 0 Node\nR 100 0 0 1\nd 100 3\nc \"n 2\" 110 10 2 \"\"\nR 110 0 0 1\n"
                               "c n3 200 0 0\n");
    EXPECT_EQ(objectsOf(trace), "n1|Node 40+24 0-1; n 2| 48+8 1-18446744073709551615; n3|n3 80+0 2-" +
                                    std::to_string(~std::uint64_t{0}) + "; ");
}

TEST(Chiron, WhatWhorlWritesForItselfIsInComments) {
    const std::string machine = R"({"levels": [{"size": "1K", "ways": 1, "block": 16}]})";
    const Trace trace = parsed("# name \"a b\"\n# machine " + machine + "\n#\n# machine shop\n" + kHead +
                               "# region A 0x40 64 8 rows=8\n# mark \"phase 2\"\nR 110 0 0 1\n# region of interest\n");
    EXPECT_EQ(trace.name(), "a b");
    EXPECT_EQ(trace.machine(), machine);
    EXPECT_EQ(regionsOf(trace), "A 40+64");
    EXPECT_EQ(trace.placeOf(ByteAddress{0x48}, Tick{0}), "A[1]");
    ASSERT_EQ(trace.marks().size(), 1u);
    EXPECT_EQ(trace.marks()[0].text, "phase 2");
}

TEST(Chiron, TheMachineHasRoomForWhatWasSeen) {
    std::string text = kHead;
    for (unsigned i = 0; i < 100; ++i) text += fmt::format("g {:o} 1 1 0 {}\nR {:o} 1 0 1\n", i * 16, i, i * 16);
    const auto machine = parseMachineJson(parsed(text).machine(), "machine");
    ASSERT_TRUE(machine) << machine.error().sentence();
    EXPECT_EQ(machine->levels[0].blocks(), 128u);
    EXPECT_EQ(machine->levels[1].blocks(), 64u);
}

TEST(Chiron, EveryErrorNamesItsLine) {
    const std::string lenient = "--lenient skips such lines";
    const auto wrong = [&](const std::string& line, const std::string& what, const std::string& hint = {}) {
        EXPECT_EQ(sentenceOf(kHead + "c old 1000 20 0\nh 100 0 1 0 50\n" + line + "\nR 100 0 0 1\n"),
                  fmt::format("t:7: {}: \"{}\"; {}{}{}", what, line, hint, hint.empty() ? "" : "; ", lenient));
    };
    wrong("q 100 0", "\"q\" is not known",
          "a line begins with one of the letters i c d r w m g h b a f e p R W, or with #");
    wrong("hello", "\"hello\" is not known",
          "a line begins with one of the letters i c d r w m g h b a f e p R W, or with #");
    wrong("h 100 0 1 0", "no time", "expected h ADDRESS CACHE LEVEL SOURCE TIME");
    wrong("b 100 0 1 0 60", "no replaced address", "expected b ADDRESS CACHE LEVEL SOURCE TIME REPLACED ADDRESS");
    wrong("W 100 0 1", "no wait", "expected W ADDRESS CPU SOURCE WAIT");
    wrong("m", "no address", "expected m ADDRESS CPU LEVEL SOURCE");
    wrong("W 100 0 1 5 6", "\"6\" is unexpected", "expected W ADDRESS CPU SOURCE WAIT");
    wrong("r 100 0 1 5 m", "\"m\" is unexpected", "expected r ADDRESS CPU SOURCE, and maybe a SIZE");
    wrong("h 1x0 0 1 0 60", "\"1x0\" is not an address", "expected a number of 64 bits, which is octal here");
    wrong("h 2000000000000000000000 0 1 0 60", "\"2000000000000000000000\" is not an address",
          "expected a number of 64 bits, which is octal here");
    wrong("h 100 0 1 0 18446744073709551616", "\"18446744073709551616\" is not a time",
          "expected a number of 64 bits, which is decimal here");
    wrong("h 0x 0 1 0 60", "\"0x\" is not an address", "expected a number of 64 bits, which is hex here");
    wrong("c new 1777777777777777777770 10 0 X", "it does not end before the last byte of the address space");
    wrong("d 2000 0", "no object that is alive starts there", "it was never created, or has been deleted before");
    wrong("c new 1010 10 0", "an object is still alive there", "a d line ends its lifetime");
    wrong("c new 770 20 0", "an object is still alive there", "a d line ends its lifetime");
    wrong("c new 2000 20", "an object needs a name, an address, a size and a CPU",
          "expected c NAME ADDRESS SIZE CPU, and maybe a CLASS");
    wrong("c new 2000 20 0 Node x", "\"x\" is unexpected", "expected c NAME ADDRESS SIZE CPU, and maybe a CLASS");
    wrong("h 200 0 1 0 49", "the time goes back from 50 to 49 in L1 cache 0",
          "what one L1 cache loads and replaces comes in the order of time");
    wrong("p 100 0 1 0 49", "the time goes back from 50 to 49 in L1 cache 0",
          "what one L1 cache loads and replaces comes in the order of time");
    wrong("h 200 0 0 0 60", "there is no level 0", "it is 1 or 2");
    wrong("h 200 0 3 0 60", "there is no level 3", "it is 1 or 2");
    wrong("m 200 0 3 0", "there is no level 3", "it is 1 or 2");
    wrong("h 200 4 1 0 60", "there is no L1 cache 4", "there are 4 L1 caches, 0 to 3");
    wrong("f 200 2 2 0 60", "there is no L2 cache 2", "there are 2 L2 caches, 0 to 1");
    wrong("W 200 4 0 60", "there is no CPU 4", "there are 4 CPUs, 0 to 3");
    wrong("c new 2000 20 4", "there is no CPU 4", "there are 4 CPUs, 0 to 3");
    wrong("d 1000 4", "there is no CPU 4", "there are 4 CPUs, 0 to 3");
    wrong("h 117 0 1 0 60", "the block is already in L1 cache 0");
    EXPECT_EQ(sentenceOf(kHead + "h 100 0 1 0 5\nf 104 0 1 0 6\nb 200 0 1 0 7 110\n"),
              "t:7: the block is no longer in L1 cache 0: \"b 200 0 1 0 7 110\"; " + lenient);
    EXPECT_EQ(sentenceOf(kHead + "h 100 0 1 0 5\nf 104 0 1 0 6\ne 104 0 1 0 7\n"),
              "t:7: the block is no longer in L1 cache 0: \"e 104 0 1 0 7\"; " + lenient);
    EXPECT_EQ(sentenceOf(kHead + "c x 100 10 0\nd 100 0\nd 100 0\n").substr(0, 42),
              "t:7: no object that is alive starts there:");
    EXPECT_EQ(sentenceOf(kHead + "r 100 0 0 0\n"), "t:5: an access of 0 bytes: \"r 100 0 0 0\"");
    for (const std::string line : {"R 104 0 0 1", "W 100 0 0 1", "R 100 1 0 1"}) {
        EXPECT_EQ(sentenceOf(kHead + "r 100 0 0\n" + line + "\n"),
                  fmt::format("t:6: CPU {} has not begun this access: \"{}\"; expected a line {} with this address "
                              "before it; {}",
                              line[6], line, line[0] == 'W' ? 'w' : 'r', lenient));
    }
    EXPECT_EQ(sentenceOf(kHead + "r 100 0 0\nR 100 0 0 1\nR 100 0 0 1\n").substr(0, 37),
              "t:7: CPU 0 has not begun this access:");
}

TEST(Chiron, ABlockWithoutARecordedFillMayLeave) {
    // Tracing may have been switched on when the block was already present.
    EXPECT_EQ(eventsOf(parsed(kHead + "f 104 0 1 0 6\nh 100 0 1 0 7\nb 200 0 1 0 8 100\nR 200 0 0 9\n")),
              "invalidate L1/0 @0 t=6 44\nload L1/0 @0 t=7 40 !\nreplace L1/0 @0 t=8 80 for 40\n"
              "wait cpu 0 @0 t=9 80\n");
}

TEST(Chiron, TimesOfDifferentCachesNeedNotGoOn) {
    EXPECT_NE(parsed(kHead + "h 100 0 2 0 50\nh 100 0 1 0 60\nh 200 0 2 0 40\nh 200 1 1 0 45\nf 100 0 1 0 30\n"
                             "h 300 0 1 0 60\nR 300 0 0 1\n")
                  .recording(),
              nullptr);
}

TEST(Chiron, TheHeaderIsChecked) {
    const std::string form =
        "a Chiron trace begins with four lines \"i NUMBER\": the block sizes of L1 and L2, and how many L1 and L2 "
        "caches there are";
    const auto told = [](const std::string& text) { return sentenceOf(text, forced(TraceFormat::chiron)); };
    EXPECT_EQ(told("R 100 0 0 1\n"),
              "t:1: the header is not complete: 0 of its 4 lines are there: \"R 100 0 0 1\"; " + form);
    EXPECT_EQ(told("i 16\ni 64\ni 4\nc x 100 10 0\n"),
              "t:4: the header is not complete: 3 of its 4 lines are there: \"c x 100 10 0\"; " + form);
    EXPECT_EQ(told(kHead + "i 3\n"), "t:5: the header has a fifth line: \"i 3\"; " + form);
    EXPECT_EQ(told("i 24\n"),
              "t:1: the blocks of L1 have 24 bytes: \"i 24\"; a block is a power of two from 1 to 4096 bytes");
    EXPECT_EQ(told("i 8192\n"),
              "t:1: the blocks of L1 have 8192 bytes: \"i 8192\"; a block is a power of two from 1 to 4096 bytes");
    EXPECT_EQ(told("i 32\ni 16\n"),
              "t:2: the blocks of L2 (16) are smaller than those of L1 (32): \"i 16\"; they stay the same or grow from "
              "the CPU outward");
    EXPECT_EQ(told("i 16\ni 64\ni 65\n"), "t:3: 65 L1 caches: \"i 65\"; there are 1 to 64");
    EXPECT_EQ(told("i 16\ni 64\ni 4\ni 0\n"), "t:4: 0 L2 caches: \"i 0\"; there are 1 to 64");
    EXPECT_EQ(
        told("i 16\ni 64\ni 4\ni 3\n"),
        "t:4: 4 L1 caches cannot share 3 L2 caches evenly: \"i 3\"; each L2 cache serves as many L1 caches as any "
        "other");
    EXPECT_EQ(told(kHead), "t: there are no accesses in it");
    EXPECT_EQ(sentenceOf("R 100 0 0 1\n", forced(TraceFormat::chiron, true)),
              "t: there are no accesses in it; 1 lines were malformed and skipped");
}

TEST(Chiron, LenientReadingGoesOnAndCounts) {
    const Trace trace = parsed(kHead +
                                   "hello\nh 100 0 1 0 5\nh 100 0 1 0 6\nf 100 9 1 0 7\nd 100 0\nR 100 0 0 7\n"
                                   "h 200 0 1 0 4\nh 300 0 1 0 8\nR 300 0 0 9\n",
                               forced(TraceFormat::chiron, true));
    EXPECT_EQ(trace.skippedLines(), 5u);
    EXPECT_EQ(accessesOf(trace), "R 40 4, R c0 4");
    EXPECT_EQ(eventsOf(trace),
              "load L1/0 @0 t=5 40 !\nwait cpu 0 @0 t=7 40\nload L1/0 @1 t=8 c0 !\nwait cpu 0 @1 t=9 c0\n");
}

TEST(Chiron, IsFoundByItsFirstLines) {
    EXPECT_EQ(accessesOf(parsed("# a comment\n\r\n  i 16\r\ni\t64\ni 4\ni 2\n  r 0x10 1 0\n")), "R 10 4 cpu=1");
    EXPECT_EQ(accessesOf(parsed("\xef\xbb\xbf" + kHead + "r 0x10 1 0\n")), "R 10 4 cpu=1");
    EXPECT_EQ(formatNamed("chiron"), TraceFormat::chiron);
    const Folder folder;
    EXPECT_TRUE(mayBringMachine(folder.put("a", kSample), {}));
    EXPECT_FALSE(mayBringMachine(folder.put("b", "r 0x10 4\n"), {}));
    EXPECT_TRUE(mayBringMachine(folder.at("b"), forced(TraceFormat::chiron)));
    EXPECT_FALSE(mayBringMachine(folder.at("none"), {}));
}

TEST(Chiron, SourceFilesAreNamedByTheListBesideIt) {
    const Folder folder;
    folder.put("a.c", "one\ntwo\nthree\n");
    const std::string path = folder.put("t", kHead + "R 100 0 2000002 1\nR 100 0 1000007 1\nR 100 0 4000001 1\n");
    Progress progress;
    const auto plain = readTrace(path, {}, progress);
    ASSERT_TRUE(plain);
    EXPECT_EQ(accessesOf(*plain), "R 40 4 file 2:2, R 40 4 file 1:7, R 40 4 file 4:1");
    folder.put("t.files", "lib/b c.c\r\na.c\n\"odd\\n\"\n");
    const auto named = readTrace(path, {}, progress);
    ASSERT_TRUE(named);
    EXPECT_EQ(accessesOf(*named), "R 40 4 a.c:2, R 40 4 lib/b c.c:7, R 40 4 file 4:1");
    EXPECT_EQ(named->files()[0].lines, SourceText("one\ntwo\nthree"));
    ReadOptions options;
    options.chironSources = folder.put("other", "x.c\ny.c\n");
    EXPECT_EQ(accessesOf(*readTrace(path, options, progress)), "R 40 4 y.c:2, R 40 4 x.c:7, R 40 4 file 4:1");
    options.chironSources = folder.at("none");
    const auto without = readTrace(path, options, progress);
    ASSERT_FALSE(without);
    EXPECT_EQ(without.error().where, folder.at("none"));
}

TEST(Chiron, IsStreamedWithoutItsRecording) {
    std::string accesses;
    const auto streamed = streamText(kSample, "t", {}, [&](std::span<const PackedAccess> some) {
        for (const PackedAccess& a : some) accesses += fmt::format("{:x} ", a.address().value);
    });
    ASSERT_TRUE(streamed);
    EXPECT_EQ(accesses, "400001a8 40000190 400001c0 40000164 ");
}

TEST(Chiron, APartOfTheAccessesHasNoRecording) {
    ReadOptions options;
    ASSERT_TRUE(addCondition(options.only, "cpu=0"));
    EXPECT_NE(parsed(kSample, options).recording(), nullptr);
    ASSERT_TRUE(addCondition(options.only, "0x40000190-0x40000193"));
    EXPECT_EQ(parsed(kSample, options).recording(), nullptr);
}

TEST(ChironOccupancy, KnowWhatIsThereHoweverManyBlocks) {
    ChironOccupancy residents;
    for (std::uint64_t b = 0; b < 5000; ++b) {
        EXPECT_TRUE(residents.enter(b << 40, 63));
        EXPECT_FALSE(residents.enter(b << 40, 63));
        EXPECT_TRUE(residents.leave(b << 40, 0));
        EXPECT_FALSE(residents.leave(b << 40, 0));
    }
    EXPECT_EQ(residents.most(), 5000u);
    for (std::uint64_t b = 0; b < 5000; ++b) EXPECT_TRUE(residents.leave(b << 40, 63));
    EXPECT_TRUE(residents.enter(0, 63));
    EXPECT_EQ(residents.most(), 5000u);
}

}  // namespace
}  // namespace whorl::sim::test
