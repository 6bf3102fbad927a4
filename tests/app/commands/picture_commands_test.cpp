// The commands that choose what is displayed and how: clamped, and the same by key and by mouse.
#include <gtest/gtest.h>

#include "app/commands/commands.h"
#include "app/tours/presenting.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

TEST(PictureCommands, TimeLapseFollowsThePaceUnlessChosen) {
    Session s;
    EXPECT_EQ(s.lapseNow(), 1u);
    s.player.setPace(6000);
    EXPECT_EQ(s.lapseNow(), 1u) << "not while it stands";
    s.player.play();
    EXPECT_EQ(s.lapseNow(), 100u);
    s.player.setPace(120);
    EXPECT_EQ(s.lapseNow(), 1u);
    changeOf("lapse", 64).applyTo(s);
    EXPECT_EQ(s.view({800, 600}, 1).lapse, 64u);
    s.player.pause();
    EXPECT_EQ(s.lapseNow(), 64u);
    press(s, ">");
    EXPECT_EQ(s.lapseNow(), 100u);
    press(s, "<");
    press(s, "<");
    EXPECT_EQ(s.lapseNow(), 20u);
    for (int i = 0; i < 40; ++i) press(s, ">");
    EXPECT_EQ(s.lapseNow(), Session::kMaxLapse);
    for (int i = 0; i < 40; ++i) press(s, "<");
    EXPECT_EQ(s.lapseNow(), 1u);
    changeOf("lapse", 1'000'000'000'000).applyTo(s);
    EXPECT_EQ(s.lapseNow(), Session::kMaxLapse);
    press(s, "*");
    EXPECT_EQ(s.lapse, std::nullopt);
}

TEST(PictureCommands, DisksGoRoundAndStayWithinTheirBounds) {
    Session s;
    for (int i = 0; i < sim::kGaugeMeasures; ++i) press(s, "d");
    EXPECT_EQ(s.ringView.gauge, sim::GaugeSettings{});
    press(s, "Shift+D");
    EXPECT_EQ(s.ringView.gauge.what, sim::GaugeSettings::What::nothing);
    for (int i = 0; i < 40; ++i) press(s, ")");
    EXPECT_EQ(s.ringView.gauge.window, sim::GaugeSettings::kMaxWindow);
    for (int i = 0; i < 40; ++i) press(s, "(");
    EXPECT_EQ(s.ringView.gauge.window, 1u);
    using Over = sim::GaugeSettings::Over;
    for (const Over over : {Over::range, Over::run, Over::last}) {
        press(s, "Alt+D");
        EXPECT_EQ(s.ringView.gauge.over, over);
    }
    changeOf("gauge-over", Over::run).applyTo(s);
    EXPECT_EQ(s.ringView.gauge.over, Over::run);
    apply(s, command::GaugeScores{-2, -0.5, 3});
    EXPECT_EQ(s.ringView.gauge.scores, (sim::TemperatureScores{.nearestMiss = -2, .miss = -0.5, .hit = 3}));
    apply(s, command::GaugeScores{-1000, 0, 1000});
    changeOf("gauge", sim::GaugeSettings::What::missKind).applyTo(s);
    changeOf("gauge-kind", sim::MissKind::falseSharing).applyTo(s);
    EXPECT_EQ(s.ringView.gauge.scores, (sim::TemperatureScores{.nearestMiss = -100, .miss = 0, .hit = 100}));
    EXPECT_EQ(s.ringView.gauge.what, sim::GaugeSettings::What::missKind);
    EXPECT_EQ(s.ringView.gauge.kind, sim::MissKind::falseSharing);
}

TEST(PictureCommands, RegionsKeepColoursUntilTheyAreReset) {
    Session s = sessionFor({.input = "matmul:n=8", .machine = "paper"});
    apply(s, command::RegionColour{1, scene::hex(0xf69518)});
    EXPECT_EQ(s.view({800, 600}, 1).hues.at(1), scene::hex(0xf69518));
    s.region = 2;
    press(s, "y");
    EXPECT_EQ(s.overlays.regionColour, 2u);
    press(s, "Escape");
    EXPECT_EQ(s.overlays.regionColour, std::nullopt);
    press(s, "Shift+Y");
    EXPECT_TRUE(s.ringView.hues.empty());
}

TEST(PictureCommands, SelectingIsSharedByPictureAndLists) {
    Session s = sessionFor({.input = "matmul:n=8", .machine = "coherence"});
    scene::Target region{.kind = scene::Target::Kind::region, .region = 1};
    apply(s, command::SelectPart{region});
    EXPECT_EQ(s.region, 1u);
    apply(s, command::PickRegion{1});
    EXPECT_EQ(s.region, std::nullopt);
    EXPECT_FALSE(s.selected.has_value()) << "let go of in the list, let go of in the picture";
    const scene::Target cpu{.kind = scene::Target::Kind::cpu, .cpu = 2};
    apply(s, command::SelectPart{cpu});
    EXPECT_EQ(s.cpu, 2u);
    apply(s, command::SelectPart{cpu});
    EXPECT_EQ(s.cpu, std::nullopt);
    const scene::Target cell{.kind = scene::Target::Kind::cell, .level = 1, .cache = 0, .set = sim::SetIndex{3}};
    apply(s, command::SelectPart{cell});
    EXPECT_EQ(s.selected->target.kind, scene::Target::Kind::set);
    EXPECT_EQ(s.selected->target.set.value, 3u);
    const scene::Target trail{
        .kind = scene::Target::Kind::trail, .address = sim::ByteAddress{0x10020}, .tick = sim::Tick{7}};
    apply(s, command::SelectPart{trail});
    EXPECT_EQ(s.marked(), sim::ByteAddress{0x10020});

    EXPECT_EQ(s.selected->target, trail);
}

TEST(PictureCommands, ScenesSayHowTheyAreLookedAt) {
    Session s;
    applySceneView(
        s,
        {.id = "a", .title = "A", .words = "See.", .fields = {{"lapse", std::uint64_t{40}}, {"grain", WordIndex{1}}}});
    EXPECT_EQ(s.lapseNow(), 40u);
    EXPECT_EQ(s.ringView.grain, scene::Grain::elements);
    EXPECT_EQ(s.trails, Session{}.trails);
}

TEST(PictureCommands, KeysZoomAndPan) {
    Session s;
    press(s, "+");
    press(s, "=");
    EXPECT_FLOAT_EQ(s.camera.target().zoom, 2.25f);
    press(s, "Shift+Right");
    EXPECT_GT(s.camera.target().focus.x, 0);
    press(s, "0");
    EXPECT_EQ(s.camera.target(), Camera::Sight{});
    apply(s, command::ZoomAt{4, {0.2f, 0}});
    s.camera.advance(10);
    s.camera.advance(10);
    EXPECT_NEAR(s.view({800, 600}, 1).focus.x, 0.15f, 1e-4f);
    EXPECT_EQ(s.view({800, 600}, 1).zoom, 4);
}

}  // namespace
}  // namespace whorl::app
