// What a click queues in the flat views, and their controls. The other gestures are in mouse_test.cpp.
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
