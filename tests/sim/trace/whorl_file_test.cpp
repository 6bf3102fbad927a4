#include "sim/trace/formats/whorl_reader.h"
#include "sim/trace/formats/whorl_writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <random>

#include "sim/base/byte_sink.h"
#include "sim/base/compact_bytes.h"
#include "sim/trace/formats/whorl_sections.h"
#include "sim/trace/trace_help.h"
#include "sim/trace/trace_random.h"
#include "support/calling_trace.h"
#include "support/threads.h"

namespace whorl::sim::test {
namespace {

std::string fileOf(const Trace& trace) {
    StringSink sink;
    Progress progress;
    EXPECT_TRUE(writeWhorl(trace, sink, progress));
    return sink.bytes();
}

/// A trace of several chunks: its content depends on the tick.
Trace longTrace(std::uint64_t n) {
    TraceBuilder builder("long");
    builder.addRegion(region("A", 0, 4096 * 8));
    std::vector<SiteId> sites;
    for (std::uint32_t line = 1; line <= 3; ++line) sites.push_back(builder.site("a.c", line));
    builder.sourceText("a.c", "one\ntwo\nthree");
    for (std::uint64_t i = 0; i < n; ++i) {
        if (i % 50000 == 0) builder.mark(fmt::format("m{}", i));
        builder.add(access(i % 3 == 0 ? Op::write : Op::read, i % 4096 * 8, 8, 0, sites[i % 3]));
    }
    return builder.finish();
}

void expectSame(const Trace& a, const Trace& b) {
    expectEqual(a, b);
    EXPECT_EQ(a.name(), b.name());
    EXPECT_EQ(a.sites(), b.sites());
    EXPECT_EQ(a.calls(), b.calls());
    EXPECT_EQ(a.modules(), b.modules());
    EXPECT_EQ(a.machine(), b.machine());
    EXPECT_EQ(a.timing(), b.timing());
    EXPECT_EQ(shapesOf(a), shapesOf(b));
    ASSERT_EQ(a.files().size(), b.files().size());
    for (std::size_t i = 0; i < a.files().size(); ++i) EXPECT_EQ(a.files()[i].lines, b.files()[i].lines);
    ASSERT_EQ(a.footprint().pages().size(), b.footprint().pages().size());
    for (std::size_t i = 0; i < a.footprint().pages().size(); ++i) {
        EXPECT_EQ(a.footprint().pages()[i].bits, b.footprint().pages()[i].bits);
        EXPECT_EQ(a.footprint().pages()[i].index, b.footprint().pages()[i].index);
    }
}

constexpr std::uint64_t kPack = kMaxChunk * kMaxPackChunks;

/// The offset of each block's head.
std::vector<std::size_t> headsIn(const std::string& file) {
    std::vector<std::size_t> heads;
    BlockHead head;
    for (std::size_t at = sizeof(FileHead); readHead(std::string_view(file).substr(at), head);) {
        heads.push_back(at);
        at += sizeof head + head.bytes;
    }
    return heads;
}

std::string lossesOf(const Trace& trace) {
    std::string out;
    for (const std::string& loss : trace.losses()) out += loss + "; ";
    return out;
}

TEST(WhorlFile, GivesBackAllThatATraceHas) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        const Trace trace = randomTrace(seed);
        const auto back = traceOfFile(fileOf(trace), "t.whorl");
        ASSERT_TRUE(back) << back.error().sentence();
        expectSame(trace, *back);
        EXPECT_TRUE(back->losses().empty());
        ASSERT_FALSE(HasFailure()) << seed;
    }
}

TEST(WhorlFile, GivesBackTheCallsThatLedToAccesses) {
    for (unsigned seed = 0; seed < 5; ++seed) {
        const Trace trace = callingTrace(seed);
        const auto back = traceOfFile(fileOf(trace), "t.whorl");
        ASSERT_TRUE(back) << back.error().sentence();
        expectSame(trace, *back);
        ASSERT_FALSE(back->calls().empty());
        for (std::uint32_t s = 0; s < trace.sites().size(); ++s) {
            EXPECT_EQ(back->instructionOf(SiteId{s}), trace.instructionOf(SiteId{s}));
        }
    }
}

