#include "sim/base/containers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace whorl::sim {
namespace {

void expectSame(const NumberColumn& column, const std::vector<std::uint64_t>& plain) {
    ASSERT_EQ(column.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_EQ(column[i], plain[i]) << i;
}

/// Numbers of all sizes, near each other and far from each other, added and changed at random.
TEST(NumberColumn, KeepsEveryNumber) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 40; ++round) {
        NumberColumn column;
        std::vector<std::uint64_t> plain;
        const std::uint64_t base = random() >> random() % 64;
        const auto number = [&] { return base + (random() >> random() % 64 >> (round % 2 == 0 ? 40 : 0)); };
        for (std::size_t i = random() % 3000; i > 0; --i) {
            plain.push_back(number());
            column.push_back(plain.back());
            if (random() % 4 != 0) continue;
            const std::size_t at = random() % plain.size();
            plain[at] = number();
            column.set(at, plain[at]);
        }
        expectSame(column, plain);
        std::vector<std::uint32_t> order(plain.size());
        std::vector<std::uint64_t> ordered;
        for (std::uint32_t& i : order) {
            i = static_cast<std::uint32_t>(random() % plain.size());
            ordered.push_back(plain[i]);
        }
        expectSame(column.inOrder(order), ordered);
    }
}

TEST(NumberColumn, KeepsFallingNumbersAndTheLargest) {
    NumberColumn column;
    std::vector<std::uint64_t> plain;
    for (std::uint64_t i = 0; i < 5000; ++i) {
        plain.push_back(~std::uint64_t{0} - i * i);
        column.push_back(plain.back());
    }
    plain.push_back(0);
    column.push_back(0);
    expectSame(column, plain);
}

/// Far from 0, but near each other; and all the same.
TEST(NumberColumn, TakesAsFewBytesAsTheDistances) {
    constexpr std::size_t kNumbers = 100'000;
    constexpr std::uint64_t kFar = std::uint64_t{1} << 47;
    NumberColumn near;
    NumberColumn same;
    for (std::size_t i = 0; i < kNumbers; ++i) {
        near.push_back(kFar + i % 256);
        same.push_back(kFar);
    }
    EXPECT_LT(near.bytes(), kNumbers * 12 / 10);
    EXPECT_LT(same.bytes(), kNumbers / 10);
}

}  // namespace
}  // namespace whorl::sim
