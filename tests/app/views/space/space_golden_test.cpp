// Golden pictures of Chiron's views, as approved by a person. Regenerate them with WHORL_GOLDEN=make in the
// environment, and inspect what changed before you keep it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "app/export/offscreen_renderer.h"
#include "app/tasks/figures.h"
#include "app/views/golden.h"
#include "app/views/space/histories.h"
#include "app/views/test_canvas.h"
#include "render/gl/space_painter.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

using Draw = scene::BlockLook::Draw;
using Colour = scene::BlockLook::Colour;
using scene::Ground;

constexpr const char* kVecadd = "vecadd:chunk=1";
constexpr const char* kTunnel = "windtunnel";
constexpr const char* kAll = "source object block:L1 block:L2";

struct Golden {
    std::string name;
    std::string input;
    std::string views;  ///< words, separated by blanks
    Ground ground = Ground::dark;
    void (*with)(Session&) = [](Session&) {};
};

void PrintTo(const Golden& golden, std::ostream* out) {
    *out << golden.name;
}

const Opened& openedOf(const std::string& input) {
    static std::map<std::string, Opened> known;
    Opened& opened = known[input];
    if (!opened.run) opened = openedFor({.input = input});
    return opened;
}

Session sessionOf(const Golden& golden) {
    Session s;
    s.opened = openedOf(golden.input);
    s.ground = golden.ground;
    s.panels = false;
    s.viewSettings.shown.clear();
    for (std::size_t from = 0; from < golden.views.size();) {
        const std::size_t to = std::min(golden.views.find(' ', from), golden.views.size());
        s.viewSettings.shown.push_back(*viewNamed(golden.views.substr(from, to - from), s.opened.run->machine()));
        from = to + 1;
    }
    s.viewSettings.active = s.viewSettings.shown.front();
    golden.with(s);
    // In the middle, so that the playhead's plane is visible.
    s.player.seek(s.end() / 2, s.end());
    return s;
}

std::shared_ptr<const sim::History> historyOf(const Session& s) {
    sim::Progress progress;
    return historyFor(*s.opened.run, {}, progress);
}

const sim::CostNode& dearest(const std::vector<sim::CostNode>& nodes) {
    return *std::max_element(nodes.begin(), nodes.end(),
                             [](const auto& a, const auto& b) { return a.cycles < b.cycles; });
}

void pickLine(Session& s) {
    s.viewSettings.source = pickOf(dearest(historyOf(s)->sources));
    s.viewSettings.sourceIsNewer = true;
}

void pickObject(Session& s) {
    s.viewSettings.object = objectPickOf(dearest(historyOf(s)->objects));
    s.viewSettings.words = false;
}

void byAddress(Session& s) {
    s.viewSettings.sources.order = s.viewSettings.objects.order = scene::NodeOrder::address;
    s.viewSettings.blocks.order = scene::BlockOrder::address;
}

/// Seen from aside.
void turn(Session& s) {
    s.viewSettings.blocks.solid = true;
    s.viewSettings.blocks.depth = 1;
}

void putLens(Session& s) {
    turn(s);
    const auto history = historyOf(s);
    const auto begin = static_cast<double>(history->begin);
    const auto length = static_cast<double>(history->end - history->begin);
    s.viewSettings.lens = scene::Interval{begin + length / 2, begin + length * 5 / 8};
    s.viewSettings.blocks.draw = Draw::lines;
}

/// These accesses; half of them are selected.
void showPart(Session& s, std::uint64_t from, std::uint64_t to) {
    s.seen = scene::spanOf({sim::Tick{from}, sim::Tick{to}});
    const std::uint64_t quarter = (to - from) / 4;
    s.range = sim::Range{sim::Tick{from + quarter}, sim::Tick{to - quarter}};
}

