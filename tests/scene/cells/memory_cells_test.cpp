// The places of memory: laws on random traces and shapes.
#include "render/scene/cells/memory_cells.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <utility>

#include "scene/cells/random_memory.h"
#include "support/rounds.h"

namespace whorl::scene {
namespace {

constexpr std::uint64_t kLastByte = ~std::uint64_t{0};

TEST(MemoryCells, GiveEveryTouchedByteOnePlace) {
    for (std::uint64_t seed = 0; seed < testRounds(600); ++seed) {
        const auto trace = test::randomMemory(seed);
        const MemoryCells cells(*trace, test::randomShape(seed));
        const MemoryShape& shape = cells.shape();
        trace->forEach(sim::Tick{0}, sim::Tick{trace->size()}, [&](sim::Tick, const sim::Access& a) {
            for (std::uint64_t byte = a.address.value; byte - a.address.value < a.size; ++byte) {
                const auto place = cells.placeOf(sim::ByteAddress{byte});
                ASSERT_TRUE(place) << std::hex << byte;
                ASSERT_LT(place->group, cells.groups().groups.size());
                ASSERT_LT(place->row, cells.groups().groups[place->group].rows);
                ASSERT_LT(place->column, shape.columns);
                ASSERT_EQ(cells.addressAt(*place), sim::ByteAddress{byte / shape.cell * shape.cell});
                ASSERT_EQ(cells.groupOf(sim::ByteAddress{byte}), place->group);
            }
        });
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(MemoryCells, AreAsManyAsTheirGroupsSayEachAtItsOwnAddress) {
    for (std::uint64_t seed = 0; seed < testRounds(600); ++seed) {
        const auto trace = test::randomMemory(seed);
        const MemoryCells cells(*trace, test::randomShape(seed));
        const CellGroups& groups = cells.groups();
        std::set<std::uint64_t> addresses;
        std::vector<std::uint64_t> count(groups.groups.size(), 0);
        test::forEachCell(cells, [&](const CellPlace& place, sim::ByteAddress a) {
            ASSERT_EQ(a.value % cells.shape().cell, 0u);
            ASSERT_EQ(cells.placeOf(a), place);
            ASSERT_TRUE(addresses.insert(a.value).second) << "two places of " << std::hex << a.value;
            ASSERT_LE(cells.firstOf(place.group), a);
            ASSERT_LE(a, cells.lastOf(place.group));
            ++count[place.group];
        });
        for (std::uint32_t g = 0; g < groups.groups.size(); ++g) {
            ASSERT_EQ(count[g], groups.groups[g].cells);
            const std::uint64_t first = cells.firstOf(g).value / cells.shape().cell;
            ASSERT_EQ(groups.groups[g].firstCell, first - cells.originOf(g));
            ASSERT_TRUE(cells.originOf(g) == first || cells.originOf(g) % cells.shape().columns == 0);
            ASSERT_EQ(cells.groupOf(cells.firstOf(g)), g);
            ASSERT_EQ(cells.groupOf(cells.lastOf(g)), g);
            if (g > 0) {
                ASSERT_LT(cells.lastOf(g - 1), cells.firstOf(g)) << "groups ascend and are apart";
            }
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

/// What lies below each other competes for the same set when a row is one way of a cache.
TEST(MemoryCells, BelowEachOtherAreARowApart) {
    std::uint64_t pairs = 0;
    for (std::uint64_t seed = 0; seed < testRounds(600); ++seed) {
        MemoryShape shape = test::randomShape(seed);
        shape.curve = MemoryCurve::linear;
        const MemoryCells cells(*test::randomMemory(seed), shape);
        test::forEachCell(cells, [&](const CellPlace& place, sim::ByteAddress a) {
            // What is at most half a row long is a row wherever it begins.
            const CellGroup& group = cells.groups().groups[place.group];
            ASSERT_TRUE(a.value / shape.cell % shape.columns == place.column ||
                        (group.rows == 1 && 2 * group.cells <= shape.columns))
                << "seed " << seed;
            const auto below = cells.addressAt({place.group, place.row + 1, place.column});
            if (!below) return;
            ++pairs;
            ASSERT_EQ(below->value - a.value, shape.row()) << "seed " << seed;
        });
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(pairs, testRounds(600));
}

TEST(MemoryCells, AlongACurveHaveNeighboursBesideThem) {
    std::uint64_t pairs = 0;
    for (std::uint64_t seed = 0; seed < testRounds(600); ++seed) {
        MemoryShape shape = test::randomShape(seed);
        shape.curve = MemoryCurve::hilbert;
        const MemoryCells cells(*test::randomMemory(seed), shape);
        test::forEachCell(cells, [&](const CellPlace& place, sim::ByteAddress a) {
            if (a.value > kLastByte - shape.cell) return;
            const auto next = cells.placeOf(sim::ByteAddress{a.value + shape.cell});
            // Squares as wide as a row begin anew.
            if (!next || next->group != place.group || next->row / shape.columns != place.row / shape.columns) return;
            ++pairs;
            const auto distance = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
            ASSERT_EQ(distance(next->row, place.row) + distance(next->column, place.column), 1u) << "seed " << seed;
        });
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(pairs, testRounds(600));
}

TEST(MemoryCells, OfRegionsLieInThem) {
    for (std::uint64_t seed = 0; seed < testRounds(400); ++seed) {
        const auto trace = test::randomMemory(seed);
        MemoryShape shape = test::randomShape(seed);
        shape.groups = MemoryGroups::regions;
        const MemoryCells cells(*trace, shape);
        test::forEachCell(cells, [&](const CellPlace& place, sim::ByteAddress a) {
            const std::size_t r = cells.regionOf(place.group);
            ASSERT_LT(r, trace->regions().size());
            const sim::Region& region = trace->regions()[r];
            ASSERT_LE(region.base.value / shape.cell, a.value / shape.cell) << "seed " << seed;
            ASSERT_LE(a.value / shape.cell, (region.base.value + (region.size - 1)) / shape.cell) << "seed " << seed;
        });
        // Declared ones of modest size are there as a whole, touched or not, as far as no cell is shared.
        for (std::size_t r = 0; r < trace->regions().size(); ++r) {
            const sim::Region& region = trace->regions()[r];
            if (region.origin != sim::RegionOrigin::declared || region.size / shape.row() > 4000) continue;
            for (std::uint64_t i = 0; i < region.size; i += std::min<std::uint64_t>(shape.cell, 64)) {
                ASSERT_TRUE(cells.placeOf(sim::ByteAddress{region.base.value + i})) << "seed " << seed;
            }
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

/// The first group of a region has its title; those after it follow.
TEST(MemoryCells, OfARegionHaveOneTitle) {
    for (std::uint64_t seed = 0; seed < testRounds(200); ++seed) {
        const auto trace = test::randomMemory(seed);
        MemoryShape shape = test::randomShape(seed);
        shape.groups = MemoryGroups::regions;
        const MemoryCells cells(*trace, shape);
        for (std::uint32_t g = 0; g < cells.groups().groups.size(); ++g) {
            const CellGroup& group = cells.groups().groups[g];
            const bool isFirst = g == 0 || cells.regionOf(g - 1) != cells.regionOf(g);
            EXPECT_EQ(!group.title.empty(), isFirst) << "seed " << seed;
            EXPECT_EQ(group.follows, !isFirst) << "seed " << seed;
            if (isFirst) {
                EXPECT_EQ(group.name, trace->regions()[cells.regionOf(g)].name);
            }
        }
    }
}

/// Globals of a few bytes have a title together, a table one of its own.
TEST(MemoryCells, OfSmallRegionsAreGathered) {
    sim::TraceBuilder builder("globals");
    std::uint64_t base = 0x1000;
    const auto add = [&](const std::string& name, std::uint64_t size) {
        sim::Region region;
        region.name = name;
        region.base = sim::ByteAddress{base};
        region.size = size;
        builder.addRegion(region);
        base += (size + 127) / 64 * 64;
    };
    for (const char* const name : {"a", "b", "c", "stack of main"}) add(name, 100);
    add("table", 4096);
    for (const char* const name : {"x", "y"}) add(name, 8);
    const sim::Trace trace = builder.finish();
    const auto titlesOf = [&](std::uint32_t gathered) {
        const MemoryCells cells(trace, {.columns = 16, .gathered = gathered});
        std::vector<std::string> titles;
        for (const CellGroup& g : cells.groups().groups) titles.push_back(g.title);
        return titles;
    };
    EXPECT_EQ(titlesOf(0)[3], "stack of main  100 bytes");
    EXPECT_EQ(titlesOf(4),
              (std::vector<std::string>{"4 stacks and globals", "", "", "", "table  4K", "x  8 bytes", "y  8 bytes"}))
        << "two keep their names";
}

TEST(MemoryCells, InPiecesAreAlignedPieces) {
    for (std::uint64_t seed = 0; seed < testRounds(200); ++seed) {
        MemoryShape shape = test::randomShape(seed);
        shape.groups = MemoryGroups::pieces;
        const MemoryCells cells(*test::randomMemory(seed), shape);
        for (std::uint32_t g = 0; g < cells.groups().groups.size(); ++g) {
            EXPECT_EQ(cells.firstOf(g).value % shape.piece, 0u);
            EXPECT_EQ(cells.lastOf(g).value - cells.firstOf(g).value, shape.piece - 1);
        }
    }
}

TEST(MemoryCells, OfNothingAreNone) {
    const sim::Trace nothing = sim::TraceBuilder("nothing").finish();
    for (int g = 0; g < 3; ++g) {
        const MemoryCells cells(nothing, {.groups = static_cast<MemoryGroups>(g)});
        EXPECT_TRUE(cells.groups().groups.empty());
        EXPECT_EQ(cells.placeOf(sim::ByteAddress{0}), std::nullopt);
        EXPECT_EQ(cells.addressAt({0, 0, 0}), std::nullopt);
    }
}

TEST(Hilbert, IsACurveThroughTheWholeSquare) {
    for (std::uint32_t n = 1; n <= 128; n *= 2) {
        std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
        HilbertPoint last;
        for (std::uint64_t i = 0; i < std::uint64_t{n} * n; ++i) {
            const HilbertPoint p = hilbertPoint(n, i);
            ASSERT_LT(p.x, n);
            ASSERT_LT(p.y, n);
            ASSERT_TRUE(seen.insert({p.x, p.y}).second);
            ASSERT_EQ(hilbertIndex(n, p.x, p.y), i);
            if (i > 0) {
                const int dx = std::abs(static_cast<int>(p.x) - static_cast<int>(last.x));
                const int dy = std::abs(static_cast<int>(p.y) - static_cast<int>(last.y));
                ASSERT_EQ(dx + dy, 1) << n << ", " << i;
            }
            last = p;
        }
    }
}

}  // namespace
}  // namespace whorl::scene
