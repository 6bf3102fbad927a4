#include <gtest/gtest.h>

#include "sim/trace/trace_help.h"

namespace whorl::sim::test {
namespace {

const ReadOptions kTextFormat = forced(TraceFormat::text);
const std::string kExample = "expected for example: R 0x1000 8 cpu=0 mm.c:12";
const std::string kRegionExample = "expected for example: region A 0x1000 2K 8 rows=16 cols=16";

TEST(Text, ReadsAccesses) {
    EXPECT_EQ(accessesOf(parsed("R 0x1000 8\nW 4096 2\nM 0x20\n", kTextFormat)), "R 1000 8, W 1000 2, R 20 4, W 20 4");
    EXPECT_EQ(accessesOf(parsed("r 0x1000 8\nw 0X1F 2\nm 0x20 0x10", kTextFormat)),
              "R 1000 8, W 1f 2, R 20 16, W 20 16");
    EXPECT_EQ(accessesOf(parsed("  R\t0x1000   8 \r\n\r\nR 0x10#8\nR 0x20 8#16\n", kTextFormat)),
              "R 1000 8, R 10 4, R 20 8");
}

TEST(Text, ReadsWhatStandsBehindAnAccess) {
    EXPECT_EQ(accessesOf(parsed("R 0x10 8 cpu=3 mm.c:12\nR 0x10 mm.c:12 cpu=3 # why\nM 0x10 cpu=63\nR 0x10 8:7\n",
                                kTextFormat)),
              "R 10 8 cpu=3 mm.c:12, R 10 4 cpu=3 mm.c:12, R 10 4 cpu=63, W 10 4 cpu=63, R 10 4 8:7");
    EXPECT_EQ(accessesOf(parsed("R 0x10 8 \"my file.c:12\"\nR 0x10 \"cpu=1:4\"\nR 0x10 C:\\a.c:3\n", kTextFormat)),
              "R 10 8 my file.c:12, R 10 4 cpu=1:4, R 10 4 C:\\a.c:3");
    EXPECT_EQ(parsed("R 0x10 cpu=5\n", kTextFormat).cpus(), 6u);
    EXPECT_EQ(accessesOf(parsed("R 0x10 mm.c:0\n", kTextFormat)), "R 10 4");
}

TEST(Text, TellsWhatIsWrongWithAnAccess) {
    EXPECT_EQ(sentenceOf("R\n", kTextFormat), "t:1: no address: \"R\"; " + kExample);
    EXPECT_EQ(sentenceOf("R # 0x10\n", kTextFormat), "t:1: no address: \"R # 0x10\"; " + kExample);
    EXPECT_EQ(
        sentenceOf("R 1ff0 8\n", kTextFormat),
        "t:1: \"1ff0\" is not an address: 0x is missing before its hex digits: \"R 1ff0 8\"; an address is 0x and hex "
        "digits, or a decimal number");
    EXPECT_EQ(sentenceOf("R 0x10000000000000000\n", kTextFormat),
              "t:1: \"0x10000000000000000\" is not an address: it has more than 64 bits: \"R 0x10000000000000000\"; an "
              "address "
              "is 0x and hex digits, or a decimal number");
    EXPECT_EQ(sentenceOf("R 0x10 0\n", kTextFormat), "t:1: an access of 0 bytes: \"R 0x10 0\"");
    EXPECT_EQ(sentenceOf("R 0x10 8388608\n", kTextFormat),
              "t:1: an access of 8388608 bytes: \"R 0x10 8388608\"; at most 8388607 are possible");
    EXPECT_EQ(sentenceOf("W 0xfffffffffffffff9 8\n", kTextFormat),
              "t:1: an access past the end of the address space: \"W 0xfffffffffffffff9 8\"");
    EXPECT_EQ(sentenceOf("R 0x10 8 cpu=64\n", kTextFormat),
              "t:1: \"cpu=64\" is not a CPU: \"R 0x10 8 cpu=64\"; they are cpu=0 to cpu=63");
    EXPECT_EQ(sentenceOf("R 0x10 eight\n", kTextFormat),
              "t:1: \"eight\" is neither a size, nor a CPU, nor a source line: \"R 0x10 eight\"; " + kExample);
    EXPECT_EQ(sentenceOf("R 0x10 8 cpu=1 cpu=1\n", kTextFormat), "t:1: a second CPU: \"R 0x10 8 cpu=1 cpu=1\"");
    EXPECT_EQ(sentenceOf("R 0x10 a.c:1 b.c:2\n", kTextFormat), "t:1: a second source line: \"R 0x10 a.c:1 b.c:2\"");
    EXPECT_EQ(sentenceOf("R 0x10 a.c:4294967296\n", kTextFormat),
              "t:1: \"a.c:4294967296\" is neither a size, nor a CPU, nor a source line: \"R 0x10 a.c:4294967296\"; " +
                  kExample);
    EXPECT_EQ(
        sentenceOf("R 0x10 4\nread 0x10\n", kTextFormat),
        "t:2: \"read\" is not known: \"read 0x10\"; a line starts with R, W, M, region, new, del, mark, on, off or #; "
        "--lenient skips such lines");
}

TEST(Text, ReadsRegions) {
    const Trace trace = parsed(
        "R 0x1008 8\n"
        "region A 0x1000 2048 8 rows=16 cols=16\n"
        "region \"field u\" 0x2000 2K\n"
        "region v 65536 0x40 cols=2 4 rows=8 # in any order\n"
        "region big 0x100000 1M\n",
        kTextFormat);
    EXPECT_EQ(regionsOf(trace), "A 1000+2048, field u 2000+2048, v 10000+64, big 100000+1048576");
    EXPECT_EQ(trace.placeOf(ByteAddress{0x1088}, Tick{0}), "A[1][1]");
    EXPECT_EQ(trace.placeOf(ByteAddress{0x1000c}, Tick{0}), "v[1][1]");
    EXPECT_EQ(trace.regions()[1].elementSize, 1u);
}

TEST(Text, TellsWhatIsWrongWithARegion) {
    const auto line = [](const std::string& text) {
        return sentenceOf("R 0x1000\nregion B 0x1000 64\n" + text, kTextFormat);
    };
    EXPECT_EQ(line("region A 0x2000"),
              "t:3: a region needs a name, an address and a size: \"region A 0x2000\"; " + kRegionExample);
    EXPECT_EQ(line("region A 0x103f 64"), "t:3: it overlaps the region \"B\": \"region A 0x103f 64\"");
    EXPECT_EQ(line("region A 0x2000 0"), "t:3: the size is 0: \"region A 0x2000 0\"");
    EXPECT_EQ(line("region A 0x2000 2G"),
              "t:3: \"2G\" is not a size: \"region A 0x2000 2G\"; expected bytes: 2048, 0x800 or 2K");
    EXPECT_EQ(
        line("region A 0x2000 18014398509481984K"),
        "t:3: \"18014398509481984K\" is not a size: \"region A 0x2000 18014398509481984K\"; expected bytes: 2048, "
        "0x800 or 2K");
    EXPECT_EQ(line("region A x 64"),
              "t:3: \"x\" is not an address: \"region A x 64\"; an address is 0x and hex digits, or a decimal number");
    EXPECT_EQ(line("region A 0xffffffffffffff00 256"),
              "t:3: it does not end before the last byte of the address space: \"region A 0xffffffffffffff00 256\"");
    EXPECT_EQ(line("region A 0x2000 64 8 8"),
              "t:3: \"8\" is given twice: \"region A 0x2000 64 8 8\"; " + kRegionExample);
    EXPECT_EQ(line("region A 0x2000 64 0"),
              "t:3: \"0\" is no element size, rows= or cols=: \"region A 0x2000 64 0\"; " + kRegionExample);
    EXPECT_EQ(line("region A 0x2000 64 rows=x"),
              "t:3: \"rows=x\" is no element size, rows= or cols=: \"region A 0x2000 64 rows=x\"; " + kRegionExample);
    EXPECT_EQ(line("region A 0x2000 64 cols=2"),
              "t:3: cols= without rows=: \"region A 0x2000 64 cols=2\"; " + kRegionExample);
    EXPECT_EQ(line("region A 0x2000 64 8 rows=3 cols=3"),
              "t:3: 3 × 3 elements of 8 bytes do not fit into 64 bytes: \"region A 0x2000 64 8 rows=3 cols=3\"");
    EXPECT_EQ(line("region A 0x2000 64 8 rows=18446744073709551615 cols=18446744073709551615").substr(0, 31),
              "t:3: 18446744073709551615 × 18");
    EXPECT_EQ(line("region \"A 0x2000 64").substr(0, 30), "t:3: the quotes are not valid:");
}

TEST(Text, ReadsObjects) {
    const Trace trace = parsed(
        "new a Node 0x1000 24\n"
        "R 0x1000 8\n"
        "del 0x1000\n"
        "new \"b c\" \"std::list<int>\" 0x1000 1K\n"
        "W 0x1000 8\n",
        kTextFormat);
    ASSERT_EQ(trace.objects().size(), 2u);
    EXPECT_EQ(trace.objects()[0].className, "Node");
    EXPECT_EQ(trace.objects()[1].className, "std::list<int>");
    EXPECT_EQ(trace.placeOf(ByteAddress{0x1008}, Tick{0}), "a+0x8");
    EXPECT_EQ(trace.placeOf(ByteAddress{0x1008}, Tick{1}), "b c+0x8");
    EXPECT_EQ(trace.objects()[1].size, 1024u);
}

TEST(Text, TellsWhatIsWrongWithAnObject) {
    const auto line = [](const std::string& text) { return sentenceOf("new a Node 0x1000 24\n" + text, kTextFormat); };
    EXPECT_EQ(line("new b Node 0x1010 8"),
              "t:2: an object is still alive there: \"new b Node 0x1010 8\"; del ends its lifetime");
    EXPECT_EQ(
        line("new b 0x1010 8"),
        "t:2: new needs a name, a class, an address and a size: \"new b 0x1010 8\"; expected for example: new n1 Node "
        "0x1000 24");
    EXPECT_EQ(line("new b Node 0x2000 0\nR 0x2000"), "read");
    EXPECT_EQ(line("del 0x1008"), "t:2: no object that is alive starts there: \"del 0x1008\"");
    EXPECT_EQ(line("del"), "t:2: del needs the address of an object: \"del\"; expected for example: del 0x1000");
    EXPECT_EQ(line("del n1"),
              "t:2: \"n1\" is not an address: \"del n1\"; an address is 0x and hex digits, or a decimal number");
}

TEST(Text, ReadsMarksAndSwitches) {
    const Trace trace =
        parsed("mark start\nR 0x10\nmark \"phase 2\"\noff\nR 0x20\non\nR 0x30\nmark \"\"\n", kTextFormat);
    EXPECT_EQ(accessesOf(trace), "R 10 4, R 30 4");
    EXPECT_EQ(trace.accessesOff(), 1u);
    ASSERT_EQ(trace.marks().size(), 3u);
    EXPECT_EQ(trace.marks()[0].at, Tick{0});
    EXPECT_EQ(trace.marks()[1].text, "phase 2");
    EXPECT_EQ(trace.marks()[1].at, Tick{1});
    EXPECT_EQ(trace.marks()[2].text, "");
    EXPECT_EQ(trace.marks()[2].at, Tick{2});
    EXPECT_EQ(sentenceOf("mark phase 2\n", kTextFormat),
              "t:1: mark needs one name: \"mark phase 2\"; expected for example: mark \"phase 2\"");
    EXPECT_EQ(sentenceOf("on 1\n", kTextFormat), "t:1: \"1\" is unexpected: \"on 1\"");
    EXPECT_EQ(sentenceOf("off now\n", kTextFormat), "t:1: \"now\" is unexpected: \"off now\"");
}

TEST(Text, ReadsQuotes) {
    const auto mark = [](const std::string& word) {
        return parsed("R 0\nmark " + word + "\n", kTextFormat).marks()[0].text;
    };
    EXPECT_EQ(mark(R"("a \"b\" \\ # c")"), R"(a "b" \ # c)");
    EXPECT_EQ(mark(R"("\x01\xff\n\r\t")"), "\x01\xff\n\r\t");
    EXPECT_EQ(mark(R"("a"#b)"), "a");
    EXPECT_EQ(mark(R"(back\slash)"), R"(back\slash)");
    const std::string hint = R"(; expected "…" with a blank behind it, and \" or \\ within)";
    for (const std::string word : {R"("open)", R"("a"b)", R"("\q")", R"("\x1")", R"("\xzz")", R"("\)", R"("\0x1")"}) {
        EXPECT_EQ(sentenceOf("mark " + word, kTextFormat),
                  "t:1: the quotes are not valid: \"mark " + word + "\"" + hint);
    }
}

TEST(Text, LeavesMalformedLinesOutWhenLenient) {
    const Trace trace = parsed("R 0x10\nhello\nR zz\nregion A 0 0\nW 0x20\ndel 0x4\n", forced(TraceFormat::text, true));
    EXPECT_EQ(accessesOf(trace), "R 10 4, W 20 4");
    EXPECT_EQ(trace.skippedLines(), 4u);
}

TEST(Text, RemembersMoreEndsOfLinesThanItKeeps) {
    std::string text;
    for (int i = 1; i <= 40000; ++i) text += "R 0x10 a.c:" + std::to_string(i % 20000 + 1) + "\n";
    const Trace trace = parsed(text, kTextFormat);
    EXPECT_EQ(trace.sites().size(), 20001u);
    EXPECT_EQ(trace.site(TraceCursor(trace).at(Tick{39999}).site).line, 1u);
}

}  // namespace
}  // namespace whorl::sim::test
