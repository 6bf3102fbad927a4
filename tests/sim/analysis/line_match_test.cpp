// Times of two traces that belong together by their source lines: the map is monotone, it is the identity on equal
// traces, and what is in the same order in both meets exactly.
#include "sim/analysis/line_match.h"

#include <gtest/gtest.h>

#include <random>

#include "sim/trace/trace_help.h"

namespace whorl::sim::test {
namespace {

/// A trace of accesses from these lines of one file; 0: of no line.
Trace ofLines(const std::vector<std::uint32_t>& lines, const std::string& file = "a.c") {
    TraceBuilder builder("lines");
    for (const std::uint32_t line : lines) {
        const SiteId site = line == 0 ? builder.siteAt(ByteAddress{0x40}) : builder.site(file, line);
        builder.add(access(Op::read, 0x1000, 4, 0, site));
    }
    return builder.finish();
}

std::vector<std::uint32_t> randomLines(std::mt19937& random, std::size_t count, std::uint32_t lines) {
    std::vector<std::uint32_t> out(count);
    for (auto& line : out) line = static_cast<std::uint32_t>(random() % (lines + 1));
    return out;
}

void expectMonotone(const LineMatch& match, const Trace& a, const Trace& b) {
    EXPECT_EQ(match.at(0), 0);
    EXPECT_EQ(match.at(static_cast<double>(a.size())), static_cast<double>(b.size()));
    double last = 0;
    for (double t = 0; t <= static_cast<double>(a.size()); t += 0.25) {
        const double now = match.at(t);
        ASSERT_GE(now, last) << "at " << t;
        last = now;
    }
}

TEST(LineMatch, IsMonotoneFromStartToEnd) {
    std::mt19937 random(1);
    for (int i = 0; i < 50; ++i) {
        const Trace a = ofLines(randomLines(random, 1 + random() % 60, 5));
        const Trace b = ofLines(randomLines(random, 1 + random() % 60, 5));
        expectMonotone(LineMatch(a, b), a, b);
        expectMonotone(LineMatch(a, b, 7), a, b);
    }
}

TEST(LineMatch, GoesBackToWhereItCameFrom) {
    std::mt19937 random(3);
    for (int i = 0; i < 50; ++i) {
        const Trace a = ofLines(randomLines(random, 1 + random() % 60, 5));
        const Trace b = ofLines(randomLines(random, 1 + random() % 60, 5));
        const LineMatch match(a, b);
        for (double t = 0; t <= static_cast<double>(a.size()); t += 0.25) EXPECT_NEAR(match.back(match.at(t)), t, 1e-9);
        for (double t = 0; t <= static_cast<double>(b.size()); t += 0.25) EXPECT_NEAR(match.at(match.back(t)), t, 1e-9);
    }
}

TEST(LineMatch, IsTheIdentityForEqualTraces) {
    std::mt19937 random(2);
    for (int i = 0; i < 20; ++i) {
        const Trace a = ofLines(randomLines(random, 1 + random() % 80, 4));
        for (const std::uint64_t most : {LineMatch::kMaxPairs, std::uint64_t{9}}) {
            const LineMatch match(a, a, most);
            for (double t = 0; t <= static_cast<double>(a.size()); t += 0.5) EXPECT_DOUBLE_EQ(match.at(t), t);
        }
    }
}

/// The second trace does more between the same lines.
TEST(LineMatch, ExecutionsInTheSameOrderMeet) {
    const Trace a = ofLines({1, 2, 3, 1, 2, 3});
    const Trace b = ofLines({1, 9, 9, 2, 9, 3, 9, 9, 1, 2, 9, 3});
    const LineMatch match(a, b);
    EXPECT_TRUE(match.any());
    EXPECT_EQ(match.at(1), 3);   // before the first of line 2
    EXPECT_EQ(match.at(2), 5);   // before the first of line 3
    EXPECT_EQ(match.at(3), 8);   // before the second of line 1
    EXPECT_EQ(match.at(5), 11);  // before the second of line 3
    EXPECT_EQ(match.at(1.5), 4);
}

/// A line that comes first in one and last in the other must not pull everything to the end.
TEST(LineMatch, OneExecutionOutOfOrderIsLeftOut) {
    const Trace a = ofLines({7, 1, 2, 3, 4});
    const Trace b = ofLines({1, 2, 3, 4, 7});
    const LineMatch match(a, b);
    EXPECT_EQ(match.at(2), 1);
    EXPECT_EQ(match.at(3), 2);
    EXPECT_EQ(match.at(4), 3);
}

TEST(LineMatch, WithoutCommonLinesIsByShare) {
    const Trace a = ofLines({1, 2, 1, 2});
    for (const Trace& b : {ofLines({1, 2, 1, 2, 1, 2, 1, 2}, "b.c"), ofLines({3, 4, 3, 4, 3, 4, 3, 4}),
                           ofLines({0, 0, 0, 0, 0, 0, 0, 0})}) {
        const LineMatch match(a, b);
        EXPECT_FALSE(match.any());
        EXPECT_EQ(match.at(1), 2);
        EXPECT_EQ(match.at(3), 6);
    }
}

}  // namespace
}  // namespace whorl::sim::test
