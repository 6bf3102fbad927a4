// How cells flow in the picture: laws on random groups.
#include "render/scene/cells/cell_flow.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "support/rounds.h"

namespace whorl::scene {
namespace {

struct Flowing {
    explicit Flowing(std::uint64_t seed) {
        std::mt19937_64 dice(seed);
        groups.columns = 1u << dice() % 7;
        const auto count = dice() % 9;
        for (std::uint64_t g = 0; g < count; ++g) {
            CellGroup group;
            group.rows = 1 + static_cast<std::uint32_t>(dice() % (dice() % 4 == 0 ? 300 : 12));
            if (dice() % 3 != 0) group.title = "group";
            group.isGathered = dice() % 3 == 0;
            group.isAfterGap = dice() % 3 == 0;
            if (dice() % 2 == 0) group.rows = 1;
            if (group.rows == 1) group.firstCell = dice() % groups.columns;
            group.cells = std::uint64_t{group.rows} * groups.columns - group.firstCell;
            if (group.rows == 1) group.cells = 1 + dice() % group.cells;
            groups.groups.push_back(group);
        }
        for (std::uint64_t i = dice() % 24; i > 0; --i) scale = scale.smaller();
        for (std::uint64_t i = dice() % 12; i > 0; --i) scale = scale.larger();
        look.room = {static_cast<int>(dice() % 500), static_cast<int>(dice() % 400)};
        look.fit = {scale, scale.fold > 0 ? 0 : static_cast<int>(dice() % 40), 1 + static_cast<int>(dice() % 3),
                    static_cast<std::uint32_t>(dice() % 3 * 4)};
        if (dice() % 3 == 0) {
            order.resize(groups.groups.size());
            std::iota(order.begin(), order.end(), 0u);
            std::shuffle(order.begin(), order.end(), dice);
            if (order.size() > 2) order.pop_back();  // one group is not shown
        }
    }
    CellFlow flow() const { return CellFlow(groups, order, scale, look); }
    bool shows(std::uint32_t group) const {
        return order.empty() || std::find(order.begin(), order.end(), group) != order.end();
    }

    CellGroups groups;
    std::vector<std::uint32_t> order;
    CellScale scale;
    FlowLook look;
};

bool lieApart(const PixelBox& a, const PixelBox& b) {
    return commonOf(a, b).isEmpty();
}

TEST(CellFlow, KeepsRunsAndTitlesApartWithinItsSize) {
    for (std::uint64_t seed = 0; seed < testRounds(1500); ++seed) {
        const Flowing f(seed);
        const CellFlow flow = f.flow();
        const PixelBox all{{0, 0}, flow.size()};
        std::vector<PixelBox> boxes;
        for (const CellFlow::Run& run : flow.runs()) {
            boxes.push_back(flow.boxOf(run));
            EXPECT_EQ(run.titleY >= 0, run.firstRow == 0 && !f.groups.groups[run.group].title.empty());
            if (run.titleY < 0) continue;
            const int left = flow.boxOf(run).low.x;
            boxes.push_back({{left, run.titleY}, {left + run.titleWidth, run.titleY + f.look.title}});
            EXPECT_EQ(run.titleY + f.look.title, run.at.y) << "a title is just above its rows";
        }
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            ASSERT_FALSE(boxes[i].isEmpty());
            ASSERT_EQ(commonOf(boxes[i], all), boxes[i]) << "seed " << seed << ": beyond the size";
            for (std::size_t k = 0; k < i; ++k) ASSERT_TRUE(lieApart(boxes[i], boxes[k])) << "seed " << seed;
        }
    }
}

TEST(CellFlow, HasEachRowOfEachGroupOnce) {
    for (std::uint64_t seed = 0; seed < testRounds(1000); ++seed) {
        const Flowing f(seed);
        const CellFlow flow = f.flow();
        std::vector<std::uint32_t> rows(f.groups.groups.size(), 0);
        for (const CellFlow::Run& run : flow.runs()) {
            ASSERT_EQ(run.firstRow, rows[run.group]) << "seed " << seed;
            rows[run.group] += run.rows;
        }
        for (std::uint32_t g = 0; g < rows.size(); ++g) {
            const std::uint32_t cells = f.groups.groups[g].rows;
            const std::uint32_t folded = (cells + (1u << f.scale.fold) - 1) >> f.scale.fold;
            ASSERT_EQ(rows[g], f.shows(g) ? folded : 0) << "seed " << seed;
        }
    }
}

TEST(CellFlow, FindsTheCellOfEachBox) {
    for (std::uint64_t seed = 0; seed < testRounds(400); ++seed) {
        const Flowing f(seed);
        const CellFlow flow = f.flow();
        std::mt19937_64 dice(seed);
        for (int i = 0; i < 50 && !f.groups.groups.empty(); ++i) {
            const auto group = static_cast<std::uint32_t>(dice() % f.groups.groups.size());
            const CellGroup& g = f.groups.groups[group];
            const std::uint64_t cell = g.firstCell + dice() % g.cells;
            const CellPlace place{group, static_cast<std::uint32_t>(cell / f.groups.columns),
                                  static_cast<std::uint32_t>(cell % f.groups.columns)};
            const auto box = flow.boxOf(place);
            ASSERT_EQ(box.has_value(), f.shows(group));
            if (!box) continue;
            ASSERT_EQ(box->width(), f.look.fit.cellAt(f.scale).x);
            ASSERT_EQ(box->height(), f.scale.pixels);
            const CellPlace first{group, place.row >> f.scale.fold << f.scale.fold,
                                  place.column >> f.scale.fold << f.scale.fold};
            ASSERT_EQ(flow.at(box->low), first) << "seed " << seed;
            ASSERT_EQ(flow.at(box->high - 1), first) << "seed " << seed;
            ASSERT_EQ(flow.boxOf(first), box);
        }
    }
}

/// Pixel by pixel: those of runs have a cell, and its box is around them; the others have none.
TEST(CellFlow, FindsNoCellElsewhere) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        const Flowing f(seed);
        const CellFlow flow = f.flow();
        const glm::ivec2 size(std::min(flow.size().x, 160), std::min(flow.size().y, 160));
        for (int y = -2; y < size.y + 2; ++y) {
            for (int x = -2; x < size.x + 2; ++x) {
                const bool inRun = std::any_of(flow.runs().begin(), flow.runs().end(), [&](const CellFlow::Run& run) {
                    return flow.boxOf(run).contains({x, y});
                });
                const auto place = flow.at({x, y});
                ASSERT_EQ(place.has_value(), inRun) << "seed " << seed << " at " << x << ", " << y;
                if (place) {
                    ASSERT_TRUE(flow.boxOf(*place)->contains({x, y}));
                }
            }
        }
    }
}

