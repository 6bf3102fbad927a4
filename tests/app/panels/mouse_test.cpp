// One rule for the mouse: what each gesture queues in each view and on the strip, whole and zoomed. A gesture that has
// no meaning there queues nothing.
#include "app/panels/mouse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "app/panels/panel_frame.h"
#include "app/panels/panels.h"
#include "app/session/command.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;

constexpr glm::ivec2 kWindow{1280, 720};

/// The ids of the commands that gestures queue; empty: none.
struct Row {
    std::optional<ViewId> view;  ///< none: the strip
    std::string_view wheel, ctrlWheel;
    std::string_view drag, dragZoomed;  ///< by the left or the middle button
    std::string_view ctrlDrag;
    std::string_view shiftDrag;
    std::string_view click;
    std::string_view doubleClick;  ///< zoomed
};

// The table of docs/window.md, as commands.
constexpr std::string_view kTime = "time-seen";
const std::array kRows = {
    Row{ViewId{Kind::rings}, "zoom-at", "", "", "drag", "", "", "select", "zoom-reset"},
    Row{ViewId{Kind::sources}, "camera", "", "camera", "camera", "camera", "", "pick-source", "camera"},
    Row{ViewId{Kind::objects}, "camera", "", "camera", "camera", "camera", "", "pick-object", "camera"},
    Row{ViewId{Kind::blocks}, kTime, "block-rows", "", kTime, "lens", "range", "pick-stay", "time-all"},
    Row{ViewId{Kind::collisions}, "collisions-zoom", "", "", "collisions-zoom", "", "", "seek", "collisions-fit"},
    Row{ViewId{Kind::memory}, "cell-zoom", "", "cell-zoom", "cell-zoom", "", "", "pick-memory", "cell-fit"},
    Row{ViewId{Kind::memoryLive}, "cell-zoom", "", "cell-zoom", "cell-zoom", "", "", "pick-memory", "cell-fit"},
    Row{ViewId{Kind::cache}, "cell-zoom", "", "cell-zoom", "cell-zoom", "", "", "pick-way", "cell-fit"},
    Row{ViewId{Kind::cacheLive}, "cell-zoom", "", "cell-zoom", "cell-zoom", "", "", "pick-way", "cell-fit"},
    Row{ViewId{Kind::history}, kTime, "", "", kTime, "", "range", "seek", "time-all"},
    Row{ViewId{Kind::phases}, kTime, "phase-row", "", kTime, "", "range", "seek", "time-all"},
    Row{ViewId{Kind::cycles}, kTime, "", "", kTime, "", "range", "seek", "time-all"},
    Row{ViewId{Kind::life}, "", "", "", "", "", "", "pick-source", ""},
    Row{ViewId{Kind::table}, "", "", "", "", "", "", "pick-way predict-way", ""},
    Row{ViewId{Kind::array}, "", "", "", "", "", "", "pick-memory", ""},
    Row{std::nullopt, kTime, "", "seek", kTime, "seek", "range", "seek", "time-all"},
};

/// A view that fills the window, or the strip in it.
struct Picture {
    explicit Picture(std::optional<ViewId> shown)
        : view(shown), session(sessionFor(shown)), frame(session, [this](const PanelContext& c) { draw(c); }) {
        settle();
    }
    static Session sessionFor(const std::optional<ViewId>& view) {
        OpenRequest request;
        request.input = "matmul:n=12";
        Session s;
        enterRun(s, openedFor(request));
        if (view) s.viewSettings.shown = {*view};
        if (view) s.viewSettings.active = *view;
        s.viewSettings.place = sim::Place{.from = s.opened.run->trace().regions()[0].base, .bytes = 64};
        command::apply(s, command::Seek{900});
        return s;
    }
    void draw(const PanelContext& c) const {
        if (!view) return drawOverviewStrip(c, 200);
        const Tile tile{*view, {0, 0, kWindow.x, kWindow.y}};
        if (view->kind == Kind::rings) return drawRingsTile(c, tile);
        const TileScene picture = sceneOf(tile, c.runs, c.session, 1);
        if (const auto* const flat = std::get_if<const scene::FlatScene*>(&picture)) {
            return drawFlatTile(c, tile, c.runs.at(0)->views(*view), **flat);
        }
        drawSpaceTile(c, tile, *std::get<const scene::SpaceScene*>(picture));
    }
    /// Applies what the views ask for by themselves, such as where their cameras are.
    void settle() {
        for (int i = 0; i < 4; ++i) apply(frame.next());
    }
    void apply(const Commands& commands) {
        for (const Command& command : commands) command.applyTo(session);
        session.camera.advance(10);
        frame.settle();
    }
    /// Where something can be picked; the middle if that is nowhere, or everywhere. Names beside rows are elsewhere.
    ImVec2 pickable() {
        if (!view || view->kind == Kind::rings) return middle();
        RunView& run = *frame.parts().runs.at(0);
        const ViewQuery query{*view, session.context(), kWindow, 1};
        constexpr int kStep = 9;
        for (int y = kStep; y < kWindow.y; y += kStep) {
            for (int x = kWindow.x / 4; x < kWindow.x; x += kStep) {
                const auto hit = kindOf(*view).isSpace ? run.historyViews(*view)->of(*view).hitAt(query, {x, y})
                                                       : run.views(*view).hitAt(query, {x, y});
                if (hit && (hit->time || !hit->click.empty())) return {static_cast<float>(x), static_cast<float>(y)};
            }
        }
        return middle();
    }
    /// The middle of what takes the mouse, and another place beside it.
    ImVec2 middle() {
        if (!view) return {kWindow.x / 2.0f, 100};
        if (kindOf(*view).isSpace || view->kind == Kind::rings) return {kWindow.x / 2.0f, kWindow.y / 2.0f};
        const scene::PixelBox box =
            frame.parts().runs.at(0)->views(*view).mouseArea({*view, session.context(), kWindow, 1});
        const glm::vec2 at = glm::vec2(box.low + box.high) / 2.0f;
        return {at.x, at.y};
    }
    Commands wheel() {
        frame.move(middle());
        return frame.wheel(1);
    }
    Commands dragged(std::size_t button) {
        const ImVec2 from = middle();
        return frame.drag(from, {from.x - 60, from.y - 40}, button);
    }
    void zoomIn() {
        for (int i = 0; i < 5; ++i) apply(wheel());
        settle();
    }

