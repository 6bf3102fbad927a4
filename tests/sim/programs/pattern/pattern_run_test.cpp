// Patterns make the accesses that loops in C++ make.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <tuple>

#include "sim/programs/pattern/pattern_help.h"
#include "sim/programs/programs_support.h"
#include "support/folder.h"
#include "support/rounds.h"

namespace whorl::sim::test {
namespace {

constexpr std::uint64_t kBase = 0x10000;  // of the first array

using Addresses = std::vector<std::uint64_t>;

TEST(Pattern, WalksByColumns) {
    Addresses expected;
    for (std::uint64_t i = 0; i < 16; ++i) {
        for (std::uint64_t j = 0; j < 16; ++j) expected.push_back(kBase + (j * 16 + i) * 8);
    }
    EXPECT_EQ(addressesOf("for i in 0..16 { for j in 0..16 { read A[j][i] } }"), expected);
}

TEST(Pattern, TakesRangesAsLoopsDo) {
    for (const int from : {-7, 0, 3, 9}) {
        for (const int to : {-8, 0, 4, 10}) {
            for (const int step : {-4, -3, -1, 1, 2, 5}) {
                Addresses open{0};
                Addresses closed{0};
                const auto add = [](Addresses& all, int i) { all.push_back(static_cast<std::uint64_t>(i + 100)); };
                for (int i = from; step > 0 ? i < to : i > to; i += step) add(open, i);
                for (int i = from; step > 0 ? i <= to : i >= to; i += step) add(closed, i);
                const auto loop = [&](const char* dots) {
                    return fmt::format("read 0 for i in {}{}{} step {} {{ read i + 100 }}", from, dots, to, step);
                };
                EXPECT_EQ(addressesOf(loop("..")), open) << loop("..");
                EXPECT_EQ(addressesOf(loop("..=")), closed) << loop("..=");
            }
        }
    }
    // To the last numbers that there are.
    EXPECT_EQ(addressesOf("for i in 0x7ffffffffffffffe..=0x7fffffffffffffff { read 0x7fffffffffffffff - i }"),
              (Addresses{1, 0}));
    EXPECT_EQ(addressesOf("for i in -0x7fffffffffffffff-1..=0x7fffffffffffffff step 0x7fffffffffffffff "
                          "{ read i / 0x7fffffffffffffff + 2 }"),
              (Addresses{0, 1, 2}));
}

TEST(Pattern, ActsInOrder) {
    const Trace trace = patternTrace(
        "array A[4] of 4\n"
        "read A[1], A[0]\n"
        "write A[2] read 0x500 of 2\n"
        "cpu 3 { update A[3] cpu 1 { read A[0] } read A[1] } write 0x600");
    using Row = std::tuple<std::uint64_t, std::uint32_t, Op, int, bool, std::uint32_t>;
    std::vector<Row> rows;
    for (const Access& a : accessesIn(trace)) {
        rows.emplace_back(a.address.value, a.size, a.op, a.cpu, a.modify, trace.site(a.site).line);
    }
    EXPECT_EQ(rows, (std::vector<Row>{{kBase + 4, 4, Op::read, 0, false, 2},
                                      {kBase, 4, Op::read, 0, false, 2},
                                      {kBase + 8, 4, Op::write, 0, false, 3},
                                      {0x500, 2, Op::read, 0, false, 3},
                                      {kBase + 12, 4, Op::read, 3, false, 4},
                                      {kBase + 12, 4, Op::write, 3, true, 4},
                                      {kBase, 4, Op::read, 1, false, 4},
                                      {kBase + 4, 4, Op::read, 3, false, 4},
                                      {0x600, 8, Op::write, 0, false, 4}}));
    EXPECT_EQ(trace.cpus(), 4u);
}

TEST(Pattern, PlacesArraysOneAfterAnother) {
    const Trace trace = patternTrace(
        "array unused[3] of 1; array S[2] of 12; array T[5] of 2 align 64; array F at 0x20000\n"
        "for i in 0..3 { read N[i + 1][2 * i] } read F[9], S[1], T[4], G[0] repeat 0 { read never[7] }");
    std::vector<std::string> regions;
    for (const Region& r : trace.regions()) {
        regions.push_back(
            fmt::format("{} {:x}+{} {}x{} of {}", r.name, r.base.value, r.size, r.rows, r.columns, r.elementSize));
    }
    EXPECT_EQ(regions,
              (std::vector<std::string>{"unused 10000+3 3x0 of 1", "S 10004+24 2x0 of 12", "T 10040+10 5x0 of 2",
                                        "F 20000+80 10x0 of 8", "N 20050+160 4x5 of 8", "G 200f0+8 1x0 of 8"}));
    EXPECT_EQ(trace.placeOf(ByteAddress{0x20050 + (2 * 5 + 2) * 8}, Tick{0}), "N[2][2]");
}

TEST(Pattern, IsTheBuiltInMultiplication) {
    for (const int n : {1, 7, 16}) {
        const Trace pattern =
            patternTrace(fmt::format("let n = {}; for i in 0..n {{ for j in 0..n {{ for k in 0..n {{ read A[i][k], "
                                     "B[k][j] }} write C[i][j] }} }}",
                                     n));
        const Trace builtIn = ran(fmt::format("matmul:n={}", n));
        ASSERT_EQ(pattern.size(), builtIn.size());
        const auto withoutSites = [](std::vector<Access> all) {
            for (Access& a : all) a.site = SiteId{};
            return all;
        };
        EXPECT_EQ(withoutSites(accessesIn(pattern)), withoutSites(accessesIn(builtIn)));
        ASSERT_EQ(pattern.regions().size(), builtIn.regions().size());
        for (std::size_t i = 0; i < pattern.regions().size(); ++i) {
            const Region& a = pattern.regions()[i];
            const Region& b = builtIn.regions()[i];
            EXPECT_EQ(std::tie(a.name, a.base, a.size, a.rows, a.columns, a.elementSize),
                      std::tie(b.name, b.base, b.size, b.rows, b.columns, b.elementSize));
        }
    }
}

/// A formula of i and j as text, and its value; nothing where it cannot be computed.
class RandomFormula {
  public:
    __extension__ using Number = __int128;
    struct Part {
        std::string text;
        std::optional<Number> value;
    };