TEST(WhorlFile, CallsWithinThemselvesAreNone) {
    // A chain must end: a call is made in an earlier one, and not in too many.
    const auto readWith = [](const std::vector<Call>& calls) {
        TraceParts parts = callingTrace(1).parts();
        parts.calls = calls;
        MemoryBudget budget(~std::uint64_t{0});
        const WhorlSection& section = sectionOf(BlockKind::calls);
        return readSection(section, packedSection(section, parts), parts, budget);
    };
    const auto chain = [](std::uint32_t length) {
        std::vector<Call> calls{Call{}};
        for (std::uint32_t c = 0; c < length; ++c) calls.push_back({.parent = c, .site = SiteId{1}});
        calls.resize(std::max<std::size_t>(calls.size(), 40), Call{.parent = 0, .site = SiteId{1}});
        return calls;
    };
    EXPECT_TRUE(readWith(chain(kMaxCallDepth)));
    EXPECT_FALSE(readWith(chain(kMaxCallDepth + 1)));
    std::vector<Call> round = chain(3);
    round[2].parent = 2;
    EXPECT_FALSE(readWith(round));
    std::vector<Call> nowhere = chain(3);
    nowhere[2].site = SiteId{1u << 30};
    EXPECT_FALSE(readWith(nowhere));
    nowhere = chain(3);
    nowhere[2].around = {SiteId{1u << 30}};
    EXPECT_FALSE(readWith(nowhere));
}

TEST(WhorlFile, GivesBackWhatTextHasNoRoomFor) {
    TraceBuilder builder("all");
    builder.addModule({.path = "/bin/true", .base = ByteAddress{0x400000}, .size = 0x1000});
    builder.machine("{\"levels\": []}");
    Access a = access(Op::write, 0x1000, 4, 0, builder.siteAt(ByteAddress{0x400010}));
    a.modify = true;
    a.unrecorded = true;
    builder.add(access(Op::read, 0x1000, 4));
    builder.add(a, 77);
    const Trace trace = builder.finish();
    const auto back = traceOfFile(fileOf(trace), "t.whorl");
    ASSERT_TRUE(back);
    expectSame(trace, *back);
    TraceCursor cursor(*back);
    EXPECT_EQ(cursor.at(Tick{1}), a);
    EXPECT_EQ(back->site(cursor.at(Tick{1}).site).pc, ByteAddress{0x400010});
    EXPECT_EQ(std::vector<std::uint64_t>(cursor.stamps(0).begin(), cursor.stamps(0).end()),
              (std::vector<std::uint64_t>{0, 77}));
}

TEST(WhorlFile, IsWrittenByItsNameAndReadByItsContent) {
    const Folder folder;
    const Trace trace = longTrace(150000);
    ASSERT_EQ(written(trace, folder.at("a.whorl")), "written");
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a.whorl"});
    std::filesystem::rename(folder.at("a.whorl"), folder.at("other"));
    Progress progress;
    const auto back = readTrace(folder.at("other"), {}, progress);
    ASSERT_TRUE(back) << back.error().sentence();
    expectSame(trace, *back);
    EXPECT_EQ(sentenceOf("R 1 1\n", forced(TraceFormat::whorl)),
              "t: this is not a .whorl file; omit --format to detect the format");
}

TEST(WhorlFile, IsStreamed) {
    const Trace trace = longTrace(150000);
    std::uint64_t sum = 0;
    const auto streamed = streamText(fileOf(trace), "t", {}, [&](std::span<const PackedAccess> some) {
        for (const PackedAccess& a : some) sum += a.address().value;
    });
    ASSERT_TRUE(streamed);
    std::uint64_t expected = 0;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) { expected += a.address.value; });
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(streamed->accesses, trace.size());
    EXPECT_EQ(streamed->writes, trace.writes());
    EXPECT_TRUE(streamed->losses.empty());
}

