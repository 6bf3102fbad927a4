// Which signs the key lists.
#include <gtest/gtest.h>

#include <algorithm>

#include "render/scene/palette.h"
#include "scene/rings/stage.h"
#include "sim/report/sentence.h"

namespace whorl::scene {
namespace {

TEST(Key, ListsOnlyWhatIsSeenWhereTimeStands) {
    TestStage stage("matmul:n=64", "desktop");
    View view;
    EXPECT_FALSE(stage.at(300000.4, view).legend.empty) << "L1 is full, and L2 has no glyphs for places";
    EXPECT_TRUE(stage.at(100.4, view).legend.empty);
    EXPECT_TRUE(stage.at(300000.4, view).legend.idle) << "nothing asks L3";

    TestStage small("matmul:n=8", "paper");
    const Rgba red = paletteFor(Ground::dark).flash;
    for (double t = 300.05; t < 400; t += 0.37) {
        const Scene& scene = small.at(t, view);
        int brightest = 0;
        for (const Glyph& g : scene.moving) {
            const bool isFlash = g.fill.a == 0 && g.rim.r == red.r && g.rim.g == red.g && g.rim.b == red.b;
            if (isFlash) brightest = std::max(brightest, int{g.rim.a});
        }
        EXPECT_TRUE(scene.legend.miss || brightest < 60) << t;
        EXPECT_TRUE(!scene.legend.miss || brightest > 30) << t;
    }
}

TEST(Key, OfTheStageTellsOfWhatHappensNow) {
    TestStage stage("matmul:n=16", "paper");
    View view;
    view.stage = true;
    std::size_t misses = 0;
    for (double t = 3900; t < 3950; ++t) {
        const bool hits = sim::servedBy(*stage.snapshot(t, view).current(), stage.machine()) == 0;
        const Legend& legend = stage.at(t, view).legend;
        EXPECT_EQ(legend.inward, !hits) << t;
        misses += hits ? 0 : 1;
    }
    EXPECT_GT(misses, 10u);
    view.pace = 4;
    for (double t = 3900; t < 3950; ++t) EXPECT_TRUE(stage.at(t, view).legend.inward) << "it would come and go";
}

TEST(Key, DoesNotChangeWhileTimeFlows) {
    TestStage stage("matmul:n=16", "paper");
    View view;
    view.pace = 30;
    const Legend first = stage.at(2000, view).legend;
    for (double t = 2000; t < 2100; t += 0.5) EXPECT_EQ(stage.at(t, view).legend, first) << t;
}

}  // namespace
}  // namespace whorl::scene