    RandomFormula(std::uint32_t seed, std::int64_t i, std::int64_t j) : random_(seed), i_(i), j_(j) {}

    Part make(int depth) {
        const int kind = depth == 0 ? pick(3) : pick(12);
        if (kind == 0) return {"i", i_};
        if (kind == 1) return {"j", j_};
        if (kind == 2) {
            const int number = pick(20);
            return {fmt::format("{}", number), number};
        }
        if (kind == 3) {
            const Part a = make(depth - 1);
            return {"-" + inParentheses(a), a.value ? fitting(-*a.value) : std::nullopt};
        }
        const Part a = make(depth - 1);
        const Part b = make(depth - 1);
        if (kind < 6) return two(kind == 4 ? "min" : "max", a, b);
        const char sign = "+-*/%*"[kind - 6];
        return {fmt::format("{} {} {}", inParentheses(a), sign, inParentheses(b)), combined(sign, a, b)};
    }

  private:
    int pick(int below) { return static_cast<int>(random_() % static_cast<std::uint32_t>(below)); }
    static std::string inParentheses(const Part& part) { return "(" + part.text + ")"; }
    static std::optional<Number> fitting(Number value) {
        if (value > INT64_MAX || value < INT64_MIN) return std::nullopt;
        return value;
    }
    static Part two(const std::string& name, const Part& a, const Part& b) {
        const std::string text = fmt::format("{}({}, {})", name, a.text, b.text);
        if (!a.value || !b.value) return {text, std::nullopt};
        return {text, name == "min" ? std::min(*a.value, *b.value) : std::max(*a.value, *b.value)};
    }
    static std::optional<Number> combined(char sign, const Part& a, const Part& b) {
        if (!a.value || !b.value) return std::nullopt;
        const Number x = *a.value;
        const Number y = *b.value;
        if (sign == '+') return fitting(x + y);
        if (sign == '-') return fitting(x - y);
        if (sign == '*') return fitting(x * y);
        if (y == 0) return std::nullopt;
        // The greatest whole number that is not above the quotient, found by stepping.
        Number down = x / y;
        while (y > 0 ? down * y > x : down * y < x) --down;
        return sign == '/' ? fitting(down) : fitting(x - down * y);
    }

