// Histories drawn as views in space.
#include "app/views/space/histories.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/tasks/figures.h"
#include "sim/replay/measures.h"
#include "support/scene_texts.h"
#include "support/sessions.h"
#include "support/sharing_trace.h"
#include "support/view_names.h"

namespace whorl::app {
namespace {

constexpr glm::ivec2 kSize{800, 600};

/// The whole trace, and only its beginning.
struct HistoryViewsTest : testing::Test {
    Session session = sharingSession();
    std::shared_ptr<const sim::Trace> trace = session.opened.run->sharedTrace();
    std::shared_ptr<const sim::History> histories[2] = {historyIn(session, 0, 7), historyIn(session, 0, 3)};
    HistoryViews whole{trace, histories[0]};
    HistoryViews part{trace, histories[1]};
};

scene::Rgba hueOf(const HistoryViews& historyViews, const ViewSettings& viewSettings, const std::string& name) {
    const auto& classes = historyViews.history().classes;
    const auto k = std::find_if(classes.begin(), classes.end(), [&](const auto& c) { return c.name == name; });
    EXPECT_NE(k, classes.end()) << name;
    return historyViews.shown()
        .hues(viewSettings, scene::Ground::dark)
        .at(static_cast<std::size_t>(k - classes.begin()));
}

TEST_F(HistoryViewsTest, ColourClassesByTheirNamesOrAsAPersonSaid) {
    ViewSettings viewSettings;
    const HistoryViews later{trace, historyIn(session, 5, 7)};
    ASSERT_EQ(histories[1]->classes.size(), 1u);
    ASSERT_EQ(later.history().classes.size(), 1u);
    EXPECT_EQ(hueOf(part, viewSettings, "Half"), hueOf(whole, viewSettings, "Half"));
    EXPECT_EQ(hueOf(later, viewSettings, "Row"), hueOf(whole, viewSettings, "Row"));
    EXPECT_FALSE(hueOf(whole, viewSettings, "Half") == hueOf(whole, viewSettings, "Row"));
    const scene::Rgba row = hueOf(whole, viewSettings, "Row");
    viewSettings.hues["Half"] = scene::hex(0x123456);
    EXPECT_EQ(hueOf(whole, viewSettings, "Half"), scene::hex(0x123456));
    const auto onLight = whole.shown().hues(viewSettings, scene::Ground::light);
    EXPECT_EQ(std::count(onLight.begin(), onLight.end(), scene::hex(0x123456)), 1);
    EXPECT_EQ(hueOf(whole, viewSettings, "Row"), row);
}

TEST_F(HistoryViewsTest, SideBySideAreSeenFromOnePlaceAndOnOneScale) {
    session.viewSettings.words = false;
    whole.compareWith({histories[1]});
    part.compareWith({histories[0]});
    const auto highest = [&](HistoryViews& historyViews) {
        const auto& heights = historyViews.of(kObjects).scene({kObjects, session, kSize, 1}).surface.heights;
        return *std::max_element(heights.begin(), heights.end());
    };
    const auto peak = [](const sim::History& history) {
        sim::Cycles most = 0;
        for (const sim::CostNode& n : history.objects) most = std::max(most, n.waited(history.lookUp));
        return static_cast<float>(most);
    };
    ASSERT_LT(peak(*histories[1]), peak(*histories[0]));
    EXPECT_NEAR(highest(part) / highest(whole), peak(*histories[1]) / peak(*histories[0]), 1e-5);
    EXPECT_EQ(whole.of(kObjects).cameraOf({kObjects, session, kSize, 1}),
              part.of(kObjects).cameraOf({kObjects, session, kSize, 1}));
}

TEST_F(HistoryViewsTest, TellWhichPartOfTheTraceTheyShow) {
    const auto title = [&](HistoryViews& views, const ViewId& view) {
        return views.of(view).scene({view, session, kSize, 1}).labels.front().text;
    };
    constexpr ViewId kSources{ViewId::Kind::sources};
    session.viewSettings.words = false;
    EXPECT_EQ(title(whole, kSources), "SourceView");
    const auto says = [&](HistoryViews& views, const ViewId& view, const char* words) {
        return hasLabel(views.of(view).scene({view, session, kSize, 1}), words);
    };
    EXPECT_TRUE(says(whole, kSources, "height: stall cycles of a line, whole run"));
    EXPECT_TRUE(says(whole, kObjects, "height: stall cycles of an object, whole run"));
    EXPECT_TRUE(says(part, kSources, "height: stall cycles of a line, accesses 0 – 3 (3)"));
    EXPECT_TRUE(says(part, kObjects, "height: stall cycles of an object, accesses 0 – 3 (3)"));
}

/// The height, and the colours, are of what is chosen, by name and unit; what is shown of the peak is the largest
/// number.
TEST_F(HistoryViewsTest, ShowTheCountsThatAreChosen) {
    const sim::History& history = *histories[0];
    session.viewSettings.sources.heightBy = {NodeMetric::misses, 0};
    session.viewSettings.sources.colourBy = {NodeMetric::accesses, 0};
    const scene::SpaceScene& scene = whole.of(kSources).scene({kSources, session, kSize, 1});
    const std::string level = history.levels[0].name;
    EXPECT_TRUE(hasLabel(scene, "height: misses in " + level + " of a line, whole run"));
    EXPECT_TRUE(hasLabel(scene, "colour: accesses, 0"));
    std::size_t highest = 0;
    for (std::size_t i = 0; i < scene.surface.heights.size(); ++i) {
        if (scene.surface.heights[i] > scene.surface.heights[highest]) highest = i;
    }
    std::uint32_t most = 0;
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < history.sources.size(); ++i) {
        most = std::max(most, history.sourceCounts.of(sim::NodeCount::misses, 0, i));
        sum += history.sourceCounts.of(sim::NodeCount::misses, 0, i);
    }
    ASSERT_GT(most, 0u);
    EXPECT_EQ(history.sourceCounts.of(sim::NodeCount::misses, 0, scene.surface.nodes[highest]), most);
    EXPECT_EQ(sum, sim::measuresOf(session.opened.run->stateAt(sim::Tick{7}), false).counters.level(0).misses());
}

TEST_F(HistoryViewsTest, SideBySideHaveTheirOwnScalesIfWanted) {
    session.viewSettings.words = false;
    whole.compareWith({histories[1]});
    part.compareWith({histories[0]});
    session.viewSettings.commonScale = false;
    const auto highest = [&](HistoryViews& historyViews) {
        const auto& heights = historyViews.of(kObjects).scene({kObjects, session, kSize, 1}).surface.heights;
        return *std::max_element(heights.begin(), heights.end());
    };
    EXPECT_FLOAT_EQ(highest(part), highest(whole));
    EXPECT_TRUE(hasLabel(part.of(kObjects).scene({kObjects, session, kSize, 1}),
                         "height: stall cycles of an object, a scale for each run, accesses 0 – 3 (3)"));
    session.viewSettings.commonScale = true;
    EXPECT_LT(highest(part), highest(whole));
}

/// Where nothing goes with what is picked, all is dim: it says of what.
TEST_F(HistoryViewsTest, TellWhatIsLitAlsoWhereThatIsNothing) {
    const auto says = [&](const std::string& words) {
        return hasLabel(part.of(ViewId{ViewId::Kind::blocks}).scene({ViewId{ViewId::Kind::blocks}, session, kSize, 1}),
                        words);
    };
    session.viewSettings.source = SourcePick{1};
    EXPECT_TRUE(says("highlighted: the blocks that a.c:1 accessed"));
    session.viewSettings.source = SourcePick{4};  // later
    EXPECT_TRUE(says("highlighted: the blocks that b.c:4 accessed: none"));
}

/// What is set in views of cells, over time and of collisions does not matter here.
TEST_F(HistoryViewsTest, AreNotMadeAgainForSettingsOfOtherViews) {
    for (const ViewId& view : {kObjects, ViewId{ViewId::Kind::sources}, ViewId{ViewId::Kind::blocks, 0}}) {
        session.viewSettings = {};
        session.viewSettings.shown = {view};
        const auto picture = [&] { return whole.of(view).scene({view, session, kSize, 1}).labels.data(); };
        const scene::Label* const before = picture();
        ASSERT_NE(before, nullptr);
        session.viewSettings.cells[ViewId{ViewId::Kind::memory}].logarithmic = true;
        session.viewSettings.histories[ViewId{ViewId::Kind::history}].range = sim::Range{sim::Tick{0}, sim::Tick{2}};
        session.viewSettings.phases.rowLength = 3;
        session.viewSettings.collisionLevel = 1;
        session.viewSettings.collisionsOf = sim::CollisionsOf::className;
        session.viewSettings.place = sim::Place{.from = sim::ByteAddress{0x3020}, .bytes = 32};
        session.viewSettings.shown.push_back(ViewId{ViewId::Kind::memory});
        EXPECT_EQ(picture(), before) << wordOf(view);
        session.viewSettings.perspective = 0.9f;
        EXPECT_NE(picture(), before) << wordOf(view) << ": from elsewhere, it is another picture";
    }
}

/// What is seen and selected of the time is the same in all pictures over time; costs are not over time.
TEST_F(HistoryViewsTest, BlockViewsShowTheCyclesOfWhatIsSeen) {
    constexpr ViewId kBlocks{ViewId::Kind::blocks};
    const auto picture = [&](const ViewId& view) { return whole.of(view).scene({view, session, kSize, 1}); };
    const scene::SpaceScene objects = picture(kObjects);
    const scene::SpaceScene all = picture(kBlocks);
    const scene::SpaceCamera camera = whole.of(kBlocks).cameraOf({kBlocks, session, kSize, 1});
    session.seen = scene::TimeSpan{1, 4};
    const scene::SpaceScene zoomed = picture(kBlocks);
    EXPECT_FALSE(samePicture(zoomed, all));
    EXPECT_TRUE(samePicture(picture(kObjects), objects));
    EXPECT_EQ(whole.of(kBlocks).cameraOf({kBlocks, session, kSize, 1}), camera) << "the box stays where it is";
    const double middle = whole.blocks().timeAt({kBlocks, session, kSize, 1}, glm::vec2(kSize) / 2.0f);
    EXPECT_GT(middle, histories[0]->cyclesAt(1));
    EXPECT_LT(middle, histories[0]->cyclesAt(4));
    session.range = sim::Range{sim::Tick{2}, sim::Tick{3}};
    EXPECT_FALSE(samePicture(picture(kBlocks), zoomed));
    EXPECT_TRUE(samePicture(picture(kObjects), objects)) << "until there is the history of the range";
}

/// In a long trace not every block has a row; wherever it is zoomed to, those do that are in the cache there.
TEST(LongHistoryViews, ShowStaysAtAnyTime) {
    constexpr ViewId kBlocks{ViewId::Kind::blocks};
    Session s = sessionFor({.input = "matmul:n=48", .machine = "128/1/16"});
    ASSERT_TRUE(s.opened.run->complete());
    sim::Progress progress;
    HistoryViews views(s.opened.run->sharedTrace(), historyFor(*s.opened.run, {}, progress));
    ASSERT_GT(views.history().levels[0].stays.size(), scene::BlockView::kMaxStays);
    const scene::SpaceCamera camera = views.of(kBlocks).cameraOf({kBlocks, s, kSize, 1});
    const auto size = static_cast<double>(s.opened.run->trace().size());
    for (const double share : {0.1, 0.35, 0.5, 0.77}) {
        s.seen = scene::TimeSpan{std::floor(share * size), std::floor(share * size) + 8};
        EXPECT_FALSE(views.of(kBlocks).scene({kBlocks, s, kSize, 1}).faces.empty()) << share;
        EXPECT_EQ(views.of(kBlocks).cameraOf({kBlocks, s, kSize, 1}), camera) << share;
    }
}

}  // namespace
}  // namespace whorl::app
