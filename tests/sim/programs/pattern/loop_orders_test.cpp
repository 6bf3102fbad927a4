// Other orders of loops: the same as when they are written by hand, and only where the order does not matter.
#include "sim/programs/pattern/loop_orders.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "sim/programs/pattern/pattern_help.h"
#include "sim/programs/pattern/pattern_text.h"
#include "support/docs.h"
#include "support/rounds.h"

namespace whorl::sim::test {
namespace {

using Facts = std::tuple<std::uint64_t, std::uint32_t, bool, bool, std::uint32_t>;

/// The accesses of a pattern in order, without their lines.
std::vector<Facts> factsOf(const std::string& text) {
    std::vector<Facts> all;
    for (const Access& a : accessesIn(patternTrace(text))) {
        all.emplace_back(a.address.value, a.size, a.isWrite(), a.modify, a.cpu);
    }
    return all;
}

std::vector<LoopOrder> ordersOf(const std::string& text) {
    return loopOrders(parsePattern(text, "p").value());
}

/// The pattern with these words; empty if there is none.
std::string orderOf(const std::string& text, const std::string& words) {
    for (const LoopOrder& order : ordersOf(text)) {
        if (order.words == words) return order.text;
    }
    return {};
}

std::string again(const std::string& text) {
    return asText(parsePattern(text, "p").value());
}

const char* const kProduct =
    "let n = 12\nfor i in 0..n {\n  for j in 0..n {\n    for k in 0..n { read A[i][k], B[k][j] }\n"
    "    write C[i][j]\n  }\n}";

// --- texts

TEST(PatternText, GivesTheSamePattern) {
    for (const std::string text : {
             "for i in 0..4 { read A[i]; write B[i], C[i]; update D[2*i] }",
             "let n = -3; for i in n..=4 step 2 { read A[i - n] }",
             "let n = -0x7fffffffffffffff - 1; for i in 0..4 { read A[max(n, i)] }",
             "for i in 15..=0 step -1 { for j in i + 1..min(2 * i, 20) { read A[i - (j - 20)][j % (i + 1) / 2] } }",
             "for i in 1..4 { read A[-(i + 1) * -2], B[2 * (i + 1) * (i - 1)], C[--i], D[20 / (i / 2 + 1)] }",
             "for i in 0..4 { read 0x1000 + 8 * i, 0x2000 of 4; write i of 2 }",
             "repeat 3 { cpu 1 { update A[random(7)] } cpu 2 { } }",
             "array Z[8][4] of 16 align 64; array E at 0x800000; array Q; for i in 0..4 { read B[i], Q[i], Z[i][i], "
             "A[i] }",
             "array B; read A[1]; read B[2]",
             "array U; read A[0]; array T[4]; read T[0]",
         }) {
        const std::string once = again(text);
        EXPECT_EQ(again(once), once) << text;
        EXPECT_EQ(factsOf(once), factsOf(text)) << once;
    }
    EXPECT_EQ(again("# one\nlet n = 4\narray B\nfor i in 0..n { read A[(i*2)+1]\nread B[i] write A[-i+n] }"),
              "array B; for i in 0..4 { read A[i * 2 + 1], B[i]; write A[-i + 4] }");
}

// --- orders

TEST(LoopOrders, ASumIsKeptInMemory) {
    const std::string inner = orderOf(kProduct, "the loops over j and k the other way round");
    EXPECT_EQ(inner, "for i in 0..12 { for k in 0..12 { for j in 0..12 { read A[i][k], B[k][j]; update C[i][j] } } }");
    // By hand: the arrays are where they were.
    EXPECT_EQ(factsOf(inner), factsOf("for i in 0..12 { for k in 0..12 { for j in 0..12 { read A[i][k]; read B[k][j]; "
                                      "update C[i][j] } } }"));
    // The loops around a product do not need it.
    EXPECT_EQ(orderOf(kProduct, "the loops over i and j the other way round"),
              "for j in 0..12 { for i in 0..12 { for k in 0..12 { read A[i][k], B[k][j] }; write C[i][j] } }");
    EXPECT_EQ(factsOf(orderOf(kProduct, "the loops over j and k in blocks of 8 around that over i")),
              factsOf("for jj in 0..12 step 8 { for kk in 0..12 step 8 { for i in 0..12 { for j in jj..min(jj + 8, 12) "
                      "{ for k in kk..min(kk + 8, 12) { read A[i][k], B[k][j]; update C[i][j] } } } } }"));
    std::set<std::string> words;
    for (const LoopOrder& order : ordersOf(kProduct)) EXPECT_TRUE(words.insert(order.words).second) << order.words;
    EXPECT_TRUE(words.contains("the loops over i, j and k in the order k, j, i"));
    EXPECT_TRUE(words.contains("the loops over i, j and k in blocks of 8"));
    EXPECT_FALSE(words.contains("the loops over i, j and k in blocks of 16"));
    EXPECT_EQ(words.size(), 5u + 5u);
}

TEST(LoopOrders, SaysWhereTheLoopsAre) {
    const auto orders = ordersOf(kProduct);
    EXPECT_EQ(orders[0].words, "the loops over i and j the other way round");
    EXPECT_EQ(orders[0].line, 2u);
    const auto inner = std::find_if(orders.begin(), orders.end(), [](const LoopOrder& o) {
        return o.words == "the loops over j and k the other way round";
    });
    ASSERT_NE(inner, orders.end());
    EXPECT_EQ(inner->line, 3u);
}

TEST(LoopOrders, TilesAsDocumentedAreFound) {
    const std::string tiled =
        "array A[30][30] of 4 align 64; for ii in 0..30 step 8 { for jj in 0..30 step 8 { for i in ii..min(ii + 8, 30) "
        "{ "
        "for j in jj..min(jj + 8, 30) { read A[i][j]; write B[j][i] } } } }";
    const std::string plain =
        "let n = 30\narray A[n][n] of 4 align 64\nfor i in 0..n { for j in 0..n { read A[i][j] write B[j][i] } }";
    EXPECT_EQ(orderOf(plain, "the loops over i and j in blocks of 8"), tiled);
    EXPECT_EQ(factsOf(tiled),
              factsOf("let n = 30; let tile = 8\narray A[n][n] of 4 align 64\nfor ii in 0..n step tile { "
                      "for jj in 0..n step tile { for i in ii..min(ii + tile, n) { for j in "
                      "jj..min(jj + tile, n) { read A[i][j] write B[j][i] } } } }"));
    EXPECT_NE(docsPage("patterns.md").find("for i in ii..min(ii + tile, n)"), std::string::npos);
}

TEST(LoopOrders, StepsDownwardAndInclusive) {
    const std::string down = "for i in 40..=1 step -2 { for j in 0..=20 { read A[j][i] } }";
    EXPECT_EQ(orderOf(down, "the loops over i and j in blocks of 16"),
              "for ii in 40..=1 step -32 { for jj in 0..=20 step 16 { for i in ii..max(ii - 32, 0) step -2 { for j in "
              "jj..min(jj + 16, 21) { read A[j][i] } } } }");
    // A bound that is not known before it runs.
    const std::string varying = "for n in 20..22 { for i in 0..=n { for j in 0..n { read A[j][i] } } }";
    EXPECT_EQ(
        orderOf(varying, "the loops over i and j in blocks of 8"),
        "for n in 20..22 { for ii in 0..=n step 8 { for jj in 0..n step 8 { for i in ii..min(ii + 8, n + 1) { for "
        "j in jj..min(jj + 8, n) { read A[j][i] } } } } }");
}

TEST(LoopOrders, NamesDoNotClash) {
    const std::string text = "for row in 0..9 { for i in 0..9 { read ii[i][row] } } read row_block[0]";
    const std::string blocks = orderOf(text, "the loops over row and i in blocks of 8");
    EXPECT_NE(blocks.find("for row_block_ in 0..9 step 8 { for iii in"), std::string::npos) << blocks;
    EXPECT_EQ(wrongIn(blocks), "");
}

TEST(LoopOrders, ArraysStayWhereTheyAre) {
    const std::string text = "for i in 0..9 { read x[i]; for j in 0..9 { read A[i][j] } write y[i] }";
    const std::string other = orderOf(text, "the loops over i and j the other way round");
    EXPECT_EQ(other, "for j in 0..9 { for i in 0..9 { read x[i], A[i][j]; update y[i] } }");
    const std::string later = "for i in 0..9 { for j in 0..9 { read A[i][j] } read x[i]; write A2[i], x2[i] }";
    EXPECT_EQ(orderOf(later, "the loops over i and j the other way round"),
              "for j in 0..9 { for i in 0..9 { read A[i][j], x[i]; update A2[i], x2[i] } }");
    const std::string before = "array q; for i in 0..9 { for j in 0..9 { read A[i][j] } write s[i]; read q[i] }";
    EXPECT_EQ(orderOf(before, "the loops over i and j the other way round"),
              "array q; for j in 0..9 { for i in 0..9 { read A[i][j], q[i]; update s[i] } }");
    const std::string last = "for i in 0..9 { for j in 0..9 { read A[i][j] } write s[i]; read q[i] }";
    EXPECT_EQ(orderOf(last, "the loops over i and j the other way round"),
              "array A; array s; for j in 0..9 { for i in 0..9 { read A[i][j], q[i]; update s[i] } }");
}

TEST(LoopOrders, AreNotFoundWhereTheOrderMayMatter) {
    for (const std::string text : {
             "for i in 1..9 { for j in 0..8 { write A[i][j]; read A[i-1][j+1] } }",              // carried
             "for i in 0..9 { for j in 0..9 { write A[i + j] } }",                               // the last one stays
             "for i in 0..9 { write y[i]; for j in 0..9 { read A[i][j]; update y[i] } }",        // no sum
             "for i in 0..9 { for j in 0..9 { read A[i][j], y[0] } write y[i] }",                // read in the loop
             "for i in 0..9 { for j in 0..i { read A[j][i] } }",                                 // a triangle
             "for i in 0..9 { for j in 0..9 { read A[random(9)][j] } }",                         // drawn
             "for i in 0..9 { for j in 0..9 { cpu j { read A[j][i] } } }",                       // of CPUs
             "for i in 0..9 { for j in 0..9 { read A[j][i]; write 0x1000 + i } }",               // anywhere
             "for i in 0..9 { for j in 0..9 { read A[j][i] } for k in 0..9 { read A[k][i] } }",  // side by side
             "for i in 0..9 { repeat 4 { read A[i][0] } }",
             "for i in 0..9 { read A[i] }",
             "read A[3]",
         }) {
        EXPECT_TRUE(ordersOf(text).empty()) << text;
    }
    for (const std::string text : {
             "for i in 0..9 { for j in 0..9 { update A[i + j] } }",  // a sum
             "for i in 0..9 { for j in 0..9 { read 0x1000 + 8 * i + 80 * j } }",
             "repeat 4 { for i in 0..9 { for j in 0..9 { read A[j][i] } } }",
             "cpu 1 { for i in 0..9 { for j in 0..9 { repeat 2 { read A[j][i] } } } }",
             "for n in 2..4 { for i in 0..n { for j in 0..n { read A[j][i] } } }",
         }) {
        EXPECT_NE(orderOf(text, "the loops over i and j the other way round"), "") << text;
    }
}

TEST(LoopOrders, AreFew) {
    std::string many;
    for (int n = 0; n < 40; ++n) many += fmt::format("for i in 0..99 {{ for j in 0..99 {{ read A{}[j][i] }} }} ", n);
    EXPECT_EQ(ordersOf(many).size(), kMaxLoopOrders);
}

// --- laws

/// What each element holds when it is written with what is read in the same turn, or has that added to it. A turn makes
/// `count` accesses.
std::map<std::uint64_t, std::uint64_t> memoryAfter(const std::vector<Facts>& facts, std::size_t count) {
    std::map<std::uint64_t, std::uint64_t> memory;
    for (std::size_t turn = 0; turn + count <= facts.size(); turn += count) {
        std::uint64_t reads = 1;
        for (std::size_t a = turn; a < turn + count; ++a) {
            const auto& [address, size, isWrite, modifies, cpu] = facts[a];
            if (!isWrite) reads = reads * 0x9e3779b97f4a7c15ull + address;
            if (isWrite) memory[address] = reads + (modifies ? memory[address] : 0);
        }
    }
    return memory;
}

struct RandomNest {
    std::string text;
    std::size_t accesses = 0;  ///< of a turn
};

RandomNest randomNest(std::mt19937_64& random) {
    const auto below = [&](std::uint64_t n) { return random() % n; };
    const std::size_t depth = 2 + below(2);
    const auto variable = [&] { return std::string(1, static_cast<char>('i' + below(depth))); };
    const auto index = [&] {
        const std::string factor = fmt::format("{} * {}", 1 + below(3), variable());
        return below(4) == 0 ? fmt::format("{} + {}", factor, variable()) : factor;
    };
    RandomNest nest;
    for (std::size_t l = 0; l < depth; ++l) {
        const char name = static_cast<char>('i' + l);
        const auto turns = 3 + below(16);
        nest.text += below(3) == 0 ? fmt::format("for {} in {}..=0 step -{} {{ ", name, turns, 1 + below(2))
                                   : fmt::format("for {} in 1..{} step {} {{ ", name, 1 + turns, 1 + below(2));
    }
    for (std::size_t r = 1 + below(3); r > 0; --r) {
        nest.text += fmt::format("read R{}[{}][{}] ", below(2), index(), index());
        ++nest.accesses;
    }
    const bool isSum = below(2) == 0;
    nest.text += fmt::format("{} W[{}][{}] ", isSum ? "update" : "write", index(), index());
    nest.accesses += isSum ? 2 : 1;
    if (below(4) == 0) {
        nest.text += fmt::format("read W[{}][{}] ", index(), index());
        ++nest.accesses;
    }
    for (std::size_t l = 0; l < depth; ++l) nest.text += "} ";
    return nest;
}

TEST(LoopOrders, MakeTheSameAccessesAndLeaveTheSameInMemory) {
    std::mt19937_64 random(5);
    std::size_t orders = 0;
    std::size_t without = 0;
    for (std::uint64_t round = 0; round < testRounds(200); ++round) {
        const RandomNest nest = randomNest(random);
        auto now = factsOf(nest.text);
        const auto memory = memoryAfter(now, nest.accesses);
        std::sort(now.begin(), now.end());
        const auto all = ordersOf(nest.text);
        without += all.empty() ? 1 : 0;
        for (const LoopOrder& order : all) {
            auto then = factsOf(order.text);
            // What is read of a sum is not the same before all is added.
            if (nest.text.find("read W") == std::string::npos) {
                EXPECT_EQ(memoryAfter(then, nest.accesses), memory) << nest.text << '\n' << order.text;
            }
            std::sort(then.begin(), then.end());
            EXPECT_EQ(then, now) << nest.text << '\n' << order.text;
            ++orders;
        }
    }
    EXPECT_GT(orders, testRounds(200));
    EXPECT_GT(without, testRounds(200) / 10);
}

}  // namespace
}  // namespace whorl::sim::test
