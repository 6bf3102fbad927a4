// Frames without a window: the same position gives the same bytes, however it was reached; any size can be drawn.
#include <gtest/gtest.h>

#include <cmath>

#include "app/export/offscreen_renderer.h"
#include "app/tasks/opening.h"
#include "app/views/golden.h"
#include "render/scene/rings/view.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

Session sessionOf(const std::string& input, scene::Ground ground, bool panels) {
    Session s = sessionFor({.input = input});
    s.ground = ground;
    s.panels = panels;
    return s;
}

/// A frame by a new renderer.
Pixels fresh(Session session, double t, int width = 640, int height = 360, double moveTicks = scene::View::kAtRest) {
    auto renderer = OffscreenRenderer::create(width, height, session.ground, 1);
    EXPECT_TRUE(renderer) << renderer.error().sentence();
    session.player.seek(t, session.end());
    return (*renderer)->draw(session, moveTicks);
}

struct Drawn {
    const char* input;
    bool panels;
};
void PrintTo(const Drawn& shown, std::ostream* out) {
    *out << shown.input << (shown.panels ? " with panels" : "");
}

class Frames : public testing::TestWithParam<Drawn> {};

TEST_P(Frames, PlayedSoughtAndSteppedBackAreTheSameToTheByte) {
    const auto& [input, panels] = GetParam();
    Session session = sessionOf(input, scene::Ground::dark, panels);
    auto renderer = OffscreenRenderer::create(640, 360, session.ground, 1);
    ASSERT_TRUE(renderer);
    const auto draw = [&](double t, double moveTicks) {
        session.player.seek(t, session.end());
        return (*renderer)->draw(session, moveTicks);
    };
    for (const double moveTicks : {scene::View::kAtRest, 4.0}) {
        for (double t = 200; t < 204; t += 0.25) draw(t, moveTicks);
        const Pixels played = draw(204.25, moveTicks);
        EXPECT_EQ(played, fresh(session, 204.25, 640, 360, moveTicks));
        // The whole program, so that its listing scrolls from end to end.
        for (double t = session.end(); t > 205; t -= 31.5) draw(t, moveTicks);
        for (double t = 210.25; t > 205; --t) draw(t, moveTicks);
        EXPECT_EQ(played, draw(204.25, moveTicks));
    }
}

INSTANTIATE_TEST_SUITE_P(Inputs, Frames,
                         testing::Values(Drawn{"matmul:n=8", false}, Drawn{"matmul:n=8", true},
                                         Drawn{"mergesort:n=32", true}, Drawn{"conflict:n=128", true}));

TEST(Frame, OfARunThatIsBuiltNoFurtherIsTheSame) {
    const std::string input = "mergesort:n=20000";
    const Session whole = sessionOf(input, scene::Ground::dark, false);
    ASSERT_GT(whole.end(), 1'000'000);
    for (const double at : {0.0, 1000.35, 262'143.5, 262'144.0, 300'000.25}) {
        sim::Progress progress;
        Session part = whole;
        part.opened = *open({.input = input, .machine = {}, .reading = {}}, nullptr, progress);
        ASSERT_TRUE(part.opened.run->buildUntil(sim::Tick{static_cast<std::uint64_t>(std::ceil(at)) + 1}, progress));
        ASSERT_FALSE(part.opened.run->complete());
        EXPECT_EQ(fresh(part, at), fresh(whole, at)) << at;
    }
}

/// The number of pixels that differ.
std::size_t changed(const Pixels& a, const Pixels& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i + 3 < a.size(); i += 4) {
        count += a[i] != b[i] || a[i + 1] != b[i + 1] || a[i + 2] != b[i + 2];
    }
    return count;
}

TEST(Frame, OfARangeIsTheSameHoweverItWasComeTo) {
    Session session = sessionOf("matmul:n=8", scene::Ground::dark, true);
    session.range = sim::Range{sim::Tick{100}, sim::Tick{400}};
    session.strip = StripShows::missKinds;
    auto renderer = OffscreenRenderer::create(640, 360, session.ground, 1);
    ASSERT_TRUE(renderer);
    Session other = session;
    other.range = sim::Range{sim::Tick{0}, sim::Tick{50}};
    other.player.seek(300, other.end());
    const Pixels elsewhere = (*renderer)->draw(other, scene::View::kAtRest);
    session.player.seek(300, session.end());
    const Pixels played = (*renderer)->draw(session, scene::View::kAtRest);
    EXPECT_EQ(played, fresh(session, 300));
    EXPECT_GT(changed(played, elsewhere), 200u);
}

TEST(Frame, OfOneCpuIsTheSameHoweverItWasComeTo) {
    Session session = sessionOf("matmul:n=8", scene::Ground::dark, true);
    session.opened = openedFor({.input = "matmul:n=8", .machine = "coherence"});
    auto renderer = OffscreenRenderer::create(640, 360, session.ground, 1);
    ASSERT_TRUE(renderer);
    session.player.seek(300, session.end());
    session.cpu = 0;
    const Pixels first = (*renderer)->draw(session, scene::View::kAtRest);
    session.cpu = 1;
    const Pixels second = (*renderer)->draw(session, scene::View::kAtRest);
    EXPECT_GT(changed(first, second), 50u) << "the program runs on the first CPU";
    session.cpu = 0;
    EXPECT_EQ(first, (*renderer)->draw(session, scene::View::kAtRest));
    EXPECT_EQ(first, fresh(session, 300));
}

TEST(Frame, ShowsThatSomethingHappens) {
    const Session session = sessionOf("matmul:n=8", scene::Ground::dark, false);
    const Pixels before = fresh(session, 300);
    EXPECT_GT(changed(before, fresh(session, 300.5)), 50u);
    EXPECT_GT(changed(before, fresh(session, 301)), 50u);
    Session light = session;
    light.ground = scene::Ground::light;
    EXPECT_GT(changed(before, fresh(light, 300)), 100000u);
}

TEST(Frame, AnySizeIsDrawn) {
    for (const auto& [width, height] : {std::pair(16, 16), {120, 90}, {300, 1000}, {2000, 200}}) {
        for (const bool panels : {false, true}) {
            const Session session = sessionOf("matmul:n=8", scene::Ground::dark, panels);
            EXPECT_EQ(fresh(session, 100, width, height).size(), std::size_t(width) * std::size_t(height) * 4);
        }
    }
}

TEST(Frame, EveryProgramIsDrawnFromStartToEnd) {
    for (const char* input : {"matmul:variant=blocked", "matmul:variant=transposed", "bubblesort:n=16",
                              "mergesort:n=16", "arrayinit:n=64", "conflict:n=16"}) {
        const Session session = sessionOf(input, scene::Ground::light, true);
        const Pixels start = fresh(session, 0);
        EXPECT_GT(changed(start, fresh(session, session.end() / 2)), 50u) << input;
        EXPECT_GT(changed(start, fresh(session, session.end())), 50u) << input;
    }
}

}  // namespace
}  // namespace whorl::app
