// Files of all versions open for ever: those in tests/sim/trace/fixtures hold what fixture_traces.h makes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sim/trace/fixture_traces.h"
#include "sim/trace/formats/whorl_format.h"
#include "sim/trace/formats/whorl_reader.h"
#include "sim/trace/trace_random.h"
#include "support/source_folder.h"

namespace whorl::sim::test {
namespace {

std::string fixturePath(const std::string& name, std::uint32_t version) {
    return fmt::format("{}/tests/sim/trace/fixtures/{}.v{}.whorl", sourceFolder(), name, version);
}

void expectSameAccesses(const Trace& a, const Trace& b) {
    ASSERT_EQ(a.size(), b.size());
    TraceCursor left(a);
    TraceCursor right(b);
    for (std::size_t c = 0; c < a.accesses().chunks(); ++c) {
        const auto expected = left.chunk(c);
        const auto found = right.chunk(c);
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), found.begin(), found.end())) << "chunk " << c;
        const auto stamps = left.stamps(c);
        const auto stampsFound = right.stamps(c);
        ASSERT_TRUE(std::equal(stamps.begin(), stamps.end(), stampsFound.begin(), stampsFound.end()));
    }
}

void expectSameSections(const Trace& a, const Trace& b) {
    EXPECT_EQ(a.name(), b.name());
    EXPECT_EQ(a.writes(), b.writes());
    EXPECT_EQ(a.cpus(), b.cpus());
    EXPECT_EQ(a.machine(), b.machine());
    EXPECT_EQ(a.sites(), b.sites());
    EXPECT_EQ(a.modules(), b.modules());
    EXPECT_EQ(a.timing(), b.timing());
    EXPECT_EQ(shapesOf(a), shapesOf(b));
    EXPECT_EQ(objectsOf(a), objectsOf(b));
    ASSERT_EQ(a.files().size(), b.files().size());
    for (std::size_t i = 0; i < a.files().size(); ++i) {
        EXPECT_EQ(a.files()[i].path, b.files()[i].path);
        EXPECT_EQ(a.files()[i].lines, b.files()[i].lines);
    }
    ASSERT_EQ(a.marks().size(), b.marks().size());
    for (std::size_t i = 0; i < a.marks().size(); ++i) {
        EXPECT_EQ(a.marks()[i].at, b.marks()[i].at);
        EXPECT_EQ(a.marks()[i].text, b.marks()[i].text);
    }
    ASSERT_EQ(a.footprint().pages().size(), b.footprint().pages().size());
    for (std::size_t i = 0; i < a.footprint().pages().size(); ++i) {
        EXPECT_EQ(a.footprint().pages()[i].index, b.footprint().pages()[i].index);
        EXPECT_EQ(a.footprint().pages()[i].bits, b.footprint().pages()[i].bits);
    }
}

TEST(WhorlVersions, FilesOfAllVersionsOpen) {
    for (const Fixture& fixture : fixtures()) {
        const Trace made = fixture.make();
        for (std::uint32_t version = 1; version <= kWhorlVersion; ++version) {
            SCOPED_TRACE(fmt::format("{} of version {}", fixture.name, version));
            const std::string bytes = bytesOf(fixturePath(fixture.name, version));
            ASSERT_GT(bytes.size(), 8u) << "there is a fixture of every version";
            EXPECT_EQ(static_cast<unsigned char>(bytes[8]), version);
            const auto read = traceOfFile(bytes);
            ASSERT_TRUE(read) << read.error().sentence();
            EXPECT_TRUE(read->losses().empty());
            expectSameAccesses(made, *read);
            expectSameSections(made, *read);
        }
    }
}

TEST(WhorlVersions, FilesOfAllVersionsAreStreamed) {
    for (const Fixture& fixture : fixtures()) {
        const Trace made = fixture.make();
        std::uint64_t expected = 0;
        made.forEach(Tick{0}, Tick{made.size()}, [&](Tick, const Access& a) { expected += a.address.value; });
        for (std::uint32_t version = 1; version <= kWhorlVersion; ++version) {
            std::uint64_t sum = 0;
            const auto streamed = streamText(bytesOf(fixturePath(fixture.name, version)), "t", {},
                                             [&](std::span<const PackedAccess> some) {
                                                 for (const PackedAccess& a : some) sum += a.address().value;
                                             });
            ASSERT_TRUE(streamed);
            EXPECT_EQ(streamed->accesses, made.size());
            EXPECT_EQ(sum, expected);
        }
    }
}

TEST(WhorlVersions, DamagedFilesOfVersion1LoseOnlyWhatIsDamaged) {
    std::string bytes = bytesOf(fixturePath("list", 1));
    bytes[bytes.size() / 2] ^= 1;
    const auto read = traceOfFile(bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->size(), 600000 - Trace::kChunk);
    ASSERT_EQ(read->losses().size(), 1u);
}

}  // namespace
}  // namespace whorl::sim::test
