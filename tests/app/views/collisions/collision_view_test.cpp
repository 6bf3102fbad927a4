// The picture of collisions in a session: of the level and the things that are chosen, with the chosen pair.
#include "app/views/collisions/collision_view.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/commands/selection_commands.h"
#include "app/session/settings.h"
#include "render/scene/palette.h"
#include "sim/analysis/history_help.h"
#include "sim/trace/trace_help.h"
#include "support/runs.h"
#include "support/scene_texts.h"
#include "support/sharing_trace.h"

namespace whorl::app {
namespace {

constexpr glm::ivec2 kSize(480, 320);

/// A direct-mapped L1 of two blocks before a large L2. In L1, accesses to B evict A at ticks 1, 3 and 6, an access to A
/// evicts B at tick 2.
class CollisionViewByHand : public testing::Test {
  protected:
    CollisionViewByHand() {
        sim::TraceBuilder b("hand");
        b.addRegion(sim::test::region("unused", 0x500, 64));
        b.addRegion(sim::test::region("A", 0x1000, 64));
        b.addRegion(sim::test::region("B", 0x2000, 64));
        for (const std::uint64_t a : {0x1000, 0x2000, 0x1000, 0x2000, 0x1020, 0x2000, 0x2020}) {
            b.add(sim::test::access(sim::Op::read, a, 4));
        }
        const auto run = sim::test::built(b, sim::parseGeometry("64/1/32, 1K/2/32").value());
        session_.opened.run = run;
        session_.panels = false;
        view_.emplace(run->sharedTrace(), sim::test::historyOfAll(*run));
    }

    const CollisionView::Picture& picture() { return view_->picture(session_, kSize, 1); }
    /// The pair in a row and column.
    const sim::Collision& pairAt(std::size_t row, std::size_t column) {
        return *picture().frame.pairs.at(row * picture().frame.columns.size() + column);
    }

    Session session_;
    std::optional<CollisionView> view_;
};

TEST_F(CollisionViewByHand, DescribesItsPairs) {
    EXPECT_EQ(
        view_->describe(session_, pairAt(0, 0)),
        (std::vector<std::string>{"B evicts A", "3 times in L1, first at access 1", "click to go to the next one"}));
    EXPECT_EQ(view_->describe(session_, pairAt(1, 1))[1], "1 time in L1, first at access 2");
}

TEST_F(CollisionViewByHand, GoesFromOneMomentToTheNext) {
    const sim::Collision& pair = pairAt(0, 0);
    EXPECT_EQ(nextCollision(pair, 0), sim::Tick{1});
    EXPECT_EQ(nextCollision(pair, 1), sim::Tick{1});
    EXPECT_EQ(nextCollision(pair, 1.5), sim::Tick{3});
    EXPECT_EQ(nextCollision(pair, 2), sim::Tick{3}) << "after a click on the first one";
    EXPECT_EQ(nextCollision(pair, 4), sim::Tick{6});
    EXPECT_EQ(nextCollision(pair, 7), sim::Tick{1}) << "around the end";
}

TEST_F(CollisionViewByHand, OutlinesThePairOfRegionsThatIsPicked) {
    const scene::Raster before = picture().scene.raster;
    const auto regions = view_->regionsOf(session_, pairAt(1, 1));
    ASSERT_EQ(regions, (RegionPair{1, 2})) << "as in Trace::regions()";
    command::apply(session_, command::PickPair{regions->evictor, regions->victim});
    const glm::ivec2 corner = picture().frame.boxOf(1, 1).low - 1;
    const scene::Rgba mark = scene::paletteFor(session_.ground).mark;
    EXPECT_NE(before.at(corner), mark);
    EXPECT_EQ(picture().scene.raster.at(corner), mark);
    changeOf("collisions-of", sim::CollisionsOf::className).applyTo(session_);
    EXPECT_EQ(view_->regionsOf(session_, pairAt(1, 1)), std::nullopt);
    EXPECT_NE(picture().scene.raster.at(corner), mark) << "classes are not regions";
    changeOf("collisions-of", sim::CollisionsOf::region).applyTo(session_);
    session_.pair = RegionPair{0, 2};
    EXPECT_EQ(picture().scene.raster, before) << "nothing collides with it";
}

TEST_F(CollisionViewByHand, IsOfTheChosenLevel) {
    EXPECT_EQ(picture().frame.total, 4u);
    changeOf("collisions-level", 1).applyTo(session_);
    EXPECT_EQ(picture().frame.total, 0u);
    EXPECT_EQ(picture().scene.labels.at(0).text, "Collisions in L2: 0 evictions, whole run");
    changeOf("collisions-level", 7).applyTo(session_);
    EXPECT_EQ(picture().scene.labels.at(0).text, "Collisions in L2: 0 evictions, whole run") << "there are only two";
}

TEST_F(CollisionViewByHand, IsOfWhatIsPicked) {
    changeOf("collisions-picked", true).applyTo(session_);
    const auto says = [&](const std::string& words) { return scene::says(picture().scene, words); };
    EXPECT_TRUE(says("Pick a region, an object or a block"));
    session_.region = 1;
    EXPECT_TRUE(says("A evicted by 1 region"));
    EXPECT_TRUE(says("A evicts 1 region"));
    session_.selected = blockAt(sim::ByteAddress{0x2020});
    EXPECT_TRUE(says("Collisions of B in L1")) << "the block that is selected goes before the region in the list";
    session_.viewSettings.object = ObjectPick{sim::CostNode::Kind::word, 0, sim::ByteAddress{0x1000}};
    EXPECT_TRUE(says("Collisions of A in L1"));
    session_.viewSettings.object = ObjectPick{sim::CostNode::Kind::word, 0, sim::ByteAddress{0x500}};
    EXPECT_TRUE(says("unused takes part in no collision."));
    session_.viewSettings.object = ObjectPick{sim::CostNode::Kind::object, 1u << 31, sim::ByteAddress{0x500}};
    EXPECT_TRUE(says("Collisions of A in L1")) << "the trace has no such object, but the region";
    changeOf("collisions-picked", false).applyTo(session_);
    EXPECT_TRUE(says("Collisions in L1: 4 evictions"));
}

TEST_F(CollisionViewByHand, IsMadeAgainOnlyWhenItChanges) {
    const scene::Rgba* const before = picture().scene.raster.pixels().data();
    session_.player.seek(3, session_.end());
    session_.viewSettings.phases.level = 1;
    EXPECT_EQ(picture().scene.raster.pixels().data(), before);
    session_.ground = scene::Ground::light;
    EXPECT_NE(picture().scene.raster.pixels().data(), before);
}

}  // namespace
}  // namespace whorl::app