std::vector<Golden> goldens() {
    const auto objects = [](Session& s) { s.viewSettings.words = false; };
    const auto words = [](Session& s) { s.viewSettings.words = true; };
    const auto classes = [](Session& s) {
        s.viewSettings.words = false;
        s.viewSettings.classColours = true;
    };
    return {
        {"views_vecadd_source", kVecadd, "source"},
        {"views_vecadd_object", kVecadd, "object", Ground::light, objects},
        {"views_vecadd_words", kVecadd, "object", Ground::dark, words},
        {"views_vecadd_classes", kVecadd, "object", Ground::light, classes},
        {"views_vecadd_l1", kVecadd, "block:L1"},
        {"views_vecadd_l2", kVecadd, "block:L2", Ground::light},
        {"views_vecadd_collisions", kVecadd, "collisions"},
        {"views_tunnel_source", kTunnel, "source", Ground::light},
        {"views_tunnel_object", kTunnel, "object", Ground::dark, objects},
        {"views_tunnel_words", kTunnel, "object", Ground::light, words},
        {"views_tunnel_classes", kTunnel, "object", Ground::dark, classes},
        {"views_tunnel_l1", kTunnel, "block:L1", Ground::light},
        {"views_tunnel_l2", kTunnel, "block:L2"},
        {"views_tunnel_collisions", kTunnel, "collisions", Ground::light},
        // The drawing modes of stays, and their colours.
        {"views_points", kVecadd, "block:L1", Ground::dark,
         [](Session& s) {
             turn(s);
             s.viewSettings.blocks.draw = Draw::points;
         }},

        {"views_lines", kVecadd, "block:L1", Ground::light,
         [](Session& s) { s.viewSettings.blocks.draw = Draw::lines; }},
        {"views_faces", kVecadd, "block:L1", Ground::dark,
         [](Session& s) {
             turn(s);
             s.viewSettings.blocks.draw = Draw::faces;
         }},

        {"views_boxes", kVecadd, "block:L1", Ground::light,
         [](Session& s) {
             turn(s);
             s.viewSettings.blocks.draw = Draw::boxes;
         }},

        {"views_states", kVecadd, "block:L1", Ground::dark,
         [](Session& s) { s.viewSettings.blocks.colour = Colour::state; }},
        {"views_stays_by_class", kVecadd, "block:L1", Ground::dark,
         [](Session& s) { s.viewSettings.blocks.colour = Colour::objectClass; }},
        {"views_lens", kVecadd, "block:L1", Ground::dark, putLens},
        {"views_cpu", kTunnel, "block:L1", Ground::dark, [](Session& s) { s.viewSettings.blocks.cpus = 1u << 3; }},
        {"views_blocks_by_address", kTunnel, "block:L1", Ground::dark, byAddress},
        {"views_solid", kTunnel, "block:L1", Ground::light, turn},
        {"views_few_rows", kTunnel, "block:L1", Ground::dark,
         [](Session& s) {
             s.viewSettings.blocks.rows = scene::RowSpan{0, 0.01};
         }},
        {"views_lit_only", kVecadd, "block:L1 block:L2", Ground::light,
         [](Session& s) {
             pickObject(s);
             s.viewSettings.blocks.highlightedOnly = true;
         }},
        // A part of the time, with the selected range.
        {"views_part", kTunnel, "block:L1", Ground::dark, [](Session& s) { showPart(s, 20'000, 30'000); }},
        {"views_part_light", kVecadd, "block:L1", Ground::light, [](Session& s) { showPart(s, 420, 560); }},
        // Highlights of a pick, in all views.
        {"views_line_picked", kVecadd, kAll, Ground::dark, pickLine},
        {"views_object_picked", kTunnel, kAll, Ground::dark, pickObject},
        {"views_by_address", kTunnel, "source object", Ground::light, byAddress},
    };
}

constexpr int kWidth = 480;
constexpr int kHeight = 320;

class ViewGoldens : public testing::TestWithParam<Golden> {};

TEST_P(ViewGoldens, MatchTheirFiles) {
    const Golden& golden = GetParam();
    const Session session = sessionOf(golden);
    auto renderer = OffscreenRenderer::create(kWidth, kHeight, session.ground, 1);
    ASSERT_TRUE(renderer) << renderer.error().sentence();
    expectGolden(golden.name, kWidth, kHeight, (*renderer)->draw(session, scene::View::kAtRest));
}