TEST(WhorlFile, LosesOnlyThePackThatIsDamaged) {
    const Trace trace = longTrace(2 * kPack + 100);
    std::string file = fileOf(trace);
    const std::size_t second = headsIn(file)[8 + 1];
    for (const std::size_t damage : {second, second + sizeof(BlockHead) + 5}) {
        std::string damaged = file;
        damaged[damage] ^= 1;
        const auto back = traceOfFile(damaged);
        ASSERT_TRUE(back);
        ASSERT_EQ(back->size(), trace.size() - kPack);
        EXPECT_EQ(lossesOf(*back), "accesses 524288 to 1048575 are lost; the accesses after them move up; ");
        TraceCursor was(trace);
        back->forEach(Tick{0}, Tick{back->size()}, [&](Tick t, const Access& a) {
            const std::uint64_t lost = t.value < kPack ? 0 : kPack;
            if (a != was.at(Tick{t.value + lost})) ADD_FAILURE() << t.value;
        });
        EXPECT_EQ(regionsOf(*back), regionsOf(trace));
        ASSERT_EQ(back->marks().size(), 21u);
        EXPECT_EQ(back->marks()[10].at, Tick{500000});
        EXPECT_EQ(back->marks()[11].at, Tick{kPack});
        EXPECT_EQ(back->marks()[20].at, Tick{kPack});
    }
}

TEST(WhorlFile, GivesWhatWasWrittenBeforeItWasCutOff) {
    const Trace trace = longTrace(2 * kPack);
    const std::string file = fileOf(trace);
    const auto back = traceOfFile(std::string_view(file).substr(0, headsIn(file)[9] + 40));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->size(), kPack);
    EXPECT_EQ(lossesOf(*back), "the last 524288 of 1048576 accesses are lost; ");
    const auto none = traceOfFile(std::string_view(file).substr(0, headsIn(file)[8]));
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().sentence(), "t: there are no intact accesses in it; the file is damaged or incomplete");
}

TEST(WhorlFile, DoesWithoutAnySection) {
    const Trace trace = longTrace(1000);
    const std::string file = fileOf(trace);
    const auto heads = headsIn(file);
    for (std::size_t section = 0; section < 8; ++section) {
        std::string damaged = file;
        damaged[heads[section] + sizeof(BlockHead)] ^= 1;
        const auto back = traceOfFile(damaged);
        ASSERT_TRUE(back) << section;
        EXPECT_EQ(back->size(), trace.size());
        EXPECT_FALSE(back->losses().empty());
        EXPECT_EQ(back->writes(), trace.writes());
        EXPECT_LT(back->regionAt(ByteAddress{0}), back->regions().size());
        EXPECT_FALSE(back->footprint().empty());
    }
}

void expectValid(const Expected<Trace>& trace, std::size_t where) {
    if (!trace) {
        EXPECT_FALSE(trace.error().sentence().empty());
        return;
    }
    std::uint64_t n = 0;
    trace->forEach(Tick{0}, Tick{trace->size()}, [&](Tick t, const Access& a) {
        n += a.size > 0 && a.site.value < trace->sites().size() ? 1 : 0;
        trace->placeOf(a.address, t);
    });
    EXPECT_EQ(n, trace->size()) << where;
}

TEST(WhorlFile, WithstandsDamageAnywhere) {
    const Trace trace = randomTrace(3);
    const std::string file = fileOf(trace);
    const std::size_t index = headsIn(file).back();
    for (std::size_t i = 0; i < file.size(); ++i) {
        std::string damaged = file;
        damaged[i] ^= static_cast<char>(1 << i % 8);
        const auto back = traceOfFile(damaged);
        expectValid(back, i);
        // Damage is reported, except in the index, which is optional.
        const bool told = !back || !back->losses().empty();
        EXPECT_TRUE(told || i < sizeof(FileHead) || i >= index) << i;
    }
}