    std::optional<ViewId> view;
    Session session;
    PanelFrame frame;
};

/// The ids of the commands, without repetitions; a camera that is not moved by hand is none of the mouse.
std::string idsOf(const Commands& commands) {
    std::vector<std::string> ids;
    for (const Command& command : commands) {
        const std::string text = command.text();
        if (text.starts_with("camera") && text.find(" off ") != std::string::npos) continue;
        const std::string id(command.id());
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    }
    std::string all;
    for (const std::string& id : ids) all += (all.empty() ? "" : " ") + id;
    return all;
}

class MouseRule : public testing::TestWithParam<Row> {};

TEST_P(MouseRule, GivesEachGestureItsMeaningOrNone) {
    const Row& row = GetParam();
    Picture picture(row.view);
    PanelFrame& frame = picture.frame;
    EXPECT_EQ(idsOf(picture.wheel()), row.wheel) << "wheel";
    frame.hold(false, true);
    EXPECT_EQ(idsOf(picture.wheel()), row.ctrlWheel) << "Ctrl+wheel";
    frame.hold(false, false);
    EXPECT_EQ(idsOf(picture.dragged(0)), row.drag) << "drag";
    EXPECT_EQ(idsOf(picture.dragged(1)), "") << "drag with the right button";
    frame.hold(false, true);
    EXPECT_EQ(idsOf(picture.dragged(0)), row.ctrlDrag) << "Ctrl+drag";
    frame.hold(true, false);
    EXPECT_EQ(idsOf(picture.dragged(0)), row.shiftDrag) << "Shift+drag";
    frame.hold(false, false);
    const std::string clicked = idsOf(frame.click(picture.pickable()));
    EXPECT_TRUE(clicked.starts_with(row.click)) << "click: " << clicked;
}

TEST_P(MouseRule, MovesWhatIsZoomedAndShowsAllAgain) {
    const Row& row = GetParam();
    Picture picture(row.view);
    picture.zoomIn();
    for (const std::size_t button : {std::size_t{0}, std::size_t{2}}) {
        EXPECT_EQ(idsOf(picture.dragged(button)), row.dragZoomed) << "drag with button " << button;
    }
    const ImVec2 at = picture.middle();
    picture.apply(picture.frame.click(ImVec2(at.x - 200, at.y)));
    picture.settle();
    picture.apply(picture.frame.button(0, false));
    Commands all = picture.frame.click(ImVec2(at.x - 200, at.y));
    for (const bool down : {true, false}) {
        for (Command& command : picture.frame.button(0, down)) all.push_back(std::move(command));
    }
    const bool isThere =
        std::any_of(all.begin(), all.end(), [&](const Command& c) { return c.id() == row.doubleClick; });
    EXPECT_TRUE(row.doubleClick.empty() || isThere) << idsOf(all);
}

std::string nameOf(const testing::TestParamInfo<Row>& row) {
    std::string name = row.param.view ? wordOf(*row.param.view) : "strip";
    std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
    return name;
}
INSTANTIATE_TEST_SUITE_P(Views, MouseRule, testing::ValuesIn(kRows), nameOf);

TEST(MouseRules, HaveARowForEachView) {
    for (const ViewKind& kind : kViewKinds) {
        const auto isOf = [&](const Row& row) { return row.view && row.view->kind == kind.kind; };
        EXPECT_EQ(std::count_if(kRows.begin(), kRows.end(), isOf), 1) << kind.word;
    }
}

