// Golden pictures: every scene of the tour on both grounds, as approved by a person. Regenerate them with
// WHORL_GOLDEN=1 in the environment, and inspect what changed before you keep it.
#include <gtest/gtest.h>

#include "app/export/offscreen_renderer.h"
#include "app/session/tour.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "app/views/golden.h"
#include "app/views/rings/frame_composer.h"
#include "app/views/test_canvas.h"
#include "render/gl/painter.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 360;
constexpr double kWriteback = 3016;  ///< the number of accesses before it

struct Golden {
    std::string name;
    TourScene scene;
    scene::Ground ground = scene::Ground::dark;
    void (*with)(Session&) = [](Session&) {};
};

void PrintTo(const Golden& golden, std::ostream* out) {
    *out << golden.name;
}

Session sessionOf(const Golden& golden) {
    Session s = sessionFor({.input = golden.scene.input, .machine = golden.scene.machine});
    s.ground = golden.ground;
    s.panels = false;
    takeFields(golden.scene, s);
    golden.with(s);
    s.player.seek(golden.scene.position(), s.end());
    return s;
}

std::string named(std::string id, scene::Ground ground) {
    std::erase(id, '-');
    return id + (ground == scene::Ground::dark ? "_dark" : "_light");
}

/// In the middle of an access that writes a block of L1 back; see AMissingWritebackIsCaught.
TourScene writesBack(double share) {
    return {.id = "", .title = "", .words = "", .input = "matmul:n=16", .machine = "paper", .at = kWriteback + share};
}

std::vector<Golden> goldens() {
    std::vector<Golden> out;
    const auto tour = tourFrom(kStandardTour).value();
    for (const TourScene& scene : tour.scenes) {
        if (scene.isPair()) continue;  // of two runs that are scenes of their own
        for (const auto ground : {scene::Ground::dark, scene::Ground::light}) {
            out.push_back({named(scene.id, ground), scene, ground});
        }
    }
    // Features that no figure shows.
    using scene::Ground;
    const TourScene multiply{.id = "", .title = "", .words = "", .input = "matmul:n=16", .machine = "", .at = 3000.4};
    out.push_back({"elements", multiply, Ground::dark, [](Session& s) { s.ringView.grain = scene::Grain::elements; }});
    out.push_back({"lapse", multiply, Ground::light, [](Session& s) { s.lapse = 40; }});
    out.push_back({"flows", multiply, Ground::dark, [](Session& s) { s.lapse = 2000; }});
    out.push_back({"occupancy", multiply, Ground::dark, [](Session& s) {
                       s.ringView.gauge.what = sim::GaugeSettings::What::regionShare;
                       s.ringView.gauge.region = 1;
                   }});
    out.push_back({"zoomed", multiply, Ground::dark, [](Session& s) { s.camera.put({3, {0.2F, 0.3F}}); }});
    // A dirty block leaves L1, or has just arrived where it is written back.
    for (const Golden& writeback :
         {Golden{"writeback_leaves", writesBack(0.55)}, Golden{"writeback_arrives", writesBack(0.95)},
          Golden{"writeback_arrives_light", writesBack(0.95), Ground::light}}) {
        out.push_back(writeback);
    }
    TourScene large{.id = "", .title = "", .words = "", .input = "mergesort:n=20000", .machine = "desktop", .at = 1e5};
    out.push_back({"large", large, Ground::dark});
    large.machine = "coherence";
    large.input = "nbody:bodies=64";
    large.at = 30000;
    out.push_back({"sectors", large, Ground::light});
    return out;
}

class Goldens : public testing::TestWithParam<Golden> {};

TEST_P(Goldens, MatchTheirFiles) {
    const Golden& golden = GetParam();
    Session session = sessionOf(golden);
    session.player.seek(golden.scene.position(), session.end());
    auto renderer = OffscreenRenderer::create(kWidth, kHeight, session.ground, 1);
    ASSERT_TRUE(renderer) << renderer.error().sentence();
    const Pixels now = (*renderer)->draw(session, scene::View::kAtRest);
    expectGolden(golden.name, kWidth, kHeight, now);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Goldens, testing::ValuesIn(goldens()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Golden, AMovedGlyphIsCaught) {
    TestCanvas<gl::Painter> canvas(kWidth, kHeight);
    for (const Golden& golden : goldens()) {
        // At this size the smallest glyphs are dots of a few pixels: one missing among many would not be detected.
        if (golden.name == "large" || golden.name.starts_with("fig8")) continue;
        const Session session = sessionOf(golden);
        FrameComposer composer(session.opened);
        scene::View view = session.view({kWidth, kHeight}, 1);
        view.moveTicks = scene::View::kAtRest;
        scene::Scene scene = composer.compose(golden.scene.position(), view).scene();
        const Pixels before = canvas.paint(scene);
        EXPECT_EQ(differing(before, canvas.paint(scene)), 0u) << golden.name;
        for (std::size_t i = 0; i < scene.resting.size(); ++i) {
            if (scene.restingTargets[i].kind != scene::Target::Kind::line || scene.resting[i].fill.a < 255) continue;
            scene.resting[i].at.x += scene.resting[i].radius;
            EXPECT_GT(differing(before, canvas.paint(scene)), kMaxDiffering) << golden.name;
            break;
        }
    }
}

TEST(Golden, AMissingWritebackIsCaught) {
    TestCanvas<gl::Painter> canvas(kWidth, kHeight);
    std::size_t caught = 0;
    for (const Golden& golden : goldens()) {
        if (!golden.name.starts_with("writeback")) continue;
        const Session session = sessionOf(golden);
        FrameComposer composer(session.opened);
        scene::View view = session.view({kWidth, kHeight}, 1);
        view.moveTicks = scene::View::kAtRest;
        scene::Scene scene = composer.compose(golden.scene.position(), view).scene();
        const Pixels before = canvas.paint(scene);
        std::erase_if(scene.moving, [](const scene::Glyph& glyph) {
            return glyph.shape == scene::Shape::square && glyph.fill.a == 0 && glyph.rimWidth > 0;
        });
        EXPECT_GT(differing(before, canvas.paint(scene)), kMaxDiffering) << golden.name;
        ++caught;
    }
    EXPECT_EQ(caught, 3u);
}

}  // namespace
}  // namespace whorl::app