TEST(WhorlFile, WithstandsBeingCutAnywhere) {
    const Trace trace = randomTrace(4);
    const std::string file = fileOf(trace);
    const std::size_t index = headsIn(file).back();
    for (std::size_t n = 0; n < file.size(); ++n) {
        const auto back = traceOfFile(std::string_view(file).substr(0, n));
        expectValid(back, n);
        EXPECT_EQ(back.has_value(), n >= index) << n;
    }
}

TEST(WhorlFile, WithstandsBytesThatAreMissingOrTooMany) {
    const Trace trace = longTrace(kPack + 5);
    const std::string file = fileOf(trace);
    const std::size_t within = headsIn(file)[8] + sizeof(BlockHead) + 20;
    for (const auto& damaged : {file.substr(0, within) + file.substr(within + 3),
                                file.substr(0, within) + "WRL[ more" + file.substr(within)}) {
        const auto back = traceOfFile(damaged);
        ASSERT_TRUE(back);
        EXPECT_EQ(back->size(), 5u);
        EXPECT_EQ(lossesOf(*back), "accesses 0 to 524287 are lost; the accesses after them move up; ");
    }
}

/// A list of nodes in random order, walked `rounds` times: packs need a dictionary.
Trace listTrace(std::uint32_t nodes, std::uint32_t rounds) {
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> order(nodes);
    for (std::uint64_t i = 0; i < nodes; ++i) order[i] = 0x100000 + i * 32;
    std::shuffle(order.begin(), order.end(), random);
    TraceBuilder builder("list");
    for (std::uint32_t r = 0; r < rounds; ++r) {
        for (const std::uint64_t node : order) builder.add(access(Op::read, node, 8));
    }
    return builder.finish();
}

TEST(WhorlFile, ADictionaryReachesFarBack) {
    const Trace trace = listTrace(100000, 6);
    const std::string file = fileOf(trace);
    EXPECT_LT(file.size(), 240000u) << "each node is stored once";
    const auto back = traceOfFile(file);
    ASSERT_TRUE(back);
    EXPECT_EQ(accessesOf(*back), accessesOf(trace));
    // Backwards, each chunk from the start of its pack.
    TraceCursor was(trace);
    TraceCursor is(*back);
    for (std::size_t c = back->accesses().chunks(); c-- > 0;) {
        const auto expected = was.chunk(c);
        const auto found = is.chunk(c);
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found.begin(), found.end())) << c;
    }
}

TEST(WhorlFile, ADamagedDictionaryLosesThePacksThatNeedIt) {
    std::string file = fileOf(listTrace(50000, 4));
    std::vector<std::size_t> heads = headsIn(file);
    BlockHead head;
    const auto isDictionary = [&](std::size_t at) {
        return readHead(std::string_view(file).substr(at), head) && head.kind == BlockKind::dictionary;
    };
    const auto dictionary = std::find_if(heads.begin(), heads.end(), isDictionary);
    ASSERT_NE(dictionary, heads.end());
    file[*dictionary + sizeof(BlockHead) + 9] ^= 1;
    const auto back = traceOfFile(file);
    ASSERT_FALSE(back);
    EXPECT_EQ(back.error().sentence(), "t: there are no intact accesses in it; the file is damaged or incomplete");
}

TEST(WhorlFile, LeavesOutAFootprintThatTheAccessesGiveInLessSpace) {
    TraceBuilder builder("random");
    std::mt19937_64 random(1);
    for (int i = 0; i < 3000; ++i) builder.add(access(Op::read, random() % (std::uint64_t{1} << 36) * 8, 8));
    const Trace trace = builder.finish();
    const std::string file = fileOf(trace);
    for (const std::size_t at : headsIn(file)) {
        BlockHead head;
        ASSERT_TRUE(readHead(std::string_view(file).substr(at), head));
        EXPECT_NE(head.kind, BlockKind::footprint);
    }
    const auto back = traceOfFile(file);
    ASSERT_TRUE(back);
    expectSame(trace, *back);
    EXPECT_TRUE(back->losses().empty());
}