    std::mt19937 random_;
    Number i_;
    Number j_;
};

TEST(Pattern, ComputesFormulas) {
    std::uint64_t computed = 0;
    for (std::uint32_t seed = 0; seed < testRounds(3000); ++seed) {
        const std::int64_t i = static_cast<std::int64_t>(seed % 19) - 9;
        const std::int64_t j = seed % 5 == 0 ? INT64_MAX - 2 : static_cast<std::int64_t>(seed % 7) - 3;
        const auto [text, value] = RandomFormula(seed, i, j).make(4);
        // An address is not negative, and not too large.
        const std::string pattern =
            fmt::format("for i in {0}..={0} {{ for j in {1}..={1} {{ read ({2}) % 0x10000000 }} }}", i, j, text);
        if (value) {
            ++computed;
            const auto address = static_cast<std::uint64_t>(((*value % 0x10000000) + 0x10000000) % 0x10000000);
            EXPECT_EQ(addressesOf(pattern), Addresses{address}) << pattern;
        } else {
            const std::string said = wrongIn(pattern);
            EXPECT_TRUE(said.find("divided by 0") != std::string::npos || said.find("64 bits") != std::string::npos)
                << pattern << "\n"
                << said;
            EXPECT_NE(said.find(fmt::format("with i={} and j={}", i, j)), std::string::npos) << said;
        }
    }
    EXPECT_GT(computed, testRounds(1000));
    // Products bind more than sums, from the left.
    EXPECT_EQ(addressesOf("read 100 - 10 - 2 * 3 + 7 / 2 % 2"), Addresses{100 - 10 - 6 + 1});
    EXPECT_EQ(addressesOf("read - 2 * 3 + 10"), Addresses{4});
}

TEST(Pattern, SaysWithWhichValuesAnIndexIsOutside) {
    EXPECT_EQ(wrongIn("array A[4][5]\nfor i in 0..4 { for j in 0..6 { read A[i][j] } }"),
              "p:2:38: A[0][5] is outside of the array A[4][5], with i=0 and j=5; this index is from 0 to 4");
    EXPECT_EQ(wrongIn("array A[4]; for i in 0..9 { read A[i] }"),
              "p:1:34: A[4] is outside of the array A[4], with i=4; this index is from 0 to 3");
    EXPECT_EQ(wrongIn("for i in 3..=-1 step -1 { read A[i] }"),
              "p:1:32: A[-1] is outside of the array, with i=-1; an index is 0 or more");
    EXPECT_EQ(wrongIn("for i in 0..2 { read 8 - i * 16 }"),
              "p:1:22: there is no address -8, with i=1; addresses are from 0 to 0x4000000000000000");
    EXPECT_EQ(wrongIn("for i in 62..99 { cpu i { read 0 } }"),
              "p:1:23: there is no CPU 64, with i=64; CPUs are numbered from 0 to 63");
    EXPECT_EQ(wrongIn("for i in 0..2 { for j in 0..4 step i { read 0 } }"),
              "p:1:36: a step of 0 never ends, with i=0; use a step such as 1, 8 or -1");
    EXPECT_EQ(wrongIn("repeat 3 - 4 { read 0 }"), "p:1:8: nothing is repeated -1 times; give 0 or more");
    EXPECT_EQ(wrongIn("for i in 0..2 { read random(i) }"),
              "p:1:22: there is no random number from 0 to below 0, with i=0; give a number from 1");
    EXPECT_NE(wrongIn("for i in 5..0 { read A[i] }").find("makes no access"), std::string::npos);
}

TEST(Pattern, IsTheSameWheneverItRuns) {
    const std::string text = "for i in 0..1000 { read A[random(100)] update B[random(7)][random(3)] }";
    const Trace a = patternTrace(text);
    EXPECT_EQ(accessesIn(a), accessesIn(patternTrace(text)));
    std::set<std::uint64_t> reached;
    for (const Access& access : accessesIn(a)) {
        if (a.regionAt(access.address) == 0) reached.insert(access.address.value);
    }
    EXPECT_EQ(reached.size(), 100u);
    EXPECT_EQ(*reached.begin(), kBase);
    EXPECT_EQ(*reached.rbegin(), kBase + 99 * 8);
}

TEST(Pattern, HasLimits) {
    const std::string accesses = wrongIn("for i in 0..0x7fffffffffffffff {\n read A[0] }");
    EXPECT_NE(accesses.find("p:2:7: the pattern makes more than 100000000 accesses, with i=100000000"),
              std::string::npos)
        << accesses;
    const std::string turns = wrongIn("repeat 0x7fffffffffffffff { repeat 2 { } }");
    EXPECT_NE(turns.find("turn more than 200000000 times"), std::string::npos) << turns;
}

TEST(Pattern, CanBeCancelled) {
    for (const char* const text : {"repeat 1G { }", "repeat 90000000 { read 0 }"}) {
        Progress progress;
        progress.cancel();
        const auto trace = runPattern(parsePattern(text, "p").value(), "p", progress);
        ASSERT_FALSE(trace.has_value());
        EXPECT_TRUE(trace.error().cancelled) << text;
    }
}

TEST(Pattern, IsAProgram) {
    const std::string text = "for i in 0..8 {\n    read A[i]\n}\n";
    const Trace typed = ran("pattern:" + text);
    EXPECT_EQ(specAsText(*parseProgramSpec("pattern:" + text)), "pattern:" + text);
    EXPECT_EQ(typed.name(), "pattern \"for i in 0..8 {     read A[i] }\"");
    EXPECT_EQ(listingOf(typed).path, "pattern");
    EXPECT_EQ(lineOf(typed, accessesIn(typed)[3]), "    read A[i]");
    EXPECT_EQ(ran("pattern:# By rows \nread 0").name(), "By rows");
    EXPECT_EQ(ran("pattern:#\nread 0").name(), "pattern");
    EXPECT_LT(ran("pattern:" + std::string(1000, ';') + text).name().size(), 64u);

    const Folder folder;
    const auto spec = patternIn(folder.put("rows.pattern", text));
    ASSERT_TRUE(spec.has_value());
    Progress progress;
    const Trace read = runProgram(*spec, progress).value();
    EXPECT_EQ(read.name(), "rows.pattern");
    EXPECT_EQ(listingOf(read).path, "rows.pattern");
    EXPECT_EQ(accessesIn(read), accessesIn(typed));
    EXPECT_EQ(progress.done(), 8u);
    EXPECT_EQ(progress.total(), 8u);

    const auto faulty = runProgram(*patternIn(folder.put("faulty.pattern", "\nraed A[0]")), progress);
    EXPECT_EQ(faulty.error().where, folder.at("faulty.pattern") + ":2:1");
    EXPECT_FALSE(patternIn(folder.at("none.pattern")).has_value());
    EXPECT_EQ(parseProgramSpec("pattern:raed A[0]").error().where, "pattern:1:1");
    for (const char* const empty : {"pattern", "pattern:", "pattern: \n"}) {
        EXPECT_NE(parseProgramSpec(empty).error().sentence().find("the pattern is empty"), std::string::npos);
    }
    EXPECT_NE(parseProgramSpec("patern:read 0").error().sentence().find("did you mean \"pattern\""), std::string::npos);
}

}  // namespace
}  // namespace whorl::sim::test