/// A right click picks as a click does, but moves no playhead, and opens the menu of it.
TEST_P(MouseRule, AsksForTheMenuOfWhatIsThere) {
    const Row& row = GetParam();
    Picture picture(row.view);
    const std::string picked = idsOf(picture.frame.click(picture.pickable(), 1));
    const ContextMenu& menu = picture.frame.parts().edits.menu;
    EXPECT_TRUE(menu.opens);
    EXPECT_EQ(menu.subject.view, row.view);
    const bool picks = row.click != "seek";
    const std::string_view wanted = picks ? row.click.substr(0, row.click.find(' ')) : std::string_view();
    EXPECT_TRUE(picked.starts_with(wanted) && picked.empty() == wanted.empty()) << picked;
    EXPECT_EQ(menu.subject.pick.has_value(), picks);
    const bool ofTime = !row.view || kindOf(*row.view).zoomed == Zoomed::time || row.view->kind == Kind::blocks;
    EXPECT_EQ(menu.subject.time.has_value(), ofTime);
}

/// Beside the rows their names do something, too: that of a CPU shows its caches alone, and is no pick.
TEST(Mouse, NamesOfRowsAreClicked) {
    for (const auto& [view, id, picks] :
         {std::tuple(ViewId{Kind::blocks}, "pick-memory", true), std::tuple(ViewId{Kind::cycles}, "cpu", false)}) {
        SCOPED_TRACE(wordOf(view));
        Picture picture(view);
        picture.settle();
        const ImVec2 name(12, kWindow.y / 2.0f);
        EXPECT_TRUE(idsOf(picture.frame.click(name)).starts_with(id));
        EXPECT_EQ(idsOf(picture.frame.click(name, 1)).empty(), !picks);
        EXPECT_EQ(picture.frame.parts().edits.menu.subject.pick.has_value(), picks);
    }
}

/// What is grabbed goes with the mouse, and a double click leaves the playhead where it was.
TEST(Mouse, MovesTheTimeAndLeavesThePlayhead) {
    for (const ViewId& view : {ViewId{Kind::history}, ViewId{Kind::cycles}, ViewId{Kind::phases}}) {
        SCOPED_TRACE(wordOf(view));
        Picture picture(view);
        picture.zoomIn();
        ASSERT_TRUE(picture.session.seen);
        const scene::TimeSpan before = *picture.session.seen;
        EXPECT_LT(before.length(), picture.session.end());
        picture.apply(picture.dragged(0));
        EXPECT_GT(picture.session.seen->from, before.from);
        // As many cycles hold other numbers of accesses.
        EXPECT_NEAR(picture.session.seen->length(), before.length(), before.length() / 10);
        const double at = picture.session.player.position();
        const ImVec2 middle = picture.middle();
        picture.apply(picture.frame.click(ImVec2(middle.x - 200, middle.y)));
        EXPECT_NE(picture.session.player.position(), at);
        for (const bool down : {true, false}) picture.apply(picture.frame.button(0, down));
        EXPECT_FALSE(picture.session.seen);
        EXPECT_EQ(picture.session.player.position(), at);
    }
}

/// A drag straight down selects whole rows.
TEST(Mouse, SelectsWholeRowsOfPhases) {
    Picture picture(ViewId{Kind::phases});
    picture.frame.shift(true);
    const ImVec2 at = picture.middle();
    picture.apply(picture.frame.drag({at.x, at.y - 200}, {at.x, at.y + 200}));
    ASSERT_TRUE(picture.session.range);
    EXPECT_GT(picture.session.range->size(), 100u);
}

TEST(Mouse, LaysTheLensAndSlidesItAndItsEnds) {
    Picture picture(ViewId{Kind::blocks});
    const ImVec2 at = picture.middle();
    picture.frame.hold(false, true);
    picture.apply(picture.frame.drag({at.x - 100, at.y}, {at.x + 100, at.y}));
    picture.frame.hold(false, false);
    ASSERT_TRUE(picture.session.viewSettings.lens);
    const scene::Interval laid = *picture.session.viewSettings.lens;
    picture.settle();
    picture.apply(picture.frame.drag(at, {at.x + 50, at.y}));
    const scene::Interval slid = *picture.session.viewSettings.lens;
    EXPECT_NEAR(slid.length(), laid.length(), 2);
    EXPECT_NEAR(slid.from - laid.from, laid.length() / 4, laid.length() / 20);
    picture.settle();
    picture.apply(picture.frame.drag({at.x + 150, at.y}, {at.x + 200, at.y}));
    EXPECT_EQ(picture.session.viewSettings.lens->from, slid.from);
    EXPECT_GT(picture.session.viewSettings.lens->to, slid.to + laid.length() / 8);
    EXPECT_FALSE(picture.session.seen) << "the time is not moved by it";
}

}  // namespace
}  // namespace whorl::app