TEST(WhorlFile, IsWrittenTheSameEveryTime) {
    const Trace trace = listTrace(20000, 5);
    const std::string file = fileOf(trace);
    EXPECT_EQ(fileOf(trace), file);
    const auto back = traceOfFile(file);
    ASSERT_TRUE(back);
    EXPECT_EQ(fileOf(*back), file) << "written again after reading";
}

TEST(WhorlFile, IsTheSameHoweverJobsRun) {
    const auto backwards = [](const Jobs& jobs) {
        std::for_each(jobs.rbegin(), jobs.rend(), [](const auto& j) { j(); });
    };
    // Two stretches; the first needs a dictionary, and the second has stamps.
    TraceBuilder builder("mixed");
    std::mt19937_64 random(2);
    std::vector<std::uint64_t> nodes(30000);
    for (std::uint64_t& node : nodes) node = random() % (std::uint64_t{1} << 40) * 8;
    for (std::uint64_t i = 0; i < 4 * kPack; ++i) builder.add(access(Op::read, nodes[i % nodes.size()], 8));
    for (std::uint64_t i = 0; i < 1000; ++i) builder.add(access(Op::read, random() % 4096 * 8, 8), i * i);
    const Trace trace = builder.finish();
    const auto written = [&](const JobRunner& run) {
        StringSink sink;
        Progress progress;
        EXPECT_TRUE(writeWhorl(trace, sink, progress, {.run = run}));
        EXPECT_EQ(progress.done(), trace.size());
        return sink.bytes();
    };
    const std::string file = written(oneByOne);
    EXPECT_EQ(written(backwards), file);
    EXPECT_EQ(written(test::inThreads), file);
    const auto back = traceOfFile(file);
    ASSERT_TRUE(back);
    EXPECT_EQ(accessesOf(*back), accessesOf(trace));
    const std::size_t last = trace.accesses().chunks() - 1;
    TraceCursor first(trace);
    TraceCursor second(*back);
    const auto was = first.stamps(last);
    const auto is = second.stamps(last);
    ASSERT_EQ(was.size(), 1000u);
    EXPECT_TRUE(std::equal(was.begin(), was.end(), is.begin(), is.end()));
}

TEST(WhorlFile, CanBeCancelled) {
    StringSink sink;
    Progress progress;
    progress.cancel();
    EXPECT_FALSE(writeWhorl(longTrace(1000), sink, progress));
}

/// A trace of two CPUs that work and wait.
Trace timedTrace(std::uint64_t n) {
    TraceBuilder builder("timed");
    builder.addRegion(region("A", 0, 4096));
    builder.workBeforeEach(2);
    for (std::uint64_t i = 0; i < n; ++i) {
        if (i % 5 == 0) builder.delay(i % 7, i % 3 == 1 ? Tick{i - 1} : Delay::kNoAccess);
        builder.add(access(Op::read, i % 512 * 8, 8, static_cast<std::uint8_t>(i % 2)));
    }
    return builder.finish();
}

TEST(WhorlFile, KeepsTheTiming) {
    const Trace trace = timedTrace(1000);
    const auto back = traceOfFile(fileOf(trace));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->timing().delays.size(), 200u);
    expectSame(trace, *back);
    EXPECT_TRUE(back->losses().empty());
}

TEST(WhorlFile, WithoutTimingIsAsItAlwaysWas) {
    const std::string file = fileOf(longTrace(10));
    EXPECT_EQ(headsIn(file).size(), 8u + 1 + 1) << "sections, pack, index";
    EXPECT_EQ(file.substr(12, 4), std::string(4, '\0'));
}

TEST(WhorlFile, SaysWhenTheTimingIsLost) {
    const std::string file = fileOf(timedTrace(1000));
    for (const std::size_t damage : {headsIn(file)[8], headsIn(file)[8] + sizeof(BlockHead) + 3}) {
        std::string damaged = file;
        damaged[damage] ^= 1;
        const auto back = traceOfFile(damaged);
        ASSERT_TRUE(back);
        EXPECT_EQ(lossesOf(*back), "the work and waiting between accesses of the file could not be read; ");
        EXPECT_TRUE(back->timing().empty());
    }
}

