// Small files that stand for huge ones, or that would take quadratic time: refused with a sentence, or read at once.
// Without what they test, each of them takes minutes or gigabytes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "sim/base/compact_bytes.h"
#include "sim/trace/formats/whorl_sections.h"
#include "sim/trace/pack_codec.h"
#include "sim/trace/packing.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim::test {
namespace {

constexpr std::uint64_t kMega = std::uint64_t{1} << 20;
constexpr std::string_view kTooMuch = "t: reading it takes at least ";

ReadOptions within(std::uint64_t memory) {
    ReadOptions options;
    options.memory = memory;
    return options;
}

template <class T>
std::string rawBytesOf(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// A .whorl file of these blocks.
std::string fileOfBlocks(const std::string& blocks) {
    FileHead head;
    kWhorlMagic.copy(head.magic.data(), head.magic.size());
    return rawBytesOf(head) + blocks;
}

std::string block(BlockKind kind, const std::string& bytes, std::uint64_t first = 0, std::uint32_t accesses = 0) {
    return rawBytesOf(headOf(kind, bytes, first, accesses)) + bytes;
}

/// A pack of one access.
std::string onePack(std::uint64_t address) {
    PackEncoder encoder;
    const PackedAccess access(Op::read, ByteAddress{address}, 4, SiteId{});
    return encoder.encode({&access, 1});
}

TEST(Bombs, SectionsThatUnpackToMoreThanAllowedAreRefused) {
    for (const BlockKind kind : {BlockKind::files, BlockKind::sites, BlockKind::regions, BlockKind::objects,
                                 BlockKind::marks, BlockKind::modules, BlockKind::footprint, BlockKind::timing}) {
        // A list of 30 million items, all of zeros, in some kilobytes.
        FieldWriter list;
        if (kind == BlockKind::timing) list.number(0);
        list.number(30'000'000);
        const std::string section = zstd(list.take() + std::string(60'000'000, '\0'));
        const std::string file = fileOfBlocks(block(kind, section) + block(BlockKind::pack, onePack(16), 0, 1));
        EXPECT_LT(file.size(), 10'000u);
        const std::string said = sentenceOf(file, within(200 * kMega));
        EXPECT_TRUE(said.starts_with(kTooMuch)) << sectionOf(kind).content << ": " << said;
        EXPECT_TRUE(said.find("the 200 MB that it may take; --memory") != std::string::npos) << said;
    }
}

TEST(Bombs, LinesOfAFileAreCountedToo) {
    FieldWriter list;
    list.number(1);
    list.text("a.c");
    list.number(10'000'000);
    const std::string section = zstd(list.take() + std::string(10'000'000, '\0'));
    const std::string file = fileOfBlocks(block(BlockKind::files, section) + block(BlockKind::pack, onePack(16), 0, 1));
    EXPECT_TRUE(sentenceOf(file, within(40 * kMega)).starts_with(kTooMuch));
    EXPECT_EQ(sentenceOf(file, within(200 * kMega)), "read");
}

TEST(Bombs, AWhorlFileBeyondMemoryIsRefusedWhileItIsRead) {
    EXPECT_TRUE(sentenceOf(fileOfBlocks(std::string(40 * kMega, '\0')), within(16 * kMega)).starts_with(kTooMuch));
}

TEST(Bombs, TextsOfChironAreLimited) {
    std::string text = "i 32\ni 32\ni 1\ni 1\n";
    for (int i = 0; i < 100'000; ++i) text += "R 0x10 0 0 1\n";
    EXPECT_EQ(sentenceOf(text, within(16 * kMega)), "read");
    EXPECT_TRUE(sentenceOf(text, within(kMega)).starts_with(kTooMuch)) << "the text";
    EXPECT_TRUE(sentenceOf(text, within(4 * kMega)).starts_with(kTooMuch)) << "its events";
}

TEST(Bombs, ATraceThatNeedsMoreThanMemoryAllowsIsRefused) {
    const std::string name(60'000, 'x');
    const auto many = [&](auto&& line, int times) {
        std::string text;
        for (int i = 0; i < times; ++i) text += line(i);
        return text + "R 0x10\n";
    };
    const auto limited = [](const std::string& text) {
        EXPECT_EQ(sentenceOf(text, within(64 * kMega)), "read");
        return sentenceOf(text, within(2 * kMega)).starts_with(kTooMuch);
    };
    EXPECT_TRUE(limited(many([&](int i) { return fmt::format("R 0x10 4 {}{}.c:1\n", name, i); }, 100)));
    EXPECT_TRUE(limited(many([&](int i) { return fmt::format("mark {}{}\n", name, i); }, 100)));
    EXPECT_TRUE(limited(many([&](int i) { return fmt::format("region {}{} {} 8\n", name, i, 16 * i); }, 100)));
    EXPECT_TRUE(limited(many([&](int i) { return fmt::format("new {}{} C {} 8\n", name, i, 16 * i); }, 100)));
    EXPECT_TRUE(limited(many([&](int i) { return fmt::format("new o C {} 8\n", 16 * i); }, 50'000)));
    EXPECT_TRUE(limited(many([&](int i) { return fmt::format("R 0x10 4 a.c:{}\n", i + 1); }, 50'000)));
    EXPECT_TRUE(limited(many([&](int i) { return fmt::format("R {} 8388607\n", std::uint64_t(i) << 23); }, 60)));
}

// Counting on the heads' own word would take the square of the file.
TEST(Bombs, HeadsThatClaimTheRestOfTheFileAreReadInLinearTime) {
    constexpr std::size_t kHeads = 200'000;
    std::string blocks;
    const std::string pack = block(BlockKind::pack, onePack(64), 0, 1);
    for (std::size_t i = 0; i < kHeads; ++i) {
        BlockHead head = headOf(BlockKind::pack, "", 0, 1);
        head.bytes = static_cast<std::uint32_t>((kHeads - 1 - i) * sizeof head + pack.size());
        head.checksum = 1;
        head.headCheck = checksumOf({reinterpret_cast<const char*>(&head), offsetof(BlockHead, headCheck)});
        blocks += rawBytesOf(head);
    }
    const auto trace = traceOfFile(fileOfBlocks(blocks + pack));
    ASSERT_TRUE(trace) << trace.error().sentence();
    EXPECT_EQ(trace->size(), 1u);
}

TEST(Bombs, ChecksumsOfPartsFollowFromThoseOfBeginnings) {
    std::mt19937 random(1);
    std::string text(10'000, '\0');
    for (char& c : text) c = static_cast<char>(random());
    for (int i = 0; i < 1000; ++i) {
        const std::size_t from = random() % text.size();
        const std::size_t size = random() % (text.size() - from);
        const std::string_view before = std::string_view(text).substr(0, from);
        const std::string_view part = std::string_view(text).substr(from, size);
        const std::uint32_t whole = checksumOf(part, checksumOf(before));
        EXPECT_EQ(whole, checksumOf(std::string_view(text).substr(0, from + size)));
        EXPECT_EQ(checksumAfter(checksumOf(before), whole, size), checksumOf(part));
    }
}

// Each mark and object moves to where the intact accesses before it end.
TEST(Bombs, ManyMarksOfADamagedFileMoveUpInLinearTime) {
    constexpr std::uint64_t kPacks = 60'000;
    constexpr std::uint64_t kMarks = 300'000;
    std::string blocks;
    FieldWriter marks;
    marks.number(kMarks);
    for (std::uint64_t i = 0; i < kMarks; ++i) {
        marks.number(i / 2);
        marks.text("");
    }
    blocks += block(BlockKind::marks, zstd(marks.take()));
    const std::string pack = onePack(64);
    for (std::uint64_t i = 0; i < kPacks; ++i) blocks += block(BlockKind::pack, pack, 2 * i, 1);  // every other is lost
    const auto trace = traceOfFile(fileOfBlocks(blocks));
    ASSERT_TRUE(trace) << trace.error().sentence();
    ASSERT_EQ(trace->size(), kPacks);
    ASSERT_EQ(trace->marks().size(), kMarks);
    for (std::uint64_t i = 0; i < kMarks; ++i) {
        ASSERT_EQ(trace->marks()[i].at.value, std::min((i / 2 + 1) / 2, kPacks)) << i;
    }
}

TEST(Bombs, RegionsInAnyOrderAreDeclaredInLittleTime) {
    constexpr int kRegions = 300'000;
    std::string text;
    for (int i = kRegions; i > 0; --i) text += fmt::format("region r {} 16\n", 16 * i);
    const Trace trace = parsed(text + "R 0x10\n");
    ASSERT_EQ(trace.regions().size(), std::size_t{kRegions});
    EXPECT_TRUE(std::is_sorted(trace.regions().begin(), trace.regions().end(),
                               [](const Region& a, const Region& b) { return a.base < b.base; }));
}

TEST(Bombs, AccessesAreFilteredByManyRegionsInLittleTime) {
    constexpr int kRegions = 100'000;
    std::string text;
    for (int i = 0; i < kRegions; ++i) text += fmt::format("region {} {} 16\n", i % 2 == 0 ? "A" : "B", 16 * i);
    for (int i = 0; i < kRegions; ++i) text += fmt::format("R {} 16\n", 16 * i + (i % 4 == 3 ? 8 : 0));
    ReadOptions options;
    options.only.regions = {"A"};
    // Those that begin in an A, and those that reach into the next one.
    EXPECT_EQ(parsed(text, options).size(), kRegions * 3 / 4 - 1u);
}

TEST(Bombs, ALineWithoutEndCanBeCancelled) {
    Progress progress;
    progress.cancel();
    const auto trace = readTrace("/dev/zero", forced(TraceFormat::text, true), progress);
    ASSERT_FALSE(trace);
    EXPECT_TRUE(trace.error().cancelled);
}

}  // namespace
}  // namespace whorl::sim::test
