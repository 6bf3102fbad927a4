// The formats of other tools: DynamoRIO's view of a trace, Pin's pinatrace, ChampSim. By examples worked out by hand,
// and by writing random accesses in each form and reading them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <random>

#include "sim/trace/formats/trace_formats.h"
#include "sim/trace/packing.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim::test {
namespace {

/// The addresses of the instructions that made the accesses, in hex.
std::string instructionsOf(const Trace& trace) {
    std::string all;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) {
        all += fmt::format("{}{:x}", all.empty() ? "" : " ", trace.site(a.site).pc.value);
    });
    return all;
}

constexpr std::string_view kView =
    "Output format:\n"
    "<--record#-> <--instr#->: <---tid---> <record details>\n"
    "------------------------------------------------------------\n"
    "           1           0:     1284372 <marker: version 6>\n"
    "           2           1:     1284372 ifetch       3 byte(s) @ 0x00007f1fe8a7a0d0 48 89 e7             mov    "
    "%rsp, %rdi\n"
    "           3           2:     1284372 ifetch      10 byte(s) @ 0x00007f1fe8a7a0d3 48 b8 01 02 03 04 05 mov    "
    "$0x01, %rax\n"
    "           3           2:     1284372                                             06 07 08\n"
    "           4           2:     1284372 read         8 byte(s) @ 0x00007ffd1fded688 by PC 0x00007f1fe8a7a0d3\n"
    "------------------------------------------------------------\n"
    "           5           2:     1284399 <marker: tid 1284399 on core 3>\n"
    "           6           3:     1284399 ifetch       2 byte(s) @ 0x0000000000401000 f3 a4                rep movsb\n"
    "           7           3:     1284399 read         1 byte(s) @ 0x0000000000500000 by PC 0x0000000000401000\n"
    "           8           3:     1284399 write        1 byte(s) @ 0x0000000000600000 by PC 0x0000000000401000\n"
    "           9           3:     1284399 ifetch       2 byte(s) @ 0x0000000000401000 non-fetched instruction\n"
    "          10           3:     1284399 pref-r-L1    1 byte(s) @ 0x0000000000700000 by PC 0x0000000000401000\n"
    "          11           3:     1284399 <thread 1284399 exited>\n"
    "View tool results:\n"
    "              3 : total instructions\n";

TEST(Drcachesim, ReadsItsRecords) {
    const Trace trace = parsed(kView);
    EXPECT_EQ(accessesOf(trace), "R 7ffd1fded688 8, R 500000 1 cpu=1, W 600000 1 cpu=1");
    EXPECT_EQ(instructionsOf(trace), "7f1fe8a7a0d3 401000 401000");
    EXPECT_EQ(trace.instructions(), 3u);
    EXPECT_TRUE(trace.losses().empty());
}

TEST(Drcachesim, TakesInstructionsAsReadsWhenAsked) {
    const Trace trace = parsed(kView, forced(TraceFormat::drcachesim, false, true));
    EXPECT_EQ(accessesOf(trace),
              "R 7f1fe8a7a0d0 3, R 7f1fe8a7a0d3 10, R 7ffd1fded688 8, R 401000 2 cpu=1, R 500000 1 cpu=1, W 600000 1 "
              "cpu=1");
    EXPECT_EQ(instructionsOf(trace), "7f1fe8a7a0d0 7f1fe8a7a0d3 7f1fe8a7a0d3 401000 401000 401000");
}