TEST(WhorlFile, TimingMovesWithTheAccessesThatAreWhole) {
    const Trace trace = timedTrace(kPack + Trace::kChunk);
    std::string damaged = fileOf(trace);
    damaged[headsIn(damaged)[9] + sizeof(BlockHead) + 5] ^= 1;
    const auto back = traceOfFile(damaged);
    ASSERT_TRUE(back);
    ASSERT_EQ(back->size(), Trace::kChunk);
    DelayList expected;
    for (Delay d : trace.timing().delays) {
        if (d.at.value < kPack) continue;
        d.at.value -= kPack;
        if (d.after != Delay::kNoAccess) {
            d.after = d.after.value < kPack ? Delay::kNoAccess : Tick{d.after.value - kPack};
        }
        if (d.work != 0 || d.after != Delay::kNoAccess) expected.push_back(d);
    }
    EXPECT_EQ(back->timing().each, 2u);
    EXPECT_EQ(back->timing().delays, expected);
}

/// Reads a section with this content.
bool isTaken(BlockKind section, FieldWriter& content, TraceParts& parts) {
    const std::string plain = content.take();
    std::string packed(ZSTD_compressBound(plain.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 3));
    MemoryBudget budget(~std::uint64_t{0});
    return readSection(sectionOf(section), packed, parts, budget);
}

TEST(WhorlFile, UnpackingShowsItsProgress) {
    const std::string file = fileOf(longTrace(3 * kMaxChunk));
    Progress progress;
    std::vector<double> fractions;
    TraceBuilder builder([&](std::span<const PackedAccess>) { fractions.push_back(progress.fraction()); },
                         StreamedSites::none);
    MemoryBudget budget;
    ASSERT_TRUE(streamWhorl(file, "t", builder, budget, progress));
    EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
    EXPECT_GT(fractions.front(), 0);
    EXPECT_LT(fractions.front(), 0.5);
    EXPECT_EQ(progress.fraction(), 1);
    progress.cancel();
    EXPECT_TRUE(streamWhorl(file, "t", builder, budget, progress).error().cancelled);
}

TEST(WhorlFile, TakesNoTimingOnTrust) {
    const auto taken = [](std::initializer_list<std::uint64_t> numbers) {
        FieldWriter out;
        for (const std::uint64_t n : numbers) out.number(n);
        TraceParts parts;
        return isTaken(BlockKind::timing, out, parts);
    };
    EXPECT_TRUE(taken({1, 2, 0, 5, 0, 3, 5, 3}));
    EXPECT_FALSE(taken({1, 2, 4, 5, 0, 0, 5, 0})) << "two delays of one access";
    EXPECT_FALSE(taken({1, 1, 4, 5, 5})) << "after an access before the first";
    EXPECT_FALSE(taken({1, 1, ~std::uint64_t{0}, 5, 0})) << "an access that there cannot be";
    EXPECT_FALSE(taken({1, 1, 4, std::uint64_t{1} << 50, 0})) << "work for ages";
    EXPECT_FALSE(taken({1, 2, 4, 5, 0})) << "too few";
    EXPECT_FALSE(taken({1, 1, 4, 5, 0, 7})) << "too many";
}

TEST(WhorlFile, TakesNoWindowsOnTrust) {
    const auto taken = [](std::initializer_list<std::uint64_t> numbers) {
        FieldWriter out;
        for (const std::uint64_t n : numbers) out.number(n);
        TraceParts parts;
        parts.size = 10;
        parts.accessesOff = 100;
        return isTaken(BlockKind::windows, out, parts) && parts.windows != nullptr;
    };
    // The accesses of a window, from window to window, those between; the beginnings by their distances.
    EXPECT_TRUE(taken({4, 40, 100, 3, 0, 4, 4}));
    EXPECT_TRUE(taken({4, 40, 100, 3, 0, 0, 10})) << "a filter leaves empty ones";
    EXPECT_FALSE(taken({0, 40, 100, 1, 0})) << "windows of nothing";
    EXPECT_FALSE(taken({41, 40, 100, 1, 0})) << "windows within each other";
    EXPECT_FALSE(taken({4, 40, 101, 1, 0})) << "more between than is left out";
    EXPECT_FALSE(taken({4, 40, 100, 0})) << "no window";
    EXPECT_FALSE(taken({4, 40, 100, 2, 1, 4})) << "something before the first one";
    EXPECT_FALSE(taken({4, 40, 100, 2, 0, 11})) << "a window behind the end";
    EXPECT_FALSE(taken({4, 40, 100, 3, 0, 9, ~std::uint64_t{0}})) << "a window before the last one";
    EXPECT_FALSE(taken({4, 40, 100, 2, 0})) << "too few";
    EXPECT_FALSE(taken({4, 40, 100, 1, 0, 7})) << "too many";
}