TEST(CellFlow, CallsForAllRunsThatAreSeen) {
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        const Flowing f(seed);
        const CellFlow flow = f.flow();
        std::mt19937_64 dice(seed);
        const glm::ivec2 low(static_cast<int>(dice() % 300) - 50, static_cast<int>(dice() % 300) - 50);
        const PixelBox part{low,
                            low + glm::ivec2(1 + static_cast<int>(dice() % 200), 1 + static_cast<int>(dice() % 90))};
        std::vector<const CellFlow::Run*> called;
        flow.forEachIn(part, [&](const CellFlow::Run& run) { called.push_back(&run); });
        for (const CellFlow::Run& run : flow.runs()) {
            const bool isSeen = !lieApart(flow.boxOf(run), part);
            if (isSeen) {
                EXPECT_EQ(std::count(called.begin(), called.end(), &run), 1) << "seed " << seed;
            }
        }
    }
}

/// What comes later is farther down, or in the same line farther to the right; in strips of a group too.
TEST(CellFlow, IsReadLikeText) {
    for (std::uint64_t seed = 0; seed < testRounds(1000); ++seed) {
        Flowing f(seed);
        const CellFlow flow = f.flow();
        glm::ivec2 last(-1);
        int bottom = 0;  // of what was read before the last title
        for (const CellFlow::Run& run : flow.runs()) {
            if (run.titleY < 0) continue;
            const int left = flow.boxOf(run).low.x;
            ASSERT_TRUE(run.titleY > last.y ? run.titleY >= bottom : left > last.x) << "seed " << seed;
            if (run.titleY > last.y) bottom = run.titleY;
            last = {left, run.titleY};
        }
    }
}

bool fits(const Flowing& f, const CellFit& fit) {
    FlowLook look = f.look;
    look.fit = fit;
    const glm::ivec2 size = CellFlow(f.groups, {}, fit.scale, look).size();
    return size.x <= look.room.x && size.y <= look.room.y;
}

TEST(CellFit, FitsAndTheNextLargerDoesNot) {
    int cut = 0;
    int folded = 0;
    for (std::uint64_t seed = 0; seed < testRounds(1000); ++seed) {
        Flowing f(seed);
        f.look.fit = {};
        constexpr int kMax = 24;
        constexpr int kWidest = 3;
        const CellFit fit = fitOf(f.groups, f.look, kMax, kWidest);
        cut += fit.cut > 0 ? 1 : 0;
        folded += fit.scale.fold > 0 ? 1 : 0;
        EXPECT_TRUE(fits(f, fit) || fit.scale.smaller() == fit.scale) << "seed " << seed;
        const glm::ivec2 cell = fit.cellAt(fit.scale);
        EXPECT_LE(cell.y, cell.x);
        EXPECT_LE(cell.x, kMax);
        CellFit higher = fit;
        ++higher.scale.pixels;
        if (fit.scale.fold == 0 && cell.y < cell.x) {
            EXPECT_FALSE(fits(f, higher)) << "seed " << seed;
        }
    }
    EXPECT_GT(cut, 0);
    EXPECT_GT(folded, 0);
}

