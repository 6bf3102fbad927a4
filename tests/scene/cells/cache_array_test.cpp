// Where the sets and ways of a cache are, in both arrangements.
#include "render/scene/cells/cache_array.h"

#include <gtest/gtest.h>

#include <set>

namespace whorl::scene {
namespace {

using Cell = CacheArray::Cell;

TEST(CacheArray, HasOnePlaceForEachWay) {
    for (const bool interleaved : {false, true}) {
        for (const std::uint32_t sets : {1u, 2u, 7u, 8u, 64u, 100u}) {
            for (const std::uint32_t ways : {1u, 2u, 3u, 16u}) {
                for (const std::uint32_t columns : {1u, 2u, 8u, 64u, 128u}) {
                    const CacheArray array({sets, ways, columns, interleaved});
                    const CellGroups& groups = array.groups();
                    std::set<CellPlace> places;
                    for (std::uint32_t s = 0; s < sets; ++s) {
                        for (std::uint32_t w = 0; w < ways; ++w) {
                            const Cell cell{sim::SetIndex{s}, sim::WayIndex{w}};
                            const CellPlace place = array.placeOf(cell);
                            ASSERT_TRUE(places.insert(place).second);
                            ASSERT_EQ(array.at(place), cell);
                            ASSERT_LT(place.group, groups.groups.size());
                            ASSERT_LT(place.row, groups.groups[place.group].rows);
                            ASSERT_LT(place.column, groups.columns);
                        }
                    }
                    std::uint64_t cells = 0;
                    std::uint64_t found = 0;
                    for (std::uint32_t g = 0; g < groups.groups.size() + 1; ++g) {
                        if (g < groups.groups.size()) cells += groups.groups[g].cells;
                        for (std::uint32_t r = 0; r < groups.groups[0].rows + 1; ++r) {
                            for (std::uint32_t c = 0; c < groups.columns + 1; ++c) found += array.at({g, r, c}) ? 1 : 0;
                        }
                    }
                    ASSERT_EQ(cells, places.size());
                    ASSERT_EQ(found, places.size());
                }
            }
        }
    }
}

TEST(CacheArray, InParallelHasAGroupAWayInterleavedTheWaysOfASetSideBySide) {
    const CacheArray parallel({64, 4, 8, false});
    EXPECT_EQ(parallel.groups().groups.size(), 4u);
    EXPECT_EQ(parallel.placeOf({sim::SetIndex{9}, sim::WayIndex{2}}), (CellPlace{2, 1, 1}));
    const CacheArray interleaved({64, 4, 8, true});
    EXPECT_EQ(interleaved.groups().columns, 32u);
    EXPECT_EQ(interleaved.placeOf({sim::SetIndex{9}, sim::WayIndex{2}}), (CellPlace{0, 1, 6}));
}

TEST(CacheArray, HasRowsOfAPowerOfTwoOfSets) {
    for (std::uint32_t sets = 1; sets < 5000; sets += 1 + sets / 7) {
        for (const std::uint64_t nearer : {0, 1, 64, 100, 100'000}) {
            const std::uint32_t columns = usualColumns(sets, nearer);
            EXPECT_EQ(columns & (columns - 1), 0u);
            EXPECT_GE(columns, 1u);
            if (nearer == 0 || nearer >= sets) {
                // About twice as wide as high.
                EXPECT_GE(std::uint64_t{columns} * columns, 2ull * sets);
                EXPECT_LT(std::uint64_t{columns} * columns, 8ull * sets);
            } else {
                EXPECT_LE(columns, nearer);
                EXPECT_GT(2 * columns, nearer);
            }
        }
    }
}

}  // namespace
}  // namespace whorl::scene