INSTANTIATE_TEST_SUITE_P(Views, ViewGoldens, testing::ValuesIn(goldens()),
                         [](const auto& one) { return std::string(one.param.name); });

/// The views in space that have the canvas to themselves.
template <class Body>
void ofEachSpace(Body&& body) {
    for (const Golden& golden : goldens()) {
        Session session = sessionOf(golden);
        if (session.viewSettings.shown.size() != 1 || !session.viewSettings.active.isSpace()) continue;
        HistoryViews historyViews(session.opened.run->sharedTrace(), historyOf(session));
        body(golden, session, historyViews);
    }
}

TEST(ViewGolden, ATurnByHalfADegreeIsCaught) {
    TestCanvas<gl::SpacePainter> canvas(kWidth, kHeight);
    constexpr glm::ivec2 kPicture(kWidth, kHeight);
    ofEachSpace([&](const Golden& golden, Session& session, HistoryViews& historyViews) {
        const ViewId view = session.viewSettings.active;
        const Pixels before = canvas.paint(historyViews.of(view).scene({view, session, kPicture, 1}));
        EXPECT_EQ(differing(before, canvas.paint(historyViews.of(view).scene({view, session, kPicture, 1}))), 0u)
            << golden.name;
        scene::SpaceCamera turned = historyViews.of(view).cameraOf({view, session, kPicture, 1});
        turned.azimuth += 0.0087F;
        session.viewSettings.sights[view] = {turned, true};
        EXPECT_GT(differing(before, canvas.paint(historyViews.of(view).scene({view, session, kPicture, 1}))),
                  kMaxDiffering)
            << golden.name;
    });
}

TEST(ViewGolden, AnotherHeightOfTheMostExpensiveNodeIsCaught) {
    TestCanvas<gl::SpacePainter> canvas(kWidth, kHeight);
    ofEachSpace([&](const Golden& golden, Session& session, HistoryViews& historyViews) {
        scene::SpaceScene scene = historyViews.of(session.viewSettings.active)
                                      .scene({session.viewSettings.active, session, {kWidth, kHeight}, 1});
        auto& heights = scene.surface.heights;
        if (heights.empty()) return;
        const Pixels before = canvas.paint(scene);
        *std::max_element(heights.begin(), heights.end()) *= 0.8F;
        EXPECT_GT(differing(before, canvas.paint(scene)), kMaxDiffering) << golden.name;
    });
}

/// Moves the largest of some things by its own height; false when there are none.
template <class Thing, class Size, class Move>
bool moveLargest(std::vector<Thing>& things, Size&& size, Move&& move) {
    const auto largest = std::max_element(things.begin(), things.end(),
                                          [&](const Thing& a, const Thing& b) { return size(a) < size(b); });
    if (largest == things.end()) return false;
    move(*largest);
    return true;
}

TEST(ViewGolden, AMovedStayIsCaught) {
    TestCanvas<gl::SpacePainter> canvas(kWidth, kHeight);
    int moved = 0;
    ofEachSpace([&](const Golden& golden, Session& session, HistoryViews& historyViews) {
        scene::SpaceScene scene = historyViews.of(session.viewSettings.active)
                                      .scene({session.viewSettings.active, session, {kWidth, kHeight}, 1});
        const Pixels before = canvas.paint(scene);
        const bool any = moveLargest(
            scene.boxes, [](const scene::SpaceBox& b) { return b.high.z - b.low.z; },
            [](scene::SpaceBox& b) {
                const float height = b.high.y - b.low.y;
                b.low.y += height;
                b.high.y += height;
            });
        const bool face = moveLargest(
            scene.faces, [](const scene::SpaceFace& f) { return f.v.z; }, [](scene::SpaceFace& f) { f.a.y += f.u.y; });
        if (!any && !face) return;
        ++moved;
        EXPECT_GT(differing(before, canvas.paint(scene)), kMaxDiffering) << golden.name;
    });
    EXPECT_GT(moved, 2);
}

}  // namespace
}  // namespace whorl::app
