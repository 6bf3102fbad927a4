// How cells flow in the picture: laws on random groups.
#include "render/scene/cells/cell_flow.h"

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
            group.follows = g > 0 && dice() % 2 == 0;
            group.cells = std::uint64_t{group.rows} * groups.columns;
            groups.groups.push_back(group);
        }
        for (std::uint64_t i = dice() % 24; i > 0; --i) scale = scale.smaller();
        for (std::uint64_t i = dice() % 12; i > 0; --i) scale = scale.larger();
        look.room = {static_cast<int>(dice() % 500), static_cast<int>(dice() % 400)};
        look.stack = dice() % 3 == 0 ? 1 + static_cast<int>(dice() % 3) : 0;
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
            boxes.push_back({{run.at.x, run.titleY}, {run.at.x + flow.rowWidth(), run.titleY + f.look.title}});
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
            const CellPlace place{group, static_cast<std::uint32_t>(dice() % f.groups.groups[group].rows),
                                  static_cast<std::uint32_t>(dice() % f.groups.columns)};
            const auto box = flow.boxOf(place);
            ASSERT_EQ(box.has_value(), f.shows(group));
            if (!box) continue;
            ASSERT_EQ(box->width(), f.scale.pixels);
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

bool fits(const Flowing& f, CellScale scale, int stack) {
    FlowLook look = f.look;
    look.stack = stack;
    const glm::ivec2 size = CellFlow(f.groups, {}, scale, look).size();
    return size.x <= look.room.x && size.y <= look.room.y;
}

TEST(CellFit, FitsAndTheNextLargerDoesNot) {
    int whole = 0;
    int folded = 0;
    for (std::uint64_t seed = 0; seed < testRounds(1000); ++seed) {
        Flowing f(seed);
        constexpr int kMax = 24;
        const CellFit fit = fitOf(f.groups, f.look, kMax);
        whole += fit.stack > 0 ? 1 : 0;
        folded += fit.scale.fold > 0 ? 1 : 0;
        const bool isSmallest = fit.scale.smaller() == fit.scale;
        EXPECT_TRUE(fits(f, fit.scale, fit.stack) || isSmallest) << "seed " << seed;
        EXPECT_LE(fit.scale.pixels, kMax);
        if (fit.scale.pixels < kMax) {
            const CellScale next = fit.scale.fold > 0 ? fit.scale.larger() : CellScale{fit.scale.pixels + 1, 0};
            EXPECT_FALSE(fits(f, next, fit.stack)) << "seed " << seed;
        }
        // Where no group is cut, that costs little.
        if (fit.stack > 0) {
            CellScale cut{kMax, 0};
            while (!fits(f, cut, 0) && cut.smaller() != cut) cut = cut.smaller();
            EXPECT_GE(3 * fit.scale.size(), 2 * cut.size()) << "seed " << seed;
        }
    }
    EXPECT_GT(whole, 0);
    EXPECT_GT(folded, 0);
}

/// The ways of a small cache, in a broad picture.
TEST(CellFit, FillsThePicture) {
    for (const std::uint32_t ways : {2u, 4u, 8u, 16u}) {
        CellGroups groups;
        groups.columns = 2;
        for (std::uint32_t way = 0; way < ways; ++way) groups.groups.push_back({.title = "way", .rows = 2, .cells = 4});
        const FlowLook look{.room = {1870, 760}, .title = 48, .gap = 15, .gutter = 36};
        const CellFit fit = fitOf(groups, look, CellScale::kMaxPixels);
        const CellFlow flow(groups, {}, fit.scale,
                            {.room = look.room, .title = 48, .gap = 15, .gutter = 36, .stack = fit.stack});
        const double filled = 4.0 * ways * fit.scale.pixels * fit.scale.pixels / (1870.0 * 760);
        EXPECT_GE(filled, 0.3) << ways << " ways of " << fit.scale.pixels;
        EXPECT_EQ(flow.runs().size(), ways) << "none is cut";
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
