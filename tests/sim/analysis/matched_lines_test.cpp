// Lines of two versions of a source: the same text in the same order, as many as can be.
#include "sim/analysis/matched_lines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sim/trace/reader.h"
#include "support/rounds.h"

namespace whorl::sim::test {
namespace {

using Lines = std::vector<std::uint32_t>;

TEST(MatchedLines, AreCountedFromOne) {
    EXPECT_EQ(matchedLines(SourceText("a\nb\nc\n"), SourceText("a\nb\nc\n")), (Lines{1, 2, 3}));
    EXPECT_EQ(matchedLines(SourceText("a\nb\nc\n"), SourceText("new\na\nc\n")), (Lines{0, 1, 3}));
    EXPECT_EQ(matchedLines(SourceText("a\nb \n"), SourceText("a\nx\nb\n")), (Lines{1, 0, 2}));
    EXPECT_EQ(matchedLines(SourceText("a\nb\nc\n"), SourceText("new\na\nB\nc\n")), (Lines{0, 1, 2, 3})) << "edited";
    EXPECT_EQ(matchedLines(SourceText("a\nb\nc\n"), SourceText("a\nB\nB\nc\n")), (Lines{1, 0, 0, 3}));
    EXPECT_EQ(matchedLines(SourceText(), SourceText("a\n")), Lines{0});
    EXPECT_EQ(matchedLines(SourceText("a\n"), SourceText()), Lines{});
}

/// The length of a longest common subsequence by its definition: all subsequences of the one.
std::size_t longestCommon(const std::vector<char>& a, const std::vector<char>& b) {
    std::size_t longest = 0;
    for (std::uint32_t chosen = 0; chosen < (1u << a.size()); ++chosen) {
        std::size_t at = 0;
        std::size_t length = 0;
        for (std::size_t i = 0; i < a.size() && at <= b.size(); ++i) {
            if ((chosen >> i & 1u) == 0) continue;
            at = static_cast<std::size_t>(std::find(b.begin() + static_cast<std::ptrdiff_t>(at), b.end(), a[i]) -
                                          b.begin()) +
                 1;
            ++length;
        }
        if (at <= b.size()) longest = std::max(longest, length);
    }
    return longest;
}

TEST(MatchedLines, AreAsManyAsCanBe) {
    std::mt19937 dice(1);
    const auto random = [&] {
        std::vector<char> lines(dice() % 9);
        for (char& line : lines) line = static_cast<char>('a' + dice() % 4);
        return lines;
    };
    const auto textOf = [](const std::vector<char>& lines) {
        std::string out;
        for (const char line : lines) out += fmt::format("{}\n", line);
        return SourceText(out);
    };
    for (std::uint64_t round = 0; round < testRounds(300); ++round) {
        const std::vector<char> was = random();
        const std::vector<char> is = random();
        const Lines matched = matchedLines(textOf(was), textOf(is));
        ASSERT_EQ(matched.size(), is.size());
        std::uint32_t last = 0;
        std::size_t count = 0;
        for (std::size_t i = 0; i < is.size(); ++i) {
            if (matched[i] == 0) continue;
            EXPECT_GT(matched[i], last);
            last = matched[i];
            count += was[last - 1] == is[i] ? 1 : 0;
        }
        EXPECT_EQ(count, longestCommon(was, is));
    }
}

TEST(MatchedLines, OfLongTextsThatDifferThroughoutAreThoseAround) {
    std::string was = "first\n";
    std::string is = "first\nsecond\n";
    for (int i = 0; i < 3000; ++i) {
        was += fmt::format("{}\n", i % 7);
        is += fmt::format("{}\n", i % 11 + 7);
    }
    const Lines matched = matchedLines(SourceText(was + "last\n"), SourceText(is + "last\n"));
    // 3 001 new lines are not the 3 000 old ones.
    EXPECT_EQ(matched.front(), 1U);
    EXPECT_EQ(matched.back(), 3002U);
    EXPECT_EQ(std::ranges::count(matched, 0U), 3001);
}

Trace traceOf(const std::string& path, const std::string& lines) {
    std::string text;
    for (const char c : lines) text += fmt::format("R 0x1000 4 {}:{}\n", path, c);
    return parseTrace(text, "trace", {}).value();
}

TEST(NamesOfLines, AreThoseOfTheFileInTheOtherFolder) {
    const auto names = namesOfLines(traceOf("/v1/src/mm.c", "12"), traceOf("/v2/src/mm.c", "23"));
    EXPECT_EQ(names.size(), 2U);
    EXPECT_EQ(names.at("/v2/src/mm.c:2"), "/v1/src/mm.c:2");
    EXPECT_TRUE(namesOfLines(traceOf("mm.c", "12"), traceOf("mm.c", "12")).empty()) << "they have the same names";
    EXPECT_TRUE(namesOfLines(traceOf("mm.c", "12"), traceOf("nn.c", "12")).empty());
}

}  // namespace
}  // namespace whorl::sim::test
