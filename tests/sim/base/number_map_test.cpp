#include "sim/base/containers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <unordered_map>

namespace whorl::sim {
namespace {

/// Few keys, so that many are erased and added again, and some near each other.
TEST(NumberMap, AgreesWithTheStandardMap) {
    std::mt19937_64 random(3);
    for (const std::uint64_t keys : {5U, 40U, 3000U}) {
        NumberMap<int> map;
        std::unordered_map<std::uint64_t, int> plain;
        for (int i = 0; i < 20'000; ++i) {
            std::uint64_t key = random() % keys;
            if (random() % 2 == 0) key <<= 40;
            switch (random() % 3) {
                case 0:
                    map.erase(key);
                    plain.erase(key);
                    break;
                case 1:
                    ++map[key];
                    ++plain[key];
                    break;
                default: {
                    const int* const found = map.find(key);
                    const auto wanted = plain.find(key);
                    ASSERT_EQ(found != nullptr, wanted != plain.end());
                    if (found == nullptr) break;
                    ASSERT_EQ(*found, wanted->second);
                }
            }
            ASSERT_EQ(map.size(), plain.size());
        }
        std::unordered_map<std::uint64_t, int> listed;
        map.forEach([&](std::uint64_t key, int value) { EXPECT_TRUE(listed.emplace(key, value).second); });
        EXPECT_EQ(listed, plain);
    }
}

TEST(NumberMap, HasNothingAtFirst) {
    NumberMap<int> map;
    EXPECT_TRUE(map.empty());
    EXPECT_EQ(map.find(0), nullptr);
    map.erase(0);
    EXPECT_EQ(map[7], 0);
    EXPECT_FALSE(map.empty());
}

}  // namespace
}  // namespace whorl::sim
