// The mouse and the controls act alike in all flat views: what a click, a drag, the wheel and a double click queue.
#include "app/panels/panels.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "app/commands/cell_commands.h"
#include "app/panels/panel_frame.h"
#include "app/session/command.h"
#include "app/session/settings.h"
#include "app/tours/presenting.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;

constexpr glm::ivec2 kSize{1280, 720};

/// A flat view that fills the window.
struct FlatTile {
    explicit FlatTile(ViewId shown, const std::string& input = "matmul:n=12")
        : view(shown), session(sessionFor(input, shown)), frame(session, [this](const PanelContext& c) { draw(c); }) {
        frame.next();
    }
    static Session sessionFor(const std::string& input, const ViewId& view) {
        OpenRequest request;
        request.input = input;
        Session s;
        enterRun(s, openedFor(request));
        s.viewSettings.shown = {view};
        s.viewSettings.active = view;
        s.viewSettings.place = sim::Place{.from = s.opened.run->trace().regions()[0].base, .bytes = 64};
        return s;
    }
    void draw(const PanelContext& c) const {
        const Tile tile{view, {0, 0, kSize.x, kSize.y}};
        Views& views = c.runs.at(0)->views(view);
        const TileScene picture = views.pictureOf({view, c.context, {tile.where.width, tile.where.height}, 1});
        ASSERT_TRUE(std::holds_alternative<const scene::FlatScene*>(picture));
        drawFlatTile(c, tile, views, *std::get<const scene::FlatScene*>(picture));
    }
    scene::PixelBox area() {
        return frame.parts().runs.at(0)->views(view).mouseArea({view, session.context(), kSize, 1});
    }
    ImVec2 at(float x, float y) {
        const scene::PixelBox box = area();
        return {static_cast<float>(box.low.x) + x * static_cast<float>(box.width()),
                static_cast<float>(box.low.y) + y * static_cast<float>(box.height())};
    }
    void apply(const Commands& commands) {
        for (const Command& command : commands) command.applyTo(session);
        frame.settle();
        frame.next();
    }

    ViewId view;
    Session session;
    PanelFrame frame;
};

std::string only(const Commands& commands) {
    EXPECT_EQ(commands.size(), 1u);
    return commands.empty() ? "" : commands.front().text();
}

bool begins(const Commands& commands, std::string_view word) {
    return !commands.empty() && commands.front().text().starts_with(word);
}

TEST(FlatTile, QueuesWhatIsNamedWhereItIsClicked) {
    for (const ViewId& view : {ViewId{Kind::memory}, ViewId{Kind::memoryLive}, ViewId{Kind::cache},
                               ViewId{Kind::cacheLive}, ViewId{Kind::collisions}, ViewId{Kind::history},
                               ViewId{Kind::phases}, ViewId{Kind::cycles}, ViewId{Kind::life}, ViewId{Kind::array}}) {
        SCOPED_TRACE(wordOf(view));
        FlatTile tile(view);
        std::size_t clicked = 0;
        std::istringstream lines(tile.frame.places());
        for (std::string line; std::getline(lines, line) && clicked < 20;) {
            std::istringstream words(line);
            ImVec2 at;
            std::string command;
            if (!(words >> at.x >> at.y) || !std::getline(words >> std::ws, command)) continue;
            if (!parseCommand(command)) continue;  // a control
            EXPECT_EQ(only(tile.frame.click(at)), command);
            ++clicked;
        }
        EXPECT_GT(clicked, 0u) << tile.frame.places();
    }
}

TEST(FlatTile, IsZoomedAndMovedAlongTheTime) {
    for (const ViewId& view : {ViewId{Kind::history}, ViewId{Kind::cycles}}) {
        SCOPED_TRACE(wordOf(view));
        FlatTile tile(view);
        tile.frame.move(tile.at(0.5f, 0.5f));
        const Commands zoomed = tile.frame.wheel(1);
        EXPECT_TRUE(begins(zoomed, "time-seen"));
        tile.apply(zoomed);
        ASSERT_TRUE(tile.session.seen);
        const scene::TimeSpan before = *tile.session.seen;
        EXPECT_LT(before.length(), tile.session.end());
        tile.apply(tile.frame.drag(tile.at(0.5f, 0.5f), tile.at(0.6f, 0.5f)));
        EXPECT_LT(tile.session.seen->from, before.from) << "what is grabbed goes with the mouse";
        // As many cycles hold other numbers of accesses.
        EXPECT_NEAR(tile.session.seen->length(), before.length(), before.length() / 10);
        // A double click shows all, and leaves the playhead where it was.
        const double at = tile.session.player.position();
        tile.apply(tile.frame.click(tile.at(0.3f, 0.5f)));
        EXPECT_NE(tile.session.player.position(), at);
        for (const bool down : {true, false}) tile.apply(tile.frame.button(0, down));
        EXPECT_FALSE(tile.session.seen);
        EXPECT_EQ(tile.session.player.position(), at);
    }
}