TEST(Drcachesim, ReadsOlderForms) {
    EXPECT_EQ(accessesOf(parsed("  T342625 ifetch  3 byte(s) @ 0x00007fb0e6c32d10 non-branch\n"
                                "  T342625 write  8 byte(s) @ 0x00007ffc10 by PC 0x00007fb0e6c32d10\n"
                                "  T342625 <marker: timestamp 13270730073449834>\n")),
              "W 7ffc10 8");
    EXPECT_EQ(
        accessesOf(parsed("Output format:\n<record#>: T<tid> <record details>\n"
                          "   173369: T1774669 ifetch       9 byte(s) @ 0x0000000000402680 f3 48 a5 00 00 00 00 x\n"
                          "                                                 00 00\n"
                          "   173370: T1774669 read         8 byte(s) @ 0x00007f8881e37c70 by PC 0x402680\n")),
        "R 7f8881e37c70 8");
    // Two programs may have threads of one number.
    EXPECT_EQ(
        accessesOf(parsed("1 0: W0.T3 read 8 byte(s) @ 0x10 by PC 0x1\n2 0: W1.T3 read 8 byte(s) @ 0x10 by PC 0x1\n"
                          "3 0: W0.T3 read 8 byte(s) @ 0x18 by PC 0x1\n")),
        "R 10 8, R 10 8 cpu=1, R 18 8");
}

TEST(Drcachesim, AnAccessWithoutInstructionIsOfTheOneBefore) {
    const std::string_view text =
        "T1 ifetch 3 byte(s) @ 0x400 non-branch\nT1 read 8 byte(s) @ 0x1000\nT2 read 8 byte(s) @ 0x2000\n";
    EXPECT_EQ(instructionsOf(parsed(text)), "400 0");
}

TEST(Drcachesim, ThreadsBeyondTheCpusShareTheIdlest) {
    std::string text;
    // Thread n makes n + 1 accesses, but for the last, which makes none.
    for (unsigned thread = 0; thread < kMaxCpus; ++thread) {
        for (unsigned i = 0; i <= (thread == 40 ? 0 : thread + 1); ++i) {
            text += fmt::format("T{} read 8 byte(s) @ {:#x} by PC 0x400\n", 1000 + thread, 4096 * thread + 8 * i);
        }
    }
    const Trace full = parsed(text);
    EXPECT_EQ(full.cpus(), kMaxCpus);
    EXPECT_TRUE(full.losses().empty());
    const Trace more = parsed(text +
                              "T9 read 8 byte(s) @ 0x10 by PC 0x400\nT8 read 8 byte(s) @ 0x10 by PC 0x400\n"
                              "T9 read 8 byte(s) @ 0x10 by PC 0x400\n");
    TraceCursor cursor(more);
    const auto cpuAt = [&](std::uint64_t back) { return int{cursor.at(Tick{more.size() - back}).cpu}; };
    EXPECT_EQ(cpuAt(3), 40) << "one access";
    EXPECT_EQ(cpuAt(2), 0) << "two accesses, as CPU 40 has now";
    EXPECT_EQ(cpuAt(1), 40) << "a thread stays where it is";
    EXPECT_EQ(more.losses(), std::vector<std::string>{
                                 "it has more than 64 threads: each further one is put on the CPU with the fewest "
                                 "accesses so far"});
}

TEST(Drcachesim, TellsWhatIsWrong) {
    const ReadOptions view = forced(TraceFormat::drcachesim);
    const std::string skips = "; --lenient skips such lines";
    EXPECT_EQ(sentenceOf("hello\n", view),
              "t:1: not a record of drmemtrace: \"hello\"; expected for example \"12 5: "
              "1284372 read 8 byte(s) @ 0x7ffd10 by PC 0x4004f6\"" +
                  skips);
    EXPECT_EQ(
        sentenceOf("T1 jump 3\n", view),
        "t:1: \"jump\" is not a kind of record: \"T1 jump 3\"; expected ifetch, read, write or a <marker>" + skips);
    EXPECT_EQ(sentenceOf("T1 <marker: x>\nT1 read x byte(s) @ 0x10\n", view),
              "t:2: \"x\" is not a size: \"T1 read x byte(s) @ 0x10\"; expected for example \"8 byte(s) @ 0x7ffd10\"" +
                  skips);
    EXPECT_EQ(sentenceOf("T1 read 8 byte(s) @ 10\n", view),
              "t:1: no address: \"T1 read 8 byte(s) @ 10\"; expected \"byte(s) @ 0x\" and hex digits" + skips);
    EXPECT_EQ(
        sentenceOf("T1 read 8 byte(s) @ 0x10 by PC\n", view),
        "t:1: what follows the address is not the instruction: \"T1 read 8 byte(s) @ 0x10 by PC\"; expected \"by PC "
        "0x\" and hex digits" +
            skips);
    EXPECT_EQ(sentenceOf("T1 read 0 byte(s) @ 0x10\n", view),
              "t:1: an access of 0 bytes: \"T1 read 0 byte(s) @ 0x10\"");
    EXPECT_EQ(sentenceOf("T1 ifetch 3 byte(s) @ 0x10 jump\n"),
              "t: there are no accesses in it; instruction fetches are skipped; --instructions counts them as reads");
    EXPECT_EQ(parsed("T1 read 8 byte(s) @ 0x10\nhello\n", forced(TraceFormat::drcachesim, true)).skippedLines(), 1u);
}

