// Histories as pictures in space.
#include "app/views/space/history_views.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/views/sharing_trace.h"

namespace whorl::app {
namespace {

constexpr ViewId kObjects{ViewId::Kind::objects};
constexpr glm::vec2 kSize{800, 600};

/// All of the trace, and only its beginning.
struct Galleries : testing::Test {
    Session session = sharingSession();
    std::shared_ptr<const sim::Trace> trace = session.opened.run->sharedTrace();
    std::shared_ptr<const sim::History> histories[2] = {historyIn(session, 0, 7), historyIn(session, 0, 3)};
    Gallery whole{trace, histories[0]};
    Gallery part{trace, histories[1]};
};

scene::Rgba hueOf(const Gallery& gallery, const Workbench& bench, const std::string& name) {
    const auto& classes = gallery.history().classes;
    const auto k = std::find_if(classes.begin(), classes.end(), [&](const auto& c) { return c.name == name; });
    EXPECT_NE(k, classes.end()) << name;
    return gallery.hues(bench, scene::Ground::dark).at(static_cast<std::size_t>(k - classes.begin()));
}

TEST_F(Galleries, ColourClassesByTheirNamesOrAsAPersonSaid) {
    Workbench bench;
    const Gallery later{trace, historyIn(session, 5, 7)};
    ASSERT_EQ(histories[1]->classes.size(), 1u);
    ASSERT_EQ(later.history().classes.size(), 1u);
    EXPECT_EQ(hueOf(part, bench, "Half"), hueOf(whole, bench, "Half"));
    EXPECT_EQ(hueOf(later, bench, "Row"), hueOf(whole, bench, "Row"));
    EXPECT_FALSE(hueOf(whole, bench, "Half") == hueOf(whole, bench, "Row"));
    const scene::Rgba row = hueOf(whole, bench, "Row");
    bench.hues["Half"] = scene::hex(0x123456);
    EXPECT_EQ(hueOf(whole, bench, "Half"), scene::hex(0x123456));
    const auto onLight = whole.hues(bench, scene::Ground::light);
    EXPECT_EQ(std::count(onLight.begin(), onLight.end(), scene::hex(0x123456)), 1);
    EXPECT_EQ(hueOf(whole, bench, "Row"), row);
}

TEST_F(Galleries, SideBySideAreSeenFromOnePlaceAndOnOneScale) {
    session.bench.words = false;
    whole.compareWith(histories[1]);
    part.compareWith(histories[0]);
    const auto highest = [&](Gallery& gallery) {
        const auto& heights = gallery.scene(kObjects, session, kSize, 1).surface.heights;
        return *std::max_element(heights.begin(), heights.end());
    };
    const auto peak = [](const sim::History& history) {
        sim::Cycles most = 0;
        for (const sim::CostNode& n : history.objects) most = std::max(most, n.cycles);
        return static_cast<float>(most);
    };
    ASSERT_LT(peak(*histories[1]), peak(*histories[0]));
    EXPECT_NEAR(highest(part) / highest(whole), peak(*histories[1]) / peak(*histories[0]), 1e-5);
    EXPECT_EQ(whole.cameraOf(kObjects, session, kSize, 1), part.cameraOf(kObjects, session, kSize, 1));
}

}  // namespace
}  // namespace whorl::app
