#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/trace/formats/reading.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim::test {
namespace {

constexpr std::string_view kLackeyHint =
    R"(; expected for example " L 1ffe0,8"; if the program's own output is mixed in, record with --log-file=FILE; )"
    "--lenient skips such lines";

TEST(Lackey, ReadsAddressesOfEveryLength) {
    std::string text;
    std::string expected;
    for (unsigned digits = 1; digits <= 16; ++digits) {
        for (const char last : std::string_view("0123456789abcdef")) {
            std::string address = std::string("f1e2d3c4b5a69788").substr(0, digits - 1) + last;
            if (digits == 1 || address == "0") address = std::string("7") + last;
            text += " S " + address + ",8\n";
            expected += (expected.empty() ? "W " : ", W ") + address + " 8";
        }
    }
    EXPECT_EQ(accessesOf(parsed(text + "== the last records are read another way, for they are near the end ==\n")),
              expected);
}

TEST(Lackey, KnowsTheInstructionOfAnAccess) {
    const Trace trace =
        parsed("I  00400000,3\nI  00400010,3\n L 1ffe0000,8\n M 1ffe0008,8\nI  00400000,3\n S 1ffe0000,8\n");
    TraceCursor cursor(trace);
    std::string sites;
    for (std::uint64_t t = 0; t < trace.size(); ++t) {
        sites += fmt::format("{:x} ", trace.site(cursor.at(Tick{t}).site).pc.value);
    }
    EXPECT_EQ(sites, "400010 400010 400010 400000 ");
    EXPECT_EQ(trace.sites().size(), 3u);
    EXPECT_FALSE(cursor.at(Tick{1}).modify);
    EXPECT_TRUE(cursor.at(Tick{2}).modify);
}

TEST(Lackey, ReadsItsRecords) {
    const Trace trace = parsed(
        "==77== Lackey, an example Valgrind tool\n"
        "--77-- warning: something\n"
        "\n"
        "I  04001000,3\n"
        " L 1fff0006e8,8\n"
        " S 04025310,4\n"
        " M 0421c7c0,1\n"
        "==77== Exit code:       0\n");
    EXPECT_EQ(accessesOf(trace), "R 1fff0006e8 8, W 4025310 4, R 421c7c0 1, W 421c7c0 1");
    EXPECT_EQ(trace.skippedLines(), 0u);
}

TEST(Lackey, TakesInstructionsAsReadsWhenAsked) {
    const std::string_view text = "I  04001000,3\nI 04001003,5\n L 04025310,4\n";
    EXPECT_EQ(accessesOf(parsed(text)), "R 4025310 4");
    ReadOptions options;
    options.instructions = true;
    EXPECT_EQ(accessesOf(parsed(text, options)), "R 4001000 3, R 4001003 5, R 4025310 4");
}

TEST(Lackey, ReadsFullAddressesOnTheFastPathAndBehindIt) {
    // The last lines of a block take the careful path, the others eight digits at a time: both must agree.
    const std::string lines =
        " L 0123456789abcdef,8\n S 00000000,1\n M ffffffff,2\n L 89abcdef01,8388607\r\n S fffffffffffffff0,8\n";
    const std::string padding(40, ' ');
    const std::string expected =
        "R 123456789abcdef 8, W 0 1, R ffffffff 2, W ffffffff 2, R 89abcdef01 8388607, W fffffffffffffff0 8";
    EXPECT_EQ(accessesOf(parsed(lines + padding)), expected);
    for (const char digit : std::string_view("0123456789abcdef")) {
        for (int place = 0; place < 8; ++place) {
            std::string line = " L 00000000,4\n";
            line[3 + static_cast<std::size_t>(place)] = digit;
            EXPECT_EQ(accessesOf(parsed(line + padding)), accessesOf(parsed(line))) << line;
        }
    }
}

TEST(Lackey, ReadsTheSameAsTheCarefulPathForEveryCharacterInEveryPlace) {
    const std::string padding = "\n" + std::string(40, ' ');
    for (int c = 1; c < 256; ++c) {
        for (std::size_t place = 0; place < 13; ++place) {
            std::string line = " L 04a5bfe8,4";
            line[place] = static_cast<char>(c);
            const ReadOptions options = forced(TraceFormat::lackey);
            const auto fast = parseTrace(line + padding, "t", options);
            const auto careful = parseTrace(line, "t", options);
            ASSERT_EQ(fast.has_value(), careful.has_value()) << line;
            if (fast) {
                ASSERT_EQ(accessesOf(*fast), accessesOf(*careful)) << line;
            } else {
                ASSERT_EQ(fast.error().sentence(), careful.error().sentence());
            }
        }
    }
}

TEST(Lackey, ReadsRecordsWithOtherBlanks) {
    EXPECT_EQ(accessesOf(parsed("L 10,1\n  M  20,1 \nS\t22,4\n")), "R 10 1, R 20 1, W 20 1, W 22 4");
}

TEST(Lackey, TellsWhatIsAroundARecord) {
    const std::string skips = "; --lenient skips such lines";
    const std::string more = R"(; a record ends there; sed -E 's/(,[0-9]+).*/\1/' leaves out what follows)" + skips;
    // As the cache simulators of courses print it.
    EXPECT_EQ(sentenceOf(" L 10,1 miss\n M 20,1 miss hit\n"),
              "t:1: \"miss\" is unexpected behind the size: \" L 10,1 miss\"" + more);
    EXPECT_EQ(sentenceOf(" L 10,1\n" + std::string(40, '\n') + "S 20,1 3"),
              "t:42: \"3\" is unexpected behind the size: \"S 20,1 3\"" + more);
    const std::string comma = R"(; expected for example " L 1ffe0,8"; sed 's/ *, */,/' mends it)" + skips;
    for (const char* line : {" L 10, 4", " L 10 ,4", " L 10 , 4", "I  0400d7d4, 8"}) {
        EXPECT_EQ(sentenceOf(std::string(line) + "\n"),
                  fmt::format("t:1: a blank beside the comma: \"{}\"{}", line, comma));
    }
    EXPECT_EQ(sentenceOf(" L 10,\n"), "t:1: \"\" is not a size: \" L 10,\"; expected bytes" + skips);
    EXPECT_EQ(parsed(" L 10,1 miss\n S 20, 1\n S 30,1\n", forced(TraceFormat::lackey, true)).skippedLines(), 2u);
}

TEST(Lackey, ReportsTheProgramsOwnOutput) {
    EXPECT_EQ(sentenceOf(" L 04000000,8\nHello, world\n L 04000000,8\n"),
              "t:2: not a record of lackey: \"Hello, world\"" + std::string(kLackeyHint));
    EXPECT_EQ(sentenceOf(" L 04000000,8\nHello, w L 04000000,8\n L 04000000,8\n"),
              "t:2: not a record of lackey: \"Hello, w L 04000000,8\"" + std::string(kLackeyHint));
}

TEST(Lackey, LeavesMalformedLinesOutWhenLenient) {
    const Trace trace = parsed(" L 04000000,8\nHello\n L 04000000,0\n S 0400000g,8\n\n S 04000010,8\n",
                               forced(TraceFormat::lackey, true));
    EXPECT_EQ(accessesOf(trace), "R 4000000 8, W 4000010 8");
    EXPECT_EQ(trace.skippedLines(), 3u);
}

TEST(Lackey, CountsInstructions) {
    EXPECT_EQ(parsed("I  0400,4\n L 1000,8\nI  0404,4\nI  0408,4\n S 1008,8\n").instructions(), 3u);
    EXPECT_EQ(parsed(" L 1000,8\n").instructions(), 0u);
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "I  0400,4\nI  04ab,12\n L 1000,8\n";
    for (const StreamedSites sites : {StreamedSites::none, StreamedSites::numbered}) {
        const auto streamed = streamText(text, "t", {.sites = sites}, [](std::span<const PackedAccess>) {});
        EXPECT_EQ(streamed->instructions, 2000u);
    }
}

TEST(Lackey, RefusesImpossibleAccesses) {
    EXPECT_EQ(sentenceOf(" L 04000000,0\n"), "t:1: an access of 0 bytes: \" L 04000000,0\"");
    EXPECT_EQ(sentenceOf(" L 04000000,8388608\n" + std::string(40, '\n')),
              "t:1: an access of 8388608 bytes: \" L 04000000,8388608\"; at most 8388607 are possible");
    EXPECT_EQ(sentenceOf(" S fffffffffffffff9,8\n" + std::string(40, '\n')),
              "t:1: an access past the end of the address space: \" S fffffffffffffff9,8\"");
    EXPECT_EQ(sentenceOf(" L 04000000,8\n L 12345678123456781,8\n" + std::string(40, '\n')),
              "t:2: \"12345678123456781\" is not an address: it has more than 64 bits: \" L 12345678123456781,8\"; "
              "expected up to 16 hex digits; --lenient skips such lines");
}

TEST(Din, ReadsItsRecords) {
    const Trace trace = parsed("2 4000\n0 1fc8\n1 0x1FD0 a comment\n\n0 70f60888 8\r\n0 10 10\n  0   20\tadd r1\n");
    EXPECT_EQ(accessesOf(trace), "R 1fc8 4, W 1fd0 4, R 70f60888 8, R 10 16, R 20 4");
}

TEST(Din, TakesFetchesAsReadsWhenAsked) {
    ReadOptions options;
    options.instructions = true;
    EXPECT_EQ(accessesOf(parsed("2 4000\n0 1fc8\n", options)), "R 4000 4, R 1fc8 4");
}

TEST(Din, ReadsTheExtendedForm) {
    EXPECT_EQ(accessesOf(parsed("r 1fc8 4\nw 2000 10\ni 4000 4\nR 1fcc 8 a comment\n")),
              "R 1fc8 4, W 2000 16, R 1fcc 8");
}

TEST(Din, CountsAndSkipsItsEscapes) {
    const std::string why = " skipped: what a label 4 asks for, to empty the caches, is not done";
    const Trace trace = parsed("0 1000 4\n1 1004 4\n3 0 0\n4 0 0\n2 2000 4\n");
    EXPECT_EQ(accessesOf(trace), "R 1000 4, W 1004 4");
    EXPECT_EQ(trace.losses(), std::vector<std::string>{"2 escape records (label 3 or 4) are" + why});
    EXPECT_EQ(trace.skippedLines(), 0u) << "they are no malformed lines";
    const auto streamed = streamText("0 10\n4 0\n", "t", {}, [](std::span<const PackedAccess>) {});
    EXPECT_EQ(streamed->losses, std::vector<std::string>{"1 escape record (label 3 or 4) is" + why});
    EXPECT_TRUE(parsed("0 10\n").losses().empty());
}

TEST(Din, TellsWhatIsWrong) {
    const ReadOptions din = forced(TraceFormat::din);
    EXPECT_EQ(sentenceOf("0 10\n0 10z\n", din),
              "t:2: \"10z\" is not an address: \"0 10z\"; expected up to 16 hex digits; --lenient skips such lines");
    EXPECT_EQ(sentenceOf("0 10\n1\n", din),
              "t:2: no address: \"1\"; expected for example \"0 1fc8\"; --lenient skips such lines");
    EXPECT_EQ(sentenceOf("hello\n", din),
              "t:1: not a record of din: \"hello\"; expected 0 (read), 1 (write) or 2 (fetch) and an address in hex; "
              "--lenient skips such lines");
    EXPECT_EQ(sentenceOf("0 10 0\n", din), "t:1: an access of 0 bytes: \"0 10 0\"");
    EXPECT_EQ(sentenceOf("0 fffffffffffffffe\n", din),
              "t:1: an access past the end of the address space: \"0 fffffffffffffffe\"");
    EXPECT_EQ(parsed("0 10\nhello\n1 20\n", forced(TraceFormat::din, true)).skippedLines(), 1u);
}

TEST(Formats, AreFoundByContent) {
    const auto from = [](std::string_view text) { return accessesOr(parseTrace(text, "t", {})); };
    EXPECT_EQ(from("0 10\n"), "R 10 4");
    EXPECT_EQ(from("r 10 4\nw 1fc8 4\n"), "R 10 4, W 1fc8 4");
    EXPECT_EQ(from(" L 10,1\n"), "R 10 1");
    EXPECT_EQ(from("r 0x10 4  # as in Dinero's own tests\nr 0x20 4\n"), "R 10 4, R 20 4");
    EXPECT_EQ(from("# only a comment first\n\nregion A 0x0 64\nW 16 2\n"), "W 10 2");
    EXPECT_EQ(from("\xef\xbb\xbfR 0x10 8\n"), "R 10 8");
    // The majority of lines decides, not the first.
    EXPECT_EQ(
        from("the program says R\n0 10\n0 20\n"),
        "t:1: not a record of din: \"the program says R\"; expected 0 (read), 1 (write) or 2 (fetch) and an address "
        "in hex; --lenient skips such lines");
}

TEST(Formats, WhetherNumbersAreHexIsNotGuessed) {
    const auto open = [](const std::string& line) {
        return fmt::format(
            "t: the address in \"{}\" may be hex or decimal, and no line tells which; --format din takes all as hex, "
            "--format text as decimal unless 0x is before it",
            line);
    };
    EXPECT_EQ(sentenceOf("r 10\nw 20\nr 110\n"), open("r 10"));
    EXPECT_EQ(sentenceOf("# of a script\n\nR 10 4\nW 16 4\n"), open("R 10 4"));
    EXPECT_EQ(sentenceOf("M 10\n"), open("M 10"));
    const std::string digits = "r 10\nw 20\nr 110 4\n";
    EXPECT_EQ(accessesOf(parsed(digits, forced(TraceFormat::din))), "R 10 4, W 20 4, R 110 4");
    EXPECT_EQ(accessesOf(parsed(digits, forced(TraceFormat::text))), "R a 4, W 14 4, R 6e 4");
    // A line with a digit above 9 tells it for all.
    EXPECT_EQ(accessesOf(parsed("w 400341a0\nr 10\nr 20 8\n")), "W 400341a0 4, R 10 4, R 20 8");
    EXPECT_EQ(accessesOf(parsed(digits + "r 1f\n")), "R 10 4, W 20 4, R 110 4, R 1f 4");
    // What only Whorl's own text has tells that they are decimal.
    for (const char* own : {"R 0x20", "region A 0x0 64", "mark x", "new n N 0 8", "R 16 4 cpu=1", "R 16 m.c:3", "on",
                            "R 16 # a comment"}) {
        const std::string text = fmt::format("R 10\n{}\n", own);
        EXPECT_TRUE(accessesOf(parsed(text)).starts_with("R a 4")) << own;
    }
    EXPECT_EQ(sentenceOf("R 0x10\nW 1f\n"),
              "t:2: \"1f\" is not an address: 0x is missing before its hex digits: \"W 1f\"; an address is 0x and hex "
              "digits, or a decimal number");
}

TEST(Formats, AFileOfOneLineTellsWhatIsWrongWithItsAddress) {
    const std::string digits(17, 'f');
    for (const auto& [line, form] : {std::pair<std::string, std::string>{" L {},8", "expected up to 16 hex digits"},
                                     {"0 {}", "expected up to 16 hex digits"},
                                     {"r 0x{}", "an address is 0x and hex digits, or a decimal number"},
                                     {"0x400: R 0x{}", "expected 0x and up to 16 hex digits"}}) {
        const std::string prefix = line.find("0x{}") == std::string::npos ? "" : "0x";
        const std::string text = fmt::format(fmt::runtime(line), digits);
        EXPECT_TRUE(
            sentenceOf(text + "\n")
                .starts_with(fmt::format("t:1: \"{}{}\" is not an address: it has more than 64 bits: \"{}\"; {}",
                                         prefix, digits, text, form)))
            << sentenceOf(text);
    }
    for (const std::string line : {" L -10,8", "0 -10", "w -10", "0x400: R -10"}) {
        const std::string said = sentenceOf(line);
        EXPECT_TRUE(said.starts_with(fmt::format("t:1: \"-10\" is not an address: it is negative: \"{}\"; ", line)))
            << said;
    }
    EXPECT_EQ(sentenceOf("R 99999999999999999999\n"),
              "t:1: \"99999999999999999999\" is not an address: it has more than 64 bits: \"R 99999999999999999999\"; "
              "an address is 0x and hex digits, or a decimal number");
}

TEST(Formats, AreForcedByTheOptions) {
    EXPECT_EQ(accessesOf(parsed("r 10 4\n", forced(TraceFormat::din))), "R 10 4");
    EXPECT_EQ(accessesOf(parsed("r 10 4\n", forced(TraceFormat::text))), "R a 4");
    EXPECT_EQ(formatNamed("lackey"), TraceFormat::lackey);
    EXPECT_EQ(formatNamed("din"), TraceFormat::din);
    EXPECT_EQ(formatNamed("text"), TraceFormat::text);
    EXPECT_EQ(formatNamed("Din"), std::nullopt);
}

TEST(Formats, NothingRecognisedIsOneSentence) {
    const std::string expected =
        "t: no line of it looks like a trace in lackey, text, din, drcachesim, pinatrace, whorl, chiron or "
        "champsim; use --format to force one of them, or say what its columns are, as with --columns op,addr,size";
    EXPECT_EQ(sentenceOf("Lorem ipsum\ndolor\n"), expected);
    EXPECT_EQ(sentenceOf("\n\n"), expected);
}

TEST(Formats, ATraceWithoutAccessesIsAnError) {
    EXPECT_EQ(sentenceOf(""), "t: the file is empty; expected a trace");
    EXPECT_EQ(sentenceOf("I  04001000,3\n"),
              "t: there are no accesses in it; instruction fetches are skipped; --instructions counts them as reads");
    EXPECT_EQ(sentenceOf("off\nR 0x10\nM 0x20\n"),
              "t: there are no accesses in it; 3 accesses come after \"off\" and before \"on\"");
    EXPECT_EQ(sentenceOf("hello\nworld\n", forced(TraceFormat::din, true)),
              "t: there are no accesses in it; 2 lines were malformed and skipped");
    EXPECT_EQ(sentenceOf("# nothing\n"), "t: there are no accesses in it");
}

TEST(Formats, ALineWithoutEndIsMalformed) {
    const std::string huge(1u << 21, 'x');
    EXPECT_EQ(sentenceOf("R 0x10\n" + huge, forced(TraceFormat::text)),
              "t:2: a line of 2097152 bytes: \"" + std::string(60, 'x') +
                  "…\"; a line has at most 65536; --lenient skips such lines");
    for (const TraceFormat format : {TraceFormat::lackey, TraceFormat::din, TraceFormat::text}) {
        const std::string good = format == TraceFormat::lackey ? " L 10,4\n"
                                 : format == TraceFormat::din  ? "0 10\n"
                                                               : "R 16\n";
        const Trace trace = parsed(good + huge + "\n" + good + huge + "\r\n" + good, forced(format, true));
        EXPECT_EQ(accessesOf(trace), "R 10 4, R 10 4, R 10 4");
        EXPECT_EQ(trace.skippedLines(), 2u);
        EXPECT_EQ(trace.losses(),
                  (std::vector<std::string>{"line 2 is left out: it has 2097152 bytes, and a line at most 65536",
                                            "line 4 is left out: it has 2097153 bytes, and a line at most 65536"}));
    }
}

TEST(Formats, TheLengthOfALongLineIsCountedWhereverItEnds) {
    // Whether the line ends within a block, at its end, or far beyond.
    for (const std::size_t size :
         {kMaxLine + 1, kMaxLine + 2, kMaxLine + 3, (std::size_t{256} << 10) - 8, (std::size_t{256} << 10) - 7,
          std::size_t{256} << 10, (std::size_t{256} << 10) + 1, std::size_t{1} << 20}) {
        for (const std::string_view end : {"", "\n", "\nR 0x20\n"}) {
            const std::string line = std::string(size, 'x') + std::string(end);
            const std::string length = fmt::format(": a line of {} bytes: \"xxx", size);
            EXPECT_TRUE(sentenceOf("R 0x10\n" + line).starts_with("t:2" + length)) << size;
            EXPECT_TRUE(sentenceOf("i 32\ni 32\ni 1\ni 1\n" + line).starts_with("t:5" + length)) << size;
        }
    }
}

TEST(Formats, ATooLongLineIsNamedWhereItIsTheOnlyOne) {
    for (const std::size_t size : {kMaxLine + 1, (std::size_t{256} << 10) + 1, std::size_t{1} << 20}) {
        const std::string line = "R 0x10 " + std::string(size - 7, ' ');
        EXPECT_EQ(sentenceOf(line), fmt::format("t:1: a line of {} bytes: \"R 0x10{}…\"; a line has at most 65536",
                                                size, std::string(54, ' ')));
    }
    EXPECT_TRUE(sentenceOf("{\"a\": \"" + std::string(kMaxLine, 'x') + "\"}").starts_with("t: this is JSON"));
}

TEST(Formats, ALineThatIsCutAtACarriageReturnIsStillTooLong) {
    std::string line = "R 0x10 " + std::string(std::size_t{1} << 20, ' ');
    line[kMaxLine] = '\r';
    EXPECT_EQ(sentenceOf(line + "\nR 0x20\n", forced(TraceFormat::text)).substr(0, 27), "t:1: a line of 1048583 byte");
}

TEST(Formats, TheLongestLineIsRead) {
    const std::string line = "R 0x10 " + std::string(kMaxLine - 7, ' ');
    EXPECT_EQ(accessesOf(parsed(line + "\nR 0x20\n")), "R 10 4, R 20 4");
    EXPECT_EQ(sentenceOf("R 0x20\n" + line + " \n"), "t:2: a line of 65537 bytes: \"R 0x10" + std::string(54, ' ') +
                                                         "…\"; a line has at most 65536; --lenient skips such lines");
}

TEST(Formats, LineNumbersAreRightBeyondTheFirstBlock) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += " L 04000000,8\n";
    const Trace trace = parsed(text);
    EXPECT_EQ(trace.size(), 100000u);
    EXPECT_EQ(sentenceOf(text + "oops\n").substr(0, 43), "t:100001: not a record of lackey: \"oops\"; e");
}