TEST(Pinatrace, ReadsPointersAsEachLibraryPrintsThem) {
    const Trace glibc = parsed("0x7f3c: R 0x1000\n0x7f40: W (nil)\n0x7f44: R 0x2000\n#eof\n");
    EXPECT_EQ(accessesOf(glibc), "R 1000 1, W 0 1, R 2000 1");
    const Trace windows = parsed("00007FF6A0: R 00000012FF60\n00007FF6A4: W 00000012FF68 8 0x2a\n#eof\n");
    EXPECT_EQ(accessesOf(windows), "R 12ff60 1, W 12ff68 8");
    EXPECT_EQ(instructionsOf(windows), "7ff6a0 7ff6a4");
    EXPECT_EQ(accessesOf(parsed("400: R 1000\n")), "R 1000 1") << "a pointer is hex, whatever its digits";
}

TEST(Pinatrace, ReadsBothForms) {
    const Trace trace = parsed(
        "#\n# Memory Access Trace Generated By Pin\n#\n"
        "0x7f1fe8a7a0d3: R 0x7ffd1fded688\n"
        "0x4004f6: W     0x7ffd10  8             0x2a\n"
        "0x4004fa: R     0x7ffd20 32 0x00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff\n"
        "0x4004fe: R     0x7ffd40 64 \n"
        "#eof\n");
    EXPECT_EQ(accessesOf(trace), "R 7ffd1fded688 1, W 7ffd10 8, R 7ffd20 32, R 7ffd40 64");
    EXPECT_EQ(instructionsOf(trace), "7f1fe8a7a0d3 4004f6 4004fa 4004fe");
    EXPECT_EQ(trace.instructions(), 0u) << "they are not recorded";
}

TEST(Pinatrace, TellsWhatIsWrong) {
    const ReadOptions pin = forced(TraceFormat::pinatrace);
    const std::string example =
        "; expected for example \"0x4004f6: R 0x7ffd10\", or a size and a value in addition; --lenient skips such "
        "lines";
    EXPECT_EQ(sentenceOf("0x10 R 0x20\n", pin), "t:1: not a record of pinatrace: \"0x10 R 0x20\"" + example);
    EXPECT_EQ(sentenceOf("0x10: X 0x20\n", pin), "t:1: not a record of pinatrace: \"0x10: X 0x20\"" + example);
    EXPECT_EQ(sentenceOf("#\n0x10: R\n", pin), "t:2: no address: \"0x10: R\"" + example);
    EXPECT_EQ(
        sentenceOf("0x10: R 20\n", pin),
        "t:1: \"20\" is not an address: 0x is missing before its hex digits: \"0x10: R 20\"; expected 0x and up to "
        "16 hex digits; --lenient skips such lines");
    EXPECT_EQ(sentenceOf("0x10: R 0x20 0x8\n", pin),
              "t:1: \"0x8\" is not a size: \"0x10: R 0x20 0x8\"; expected a number "
              "of bytes; --lenient skips such lines");
    EXPECT_EQ(sentenceOf("0x10: R 0x20 0\n", pin), "t:1: an access of 0 bytes: \"0x10: R 0x20 0\"");
    EXPECT_EQ(sentenceOf("#eof\n", pin), "t: there are no accesses in it");
    EXPECT_EQ(accessesOf(parsed("0x10: R 0x20 4 0x1\nhello\n", forced(TraceFormat::pinatrace, true))), "R 20 4");
}