TEST(FlatTile, SelectsARangeByTheRightButtonOrShift) {
    for (const ViewId& view : {ViewId{Kind::history}, ViewId{Kind::cycles}, ViewId{Kind::phases}}) {
        for (const bool shift : {false, true}) {
            SCOPED_TRACE(wordOf(view) + (shift ? " with Shift" : " with the right button"));
            FlatTile tile(view);
            tile.frame.shift(shift);
            tile.apply(tile.frame.drag(tile.at(0.2f, 0.5f), tile.at(0.7f, 0.5f), shift ? 0 : 1));
            ASSERT_TRUE(tile.session.range);
            EXPECT_GT(tile.session.range->size(), 0u);
            EXPECT_EQ(tile.session.player.position(), 0) << "a drag is no click";
        }
    }
}

TEST(FlatTile, SelectsWholeRowsOfPhasesByAnyDrag) {
    FlatTile tile({Kind::phases});
    tile.apply(tile.frame.drag(tile.at(0.01f, 0.1f), tile.at(0.01f, 0.8f)));
    ASSERT_TRUE(tile.session.range) << "straight down";
    EXPECT_GT(tile.session.range->size(), 100u);
}

TEST(FlatTile, IsZoomedAndMovedInThePlane) {
    for (const ViewId& view : {ViewId{Kind::memory}, ViewId{Kind::cacheLive}}) {
        SCOPED_TRACE(wordOf(view));
        FlatTile tile(view);
        const CellChoice& choice = tile.session.viewSettings.cells[view];
        const auto place = tile.session.viewSettings.place;
        EXPECT_FALSE(choice.sight);
        for (int i = 0; i < 8; ++i) {
            tile.frame.move(tile.at(0.1f, 0.1f));
            tile.apply(tile.frame.wheel(1));
        }
        ASSERT_TRUE(choice.sight);
        const glm::ivec2 before = choice.sight->scroll;
        tile.apply(tile.frame.drag(tile.at(0.5f, 0.5f), tile.at(0.3f, 0.4f)));
        EXPECT_NE(choice.sight->scroll, before);
        EXPECT_EQ(tile.session.viewSettings.place, place) << "a drag picks nothing";
        Commands twice = tile.frame.click(tile.at(0.5f, 0.5f));
        for (const bool down : {true, false}) {
            for (Command& command : tile.frame.button(0, down)) twice.push_back(command);
        }
        EXPECT_EQ(twice.back().text(), Command(command::CellFit{view}).text());
    }
}

TEST(FlatTile, OpensTheHistoryByShift) {
    FlatTile tile({Kind::memory});
    tile.frame.shift(true);
    const auto texts = textsOf(tile.frame.click(tile.at(0.02f, 0.1f)));
    ASSERT_EQ(texts.size(), 2u);
    EXPECT_TRUE(texts[0].starts_with("pick-memory"));
    EXPECT_EQ(texts[1], Command(command::HistoryShow{}).text());
}

/// Each control that a view has is drawn, in the row or in the list of all, and a button queues its command.
TEST(FlatTile, DrawsEachControl) {
    for (const ViewId& view : {ViewId{Kind::memory}, ViewId{Kind::memoryLive}, ViewId{Kind::cache},
                               ViewId{Kind::cacheLive}, ViewId{Kind::collisions}, ViewId{Kind::history},
                               ViewId{Kind::phases}, ViewId{Kind::cycles}, ViewId{Kind::life}, ViewId{Kind::array}}) {
        SCOPED_TRACE(wordOf(view));
        FlatTile tile(view);
        const ViewControls controls =
            tile.frame.parts().runs.at(0)->views(view).controls({view, tile.session.context(), {1280, 720}, 1});
        ASSERT_FALSE(controls.all().empty());
        std::set<std::string> names;
        for (const ViewControl& control : controls.all()) {
            EXPECT_TRUE(names.insert(control.id).second) << control.id << " is there twice";
            EXPECT_FALSE(control.help.empty()) << control.id;
            const std::string name = control.id + " " + wordOf(view);
            EXPECT_TRUE(tile.frame.place(name)) << name;
            if (const auto* const toggle = std::get_if<ViewControl::Toggle>(&control.is)) {
                EXPECT_EQ(only(tile.frame.click(name)), toggle->command.text());
            }
            if (const auto* const choice = std::get_if<ViewControl::Choice>(&control.is)) {
                EXPECT_LE(choice->now, choice->options.size());
                for (const auto& option : choice->options) {
                    EXPECT_TRUE(parseCommand(option.command.text())) << option.command.text();
                }
            }
        }
    }
}

}  // namespace
}  // namespace whorl::app