double filled(const CellGroups& groups, const FlowLook& look, const CellFit& fit) {
    FlowLook with = look;
    with.fit = fit;
    const CellFlow flow(groups, {}, fit.scale, with);
    return static_cast<double>(flow.size().x) / look.room.x;
}

/// The ways of a small cache, in a broad picture.
TEST(CellFit, FillsThePicture) {
    for (const std::uint32_t ways : {2u, 4u, 8u, 16u}) {
        CellGroups groups;
        groups.columns = 2;
        for (std::uint32_t way = 0; way < ways; ++way) groups.groups.push_back({.title = "way", .rows = 2, .cells = 4});
        const FlowLook look{.room = {1870, 760}, .title = 48, .gap = 15, .gutter = 36};
        const CellFit fit = fitOf(groups, look, CellScale::kMaxPixels, 2);
        FlowLook with = look;
        with.fit = fit;
        const CellFlow flow(groups, {}, fit.scale, with);
        EXPECT_GE(4 * ways * fit.area() / (1870.0 * 760), 0.3) << ways << " ways of " << fit.scale.pixels;
        EXPECT_EQ(flow.runs().size(), ways) << "none is cut";
    }
}

/// Hundreds of small globals, a few tables, a heap with holes, stacks: what a recorded program has. In any tile, their
/// rows are as wide as it is.
TEST(CellFit, OfARealProgramIsAsWideAsTheTile) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        std::mt19937_64 dice(seed);
        CellGroups groups;
        groups.columns = 64;
        for (std::uint64_t i = 0; i < 40 + dice() % 200; ++i) {
            CellGroup g{.rows = 1, .isGathered = i > 0, .firstCell = dice() % 32, .cells = 1 + dice() % 8};
            if (i == 0) g.title = "200 small regions";
            groups.groups.push_back(g);
        }
        for (std::uint64_t i = 0; i < 1 + dice() % 4; ++i) {
            const auto rows = static_cast<std::uint32_t>(2 + dice() % 30);
            groups.groups.push_back({.title = "table", .rows = rows, .cells = std::uint64_t{rows} * 64});
        }
        for (std::uint64_t i = 0; i < 4 + dice() % 30; ++i) {
            const auto rows = static_cast<std::uint32_t>(3 + dice() % 60);
            groups.groups.push_back({.title = i == 0 ? "heap" : "",
                                     .rows = rows,
                                     .follows = i > 0,
                                     .isAfterGap = i > 0,
                                     .cells = std::uint64_t{rows} * 64});
        }
        for (const glm::ivec2 room :
             {glm::ivec2(1380, 800), glm::ivec2(680, 330), glm::ivec2(1000, 300), glm::ivec2(420, 700)}) {
            const FlowLook look{.room = room, .title = 23, .gap = 7, .gutter = 17, .text = 14};
            const CellFit fit = fitOf(groups, look, CellScale::kMaxPixels, 3);
            const auto where = fmt::format("seed {} in {} x {}", seed, room.x, room.y);
            // Cells are whole pixels wide: of 64 in a row, that is much of a narrow room.
            EXPECT_GE(filled(groups, look, fit), 0.6) << where;
            double cells = 0;
            for (const CellGroup& g : groups.groups) cells += static_cast<double>(g.cells);
            EXPECT_GE(cells * fit.area() / (room.x * room.y), 0.1) << where;
        }
    }
}

/// Larger cells stay where they are, as in the picture that all of them fit into.
TEST(CellFlow, ZoomedIsTheSameArrangement) {
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        Flowing f(seed);
        f.look.fit = fitOf(f.groups, f.look, 24, 3);
        f.order.clear();
        if (f.look.fit.scale.fold > 0) continue;
        const CellFlow all(f.groups, {}, f.look.fit.scale, f.look);
        const CellFlow large(f.groups, {}, {4 * f.look.fit.scale.pixels, 0}, f.look);
        ASSERT_EQ(all.runs().size(), large.runs().size()) << "seed " << seed;
        for (std::size_t r = 0; r < all.runs().size(); ++r) {
            ASSERT_EQ(all.runs()[r].firstRow, large.runs()[r].firstRow) << "seed " << seed;
        }
    }
}

TEST(CellScale, GoesUpAndDownTheSameSteps) {
    CellScale scale{1, CellScale::kMaxFold};
    EXPECT_EQ(scale.smaller(), scale);
    double last = 0;
    int steps = 0;
    while (scale.larger() != scale) {
        EXPECT_GT(scale.size(), last);
        last = scale.size();
        EXPECT_EQ(scale.larger().smaller(), scale);
        scale = scale.larger();
        ++steps;
    }
    EXPECT_EQ(scale, (CellScale{CellScale::kMaxPixels, 0}));
    EXPECT_GT(steps, CellScale::kMaxFold + 10);
}

}  // namespace
}  // namespace whorl::scene