constexpr std::size_t kChampsimRecord = 64;  ///< bytes

/// What an instruction of a ChampSim trace does.
struct Instruction {
    std::uint64_t pc = 0;
    std::array<std::uint64_t, 4> reads{};
    std::array<std::uint64_t, 2> writes{};
};

std::string champsimRecord(const Instruction& i) {
    std::string bytes;
    const auto put = [&](std::uint64_t n) {
        for (unsigned byte = 0; byte < 8; ++byte) bytes += static_cast<char>(n >> 8 * byte);
    };
    put(i.pc);
    bytes += std::string("\1\0\7\10\6\31\0\377", 8);  // a branch, not taken; registers
    for (const std::uint64_t address : i.writes) put(address);
    for (const std::uint64_t address : i.reads) put(address);
    return bytes;
}

const ReadOptions kChampsim = forced(TraceFormat::champsim);
const std::string kTwoInstructions = champsimRecord({.pc = 0x401000, .reads = {0, 0x1000, 0, 0xffff'ffff'ffff'ffff}}) +
                                     champsimRecord({.pc = 0x401004, .reads = {0x2008}, .writes = {0x2008, 0x3000}});
constexpr std::string_view kTwoRead = "R 1000 1, R ffffffffffffffff 1, R 2008 1, W 2008 1, W 3000 1";

TEST(Champsim, ReadsItsRecords) {
    ASSERT_EQ(kTwoInstructions.size(), 2 * kChampsimRecord);
    const Trace trace = parsed(kTwoInstructions, kChampsim);
    EXPECT_EQ(accessesOf(trace), kTwoRead);
    EXPECT_EQ(instructionsOf(trace), "401000 401000 401004 401004 401004");
    EXPECT_EQ(trace.instructions(), 2u);
    EXPECT_EQ(accessesOf(parsed(kTwoInstructions, forced(TraceFormat::champsim, false, true))),
              "R 401000 1, R 1000 1, R ffffffffffffffff 1, R 401004 1, R 2008 1, W 2008 1, W 3000 1");
}

TEST(Champsim, IsKnownByItsName) {
    for (const char* name : {"a.champsim", "x/a.champsimtrace", "a.champsim.xz", "a.b.champsimtrace.xz",
                             "a.champsim.gz", "a.champsim.zst"}) {
        EXPECT_TRUE(namesChampsim(name)) << name;
    }
    for (const char* name : {"a.trace.xz", "champsim", "a.champsim/b", "a.champsim.txt", "a.xz.champsim.xz.xz", ""}) {
        EXPECT_FALSE(namesChampsim(name)) << name;
    }
    const Folder folder;
    Progress progress;
    const std::array<std::pair<std::string, std::string>, 4> files{{{"a.champsim", kTwoInstructions},
                                                                    {"a.champsimtrace.xz", xz(kTwoInstructions)},
                                                                    {"b.champsim.gz", gzip(kTwoInstructions)},
                                                                    {"c.champsim", zstd(kTwoInstructions)}}};
    for (const auto& [name, bytes] : files) {
        const std::string path = folder.put(name, bytes);
        const auto trace = readTrace(path, {}, progress);
        ASSERT_TRUE(trace) << trace.error().sentence();
        EXPECT_EQ(accessesOf(*trace), kTwoRead) << name;
        const auto streamed = streamTrace(
            path, {}, [](std::span<const PackedAccess>) {}, progress);
        ASSERT_TRUE(streamed) << streamed.error().sentence();
        EXPECT_EQ(streamed->accesses, 5u);
        EXPECT_EQ(streamed->instructions, 2u);
    }
    const auto other = readTrace(folder.put("d.champsim", "R 0x10\n"), forced(TraceFormat::text), progress);
    ASSERT_TRUE(other) << "the option has precedence";
    EXPECT_EQ(accessesOf(*other), "R 10 4");
}

TEST(Champsim, TellsWhatIsWrong) {
    const std::string skips = "; --lenient skips such records";
    std::string bad = kTwoInstructions + kTwoInstructions;
    bad[2 * kChampsimRecord + 9] = 7;
    EXPECT_EQ(sentenceOf(bad, kChampsim),
              "t, byte 128: the record's branch_taken is 7; expected 0 or 1; the file may not be of ChampSim" + skips);
    EXPECT_EQ(accessesOf(parsed(bad, forced(TraceFormat::champsim, true))),
              std::string(kTwoRead) + ", R 2008 1, W 2008 1, W 3000 1");
    EXPECT_EQ(parsed(bad, forced(TraceFormat::champsim, true)).losses(),
              std::vector<std::string>{"1 malformed records were left out"});
    bad[2 * kChampsimRecord + 8] = 'x';
    EXPECT_EQ(sentenceOf(bad, kChampsim),
              "t, byte 128: the record's is_branch is 120; expected 0 or 1; the file may not be of ChampSim" + skips);
    for (std::size_t size = 1; size < 3 * kChampsimRecord; ++size) {
        const std::size_t whole = size / kChampsimRecord * kChampsimRecord;
        if (size == whole) continue;
        EXPECT_EQ(
            sentenceOf((kTwoInstructions + kTwoInstructions).substr(0, size), kChampsim),
            fmt::format("t, byte {}: the record has {} bytes; expected 64; the file is incomplete, or not of ChampSim",
                        whole, size - whole) +
                skips);
    }
    EXPECT_EQ(sentenceOf(champsimRecord({.pc = 1}), kChampsim), "t: there are no accesses in it");
}

/// Accesses with their instructions, and the same in the form of a tool.
struct Written {
    std::string text;
    std::string accesses;
    std::string pcs;
};

using Random = std::mt19937_64;

/// An address of any length.
std::uint64_t anyAddress(Random& random) {
    return random() >> (1 + random() % 60);
}

void addTo(Written& to, char op, std::uint64_t address, std::uint64_t size, std::uint64_t cpu, std::uint64_t pc) {
    to.accesses += fmt::format("{}{} {:x} {}", to.accesses.empty() ? "" : ", ", op, address, size);
    if (cpu != 0) to.accesses += fmt::format(" cpu={}", cpu);
    to.pcs += fmt::format("{}{:x}", to.pcs.empty() ? "" : " ", pc);
}

Written viewOf(Random& random, unsigned count) {
    Written out{.text = "<--record#-> <--instr#->: <---tid---> <record details>\n"};
    const std::uint64_t form = random() % 4;
    std::vector<std::uint64_t> threads;
    for (unsigned i = 0; i < count; ++i) {
        const std::uint64_t thread = random() % 30;
        const std::uint64_t size = 1 + random() % 64;
        const std::uint64_t address = anyAddress(random);
        const std::uint64_t pc = anyAddress(random);
        const bool isWrite = random() % 3 == 0;
        std::string prefix;
        if (form == 0) prefix = fmt::format("{:>12}{:>12}: {:>11} ", 2 * i, i, thread);
        if (form == 1) prefix = fmt::format("{:>12}{:>12}:     W{}.T{} ", 2 * i, i, thread % 3, thread);
        if (form == 2) prefix = fmt::format("{:>9}: T{} ", 2 * i, thread);
        if (form == 3) prefix = fmt::format("T{} ", thread);
        if (random() % 4 == 0) out.text += prefix + "<marker: timestamp 13270730073449834>\n";
        out.text += fmt::format("{}ifetch       3 byte(s) @ {:#018x} 48 89 e7  mov    %rsp, %rdi\n", prefix, pc);
        out.text += fmt::format("{}{:<12}{:>2} byte(s) @ {:#018x} by PC {:#018x}\n", prefix, isWrite ? "write" : "read",
                                size, address, pc);
        auto place = std::find(threads.begin(), threads.end(), thread);
        if (place == threads.end()) place = threads.insert(threads.end(), thread);
        addTo(out, isWrite ? 'W' : 'R', address, size, static_cast<std::uint64_t>(place - threads.begin()), pc);
    }
    return out;
}

Written pinatraceOf(Random& random, unsigned count) {
    Written out{.text = "#\n# Memory Access Trace Generated By Pin\n#\n"};
    for (unsigned i = 0; i < count; ++i) {
        const bool isSized = random() % 2 == 0;
        const char op = random() % 3 == 0 ? 'W' : 'R';
        const std::uint64_t size = isSized ? 1 + random() % 64 : 1;
        const std::uint64_t address = anyAddress(random);
        const std::uint64_t pc = anyAddress(random);
        out.text += fmt::format("{:#x}: {} {:#x}", pc, op, address);
        out.text += isSized ? fmt::format(" {:>2} {:>#18x}\n", size, random()) : "\n";
        addTo(out, op, address, size, 0, pc);
    }
    out.text += "#eof\n";
    return out;
}

Written champsimOf(Random& random, unsigned count) {
    Written out;
    for (unsigned i = 0; i < count; ++i) {
        Instruction instruction{.pc = anyAddress(random)};
        for (std::uint64_t& address : instruction.reads) address = random() % 2 == 0 ? anyAddress(random) : 0;
        for (std::uint64_t& address : instruction.writes) address = random() % 3 == 0 ? anyAddress(random) : 0;
        out.text += champsimRecord(instruction);
        for (const std::uint64_t address : instruction.reads) {
            if (address != 0) addTo(out, 'R', address, 1, 0, instruction.pc);
        }
        for (const std::uint64_t address : instruction.writes) {
            if (address != 0) addTo(out, 'W', address, 1, 0, instruction.pc);
        }
    }
    return out;
}

struct Tool {
    TraceFormat format;
    std::function<Written(Random&, unsigned)> write;
    bool isText;
};
const std::array<Tool, 3> kTools{Tool{TraceFormat::drcachesim, viewOf, true},
                                 Tool{TraceFormat::pinatrace, pinatraceOf, true},
                                 Tool{TraceFormat::champsim, champsimOf, false}};

TEST(OtherTools, WhatIsWrittenIsReadAndStreamed) {
    for (const Tool& tool : kTools) {
        for (unsigned seed = 0; seed < 20; ++seed) {
            Random random(seed);
            const Written written = tool.write(random, seed == 0 ? 20000 : 40);
            const Trace trace = parsed(written.text, tool.isText ? ReadOptions{} : forced(tool.format));
            ASSERT_TRUE(accessesOf(trace) == written.accesses) << seed;
            ASSERT_TRUE(instructionsOf(trace) == written.pcs) << seed;
            std::vector<Access> passed;
            ReadOptions options = forced(tool.format);
            options.sites = StreamedSites::numbered;
            const auto streamed = streamText(written.text, "t", options, [&](std::span<const PackedAccess> some) {
                for (const PackedAccess& a : some) passed.push_back(a.unpack());
            });
            ASSERT_TRUE(streamed);
            ASSERT_TRUE(passed == accessesIn(trace)) << seed;
            EXPECT_EQ(streamed->instructions, trace.instructions());
            EXPECT_EQ(streamed->cpus, trace.cpus());
        }
    }
}

TEST(OtherTools, WhatIsTruncatedOrDamagedGivesOneSentenceAtMost) {
    for (const Tool& tool : kTools) {
        Random random(1);
        const std::string text = tool.write(random, 6).text;
        const auto check = [&](const std::string& broken) {
            const ReadOptions options = forced(tool.format);
            const std::string said = sentenceOf(broken, options);
            EXPECT_TRUE(said == "read" || said.starts_with("t:") || said.starts_with("t, byte ")) << said;
            EXPECT_EQ(said.find('\n'), std::string::npos) << said;
            const auto streamed = streamText(broken, "t", options, [](std::span<const PackedAccess>) {});
            EXPECT_EQ(streamed ? "read" : streamed.error().sentence(), said);
        };
        for (std::size_t size = 0; size < text.size(); ++size) check(text.substr(0, size));
        for (std::uint64_t i = 0; i < testRounds(2000); ++i) {
            std::string broken = text;
            broken[random() % broken.size()] = static_cast<char>(random());
            check(broken);
        }
    }
}

}  // namespace
}  // namespace whorl::sim::test
