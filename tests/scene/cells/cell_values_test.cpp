// Numbers by place: in order, found, and folded, as a map says.
#include "render/scene/cells/cell_measures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "support/rounds.h"

namespace whorl::scene {
namespace {

struct Pair {
    float value = 0;
    float other = 0;
};
using Plain = std::map<CellPlace, Pair>;

Plain randomPlain(std::uint64_t seed) {
    std::mt19937_64 dice(seed);
    Plain plain;
    const auto count = dice() % 300;
    for (std::uint64_t i = 0; i < count; ++i) {
        const CellPlace place{static_cast<std::uint32_t>(dice() % 3), static_cast<std::uint32_t>(dice() % 40),
                              static_cast<std::uint32_t>(dice() % 40)};
        plain[place] = {static_cast<float>(dice() % 1000), static_cast<float>(dice() % 1000)};
    }
    return plain;
}

/// In random order.
CellValues valuesOf(const Plain& plain, std::uint64_t seed) {
    std::vector<std::pair<CellPlace, Pair>> list(plain.begin(), plain.end());
    std::shuffle(list.begin(), list.end(), std::mt19937_64(seed));
    CellValues values(3);
    for (const auto& [place, pair] : list) values.add(place, pair.value, pair.other);
    values.finish();
    return values;
}

Plain foldedPlain(const Plain& plain) {
    Plain out;
    for (const auto& [place, pair] : plain) {
        Pair& to = out[{place.group, place.row / 2, place.column / 2}];
        to = {std::max(to.value, pair.value), std::max(to.other, pair.other)};
    }
    return out;
}

void expectSame(const CellValues& values, const Plain& plain) {
    ASSERT_EQ(values.size(), plain.size());
    float most = 0;
    Plain::const_iterator next = plain.begin();
    for (std::uint32_t g = 0; g < values.groups(); ++g) {
        for (const CellValues::Entry& e : values.rows(g, 0, ~std::uint32_t{0})) {
            ASSERT_EQ(next->first, (CellPlace{g, e.row, e.column}));
            ASSERT_EQ(next->second.value, e.value);
            ASSERT_EQ(next->second.other, e.other);
            most = std::max(most, e.value);
            ++next;
        }
    }
    EXPECT_EQ(values.most(), most);
}

TEST(CellValues, AreInOrderAndFold) {
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        Plain plain = randomPlain(seed);
        FoldedValues folded(valuesOf(plain, seed));
        for (int fold = 0; fold < 8; ++fold) {
            expectSame(folded.at(fold), plain);
            ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", fold " << fold;
            plain = foldedPlain(plain);
        }
    }
}

TEST(CellValues, AreFoundByPlaceAndByRows) {
    for (std::uint64_t seed = 0; seed < testRounds(100); ++seed) {
        const Plain plain = randomPlain(seed);
        const CellValues values = valuesOf(plain, seed);
        std::mt19937_64 dice(seed);
        for (int i = 0; i < 100; ++i) {
            const CellPlace place{static_cast<std::uint32_t>(dice() % 3), static_cast<std::uint32_t>(dice() % 41),
                                  static_cast<std::uint32_t>(dice() % 41)};
            const auto known = plain.find(place);
            const CellValues::Entry* const entry = values.at(place);
            ASSERT_EQ(entry != nullptr, known != plain.end());
            if (entry != nullptr) {
                EXPECT_EQ(entry->value, known->second.value);
            }
            const std::uint32_t to = place.row + place.column;
            const auto within = std::count_if(plain.begin(), plain.end(), [&](const auto& p) {
                return p.first.group == place.group && p.first.row >= place.row && p.first.row < to;
            });
            EXPECT_EQ(static_cast<std::ptrdiff_t>(values.rows(place.group, place.row, to).size()), within);
        }
    }
}

}  // namespace
}  // namespace whorl::scene
