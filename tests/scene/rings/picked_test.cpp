// What is picked stands out in the rings: the blocks of an object, the pathlines of a source line.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "scene/rings/stage.h"
#include "sim/trace/trace.h"

namespace whorl::scene {
namespace {

TEST(PickedBytes, TouchABlockThatSharesAByte) {
    const PickedBytes picked{sim::ByteAddress{100}, 20};
    const auto touches = [&](std::uint64_t base, std::uint64_t size) {
        return picked.touches(sim::ByteAddress{base}, size);
    };
    EXPECT_TRUE(touches(64, 64));
    EXPECT_TRUE(touches(112, 4));
    EXPECT_TRUE(touches(119, 1));
    EXPECT_FALSE(touches(120, 8));
    EXPECT_FALSE(touches(92, 8));
    EXPECT_TRUE(touches(92, 9));
    EXPECT_FALSE(touches(0, 64));
}

TEST(Picked, BlocksOfOtherMemoryAreFaint) {
    TestStage stage("matmul:n=12", "paper");
    const sim::Region& region = stage.subject().trace.regions().at(1);
    View plain;
    View view;
    view.picked = PickedBytes{region.base, region.size};
    const double t = std::floor(stage.end() / 2);
    const Scene before = stage.at(t, plain);
    const Scene& after = stage.at(t, view);
    ASSERT_EQ(before.resting.size(), after.resting.size());
    int bright = 0;
    int faint = 0;
    for (std::size_t i = 0; i < after.resting.size(); ++i) {
        const Target& target = after.restingTargets[i];
        const bool isBlock = target.kind == Target::Kind::line || target.kind == Target::Kind::slot;
        if (!isBlock || before.resting[i].fill.a == 0) continue;
        const bool isPicked = target.address.value - region.base.value < region.size;
        ++(isPicked ? bright : faint);
        const double share = isPicked ? 1 : 0.25;
        EXPECT_NEAR(after.resting[i].fill.a, share * before.resting[i].fill.a, 1.01) << i;
    }
    EXPECT_GT(bright, 20);
    EXPECT_GT(faint, 40);
}

TEST(Picked, OnlyThePathlinesOfALineAreDrawn) {
    TestStage stage("matmul:n=12", "paper");
    View view;
    view.trails = 64;
    const double t = std::floor(stage.end() / 2);
    const auto ticks = [&] {
        std::set<std::uint64_t> out;
        for (const Target& target : stage.at(t, view).trailTargets) {
            if (target.kind == Target::Kind::trail) out.insert(target.tick.value);
        }
        return out;
    };
    const auto& sites = stage.subject().trace.sites();
    const auto isOfSite = [&](std::uint64_t tick, std::size_t site) {
        const sim::Site& made = sites.at(sim::TraceCursor(stage.subject().trace).at(sim::Tick{tick}).site.value);
        return made.file == sites[site].file && made.line == sites[site].line;
    };
    const std::set<std::uint64_t> all = ticks();
    std::set<std::uint64_t> together;
    for (std::size_t site = 1; site < sites.size(); ++site) {
        view.site = sim::SiteId{static_cast<std::uint32_t>(site)};
        for (const std::uint64_t tick : ticks()) {
            EXPECT_TRUE(isOfSite(tick, site)) << tick;
            together.insert(tick);
        }
    }
    EXPECT_GT(all.size(), 2u);
    // A way that is taken again has one trail: for a line alone, that of its own last time.
    EXPECT_TRUE(std::includes(together.begin(), together.end(), all.begin(), all.end()));
}

}  // namespace
}  // namespace whorl::scene