TEST(Formats, NumbersAreReadUpToTheLastOne) {
    EXPECT_EQ(decimalNumber("18446744073709551615"), ~0ull);
    EXPECT_EQ(decimalNumber("18446744073709551616"), std::nullopt);
    EXPECT_EQ(decimalNumber("99999999999999999999"), std::nullopt);
    EXPECT_EQ(hexNumber("ffffFFFFffffFFFF"), ~0ull);
    EXPECT_EQ(hexNumber("0X1f"), 0x1fu);
    EXPECT_EQ(hexNumber("10000000000000000"), std::nullopt);
    EXPECT_EQ(hexNumber("00000000000000000001"), 1u);
    EXPECT_EQ(anyNumber("0x"), std::nullopt);
    EXPECT_EQ(anyNumber(""), std::nullopt);
    EXPECT_EQ(anyNumber("-1"), std::nullopt);
    EXPECT_EQ(anyNumber("1f"), std::nullopt);
    EXPECT_EQ(anyNumber("010"), 10u);
}

TEST(Formats, ErrorsShowTextThatCanBePrinted) {
    EXPECT_EQ(shown("plain"), "plain");
    EXPECT_EQ(shown(std::string_view("a\0\x1b[31m\xff", 8)), "a\\x00\\x1b[31m\\xff");
    EXPECT_EQ(shown("Größe × 2"), "Größe × 2");
    EXPECT_EQ(shown("\xc3"), "\\xc3");
    EXPECT_EQ(shown(std::string(61, 'a')), std::string(60, 'a') + "…");
    EXPECT_EQ(shown(std::string(60, 'a')), std::string(60, 'a'));
}

}  // namespace
}  // namespace whorl::sim::test