TEST(WhorlFile, KeepsWindows) {
    TraceParts parts = longTrace(10).parts();
    Windows windows{.length = 4, .every = 40, .between = 72, .begins = {Tick{0}, Tick{4}, Tick{8}}};
    parts.accessesOff = 72;
    parts.windows = std::make_shared<const Windows>(windows);
    const std::string file = fileOf(Trace(std::move(parts)));
    const auto back = parseTrace(file, "t", {});
    ASSERT_TRUE(back.has_value()) << back.error().sentence();
    ASSERT_NE(back->windows(), nullptr);
    EXPECT_EQ(back->windows()->length, 4u);
    EXPECT_EQ(back->windows()->every, 40u);
    EXPECT_EQ(back->windows()->between, 72u);
    EXPECT_EQ(back->windows()->begins, windows.begins);
}

TEST(WhorlFile, TakesNoSharedTextOnTrust) {
    // The files a and b, a with a line, and then which files share the text of which.
    const auto linesOfB = [](const std::vector<std::uint64_t>& shared) -> std::string {
        FieldWriter out;
        out.number(2);
        out.text("a");
        out.number(1);
        out.text("line");
        out.text("b");
        out.number(0);
        for (const std::uint64_t n : shared) out.number(n);
        TraceParts parts;
        if (!isTaken(BlockKind::files, out, parts)) return parts.files.empty() ? "refused" : "changed";
        return parts.files[1].lines.empty() ? "" : std::string(parts.files[1].lines[0]);
    };
    EXPECT_EQ(linesOfB({}), "");
    EXPECT_EQ(linesOfB({1, 1, 0}), "line");
    EXPECT_EQ(linesOfB({2, 1, 0, 1, 1}), "line");
    const std::vector<std::vector<std::uint64_t>> faults = {{1, 2, 0}, {1, 1, 2}, {1, 1}, {2, 1, 0}, {1, 1, 0, 7}};
    for (const auto& wrong : faults) {
        EXPECT_EQ(linesOfB(wrong), "refused");
    }
    FieldWriter none;
    for (const std::uint64_t n : {0, 1, 0, 0}) none.number(n);
    TraceParts parts;
    EXPECT_FALSE(isTaken(BlockKind::files, none, parts)) << "no file to share a text with";
}

TEST(WhorlFile, OfANewerWhorlIsRefused) {
    std::string file = fileOf(longTrace(10));
    file[8] = 3;
    EXPECT_EQ(traceOfFile(file).error().sentence(),
              "t: this is a .whorl file of version 3; this version of Whorl reads versions 1 to 2; record the program "
              "again, or use a newer Whorl");
}

TEST(FieldReader, ATextThatEndsBeyondTheBytesIsNotSound) {
    // A length of one byte, and no byte after it; then one of three with two after it.
    for (const std::string& bytes : {std::string("\x01"), std::string("\x03"
                                                                      "ab")}) {
        FieldReader in(bytes);
        EXPECT_EQ(in.text(), "");
        EXPECT_FALSE(in.isValid());
        EXPECT_FALSE(in.done());
    }
    FieldReader whole(
        "\x02"
        "ab");
    EXPECT_EQ(whole.text(), "ab");
    EXPECT_TRUE(whole.done());
}

}  // namespace
}  // namespace whorl::sim::test
