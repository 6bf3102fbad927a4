// A tooltip lies inside of the screen, and covers what it is about only where there is no other way.
#include "app/panels/labels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/rounds.h"

namespace whorl::app {
namespace {

TEST(PlaceBeside, CoversNothingWhereThereIsRoom) {
    std::mt19937 dice(1);
    const auto below = [&](int end) { return static_cast<int>(dice() % static_cast<unsigned>(std::max(1, end))); };
    std::uint64_t covered = 0;
    for (std::uint64_t i = 0; i < testRounds(20000); ++i) {
        const glm::ivec2 screen(200 + below(1800), 200 + below(1000));
        const glm::ivec2 low(below(screen.x), below(screen.y));
        const scene::PixelBox lit{low, low + glm::ivec2(1 + below(screen.x - low.x), 1 + below(screen.y - low.y))};
        const glm::ivec2 size(10 + below(screen.x - 10), 10 + below(screen.y - 10));
        const int gap = below(12);
        const glm::ivec2 at = placeBeside(lit, size, screen, gap);
        const scene::PixelBox tip{at, at + size};
        EXPECT_TRUE(at.x >= 0 && at.y >= 0 && tip.high.x <= screen.x && tip.high.y <= screen.y);
        const glm::ivec2 free = screen - size - gap;
        const bool hasRoom =
            lit.low.x - gap >= size.x || lit.high.x <= free.x || lit.low.y - gap >= size.y || lit.high.y <= free.y;
        EXPECT_TRUE(!hasRoom || scene::commonOf(tip, lit).isEmpty());
        covered += hasRoom ? 0 : 1;
    }
    EXPECT_GT(covered, 0u);
}

TEST(PlaceBeside, PrefersTheRight) {
    const scene::PixelBox lit{{100, 100}, {120, 110}};
    EXPECT_EQ(placeBeside(lit, {50, 40}, {400, 300}, 5), glm::ivec2(125, 100));
    EXPECT_EQ(placeBeside(lit, {50, 40}, {160, 300}, 5), glm::ivec2(45, 100));
    EXPECT_EQ(placeBeside(lit, {110, 40}, {160, 300}, 5), glm::ivec2(50, 115));
    EXPECT_EQ(placeBeside(lit, {110, 40}, {160, 120}, 5), glm::ivec2(50, 55));
}

}  // namespace
}  // namespace whorl::app
