// What other programs ask of the window: lines read, and the state that they are told.
#include "app/commands/control_request.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/session/command.h"
#include "support/refusal.h"
#include "support/sessions.h"
#include "support/sharing_trace.h"

namespace whorl::app {
namespace {

std::string refusal(std::string_view line) {
    return sim::test::refusalOf(controlRequest(Session{}, line), "");
}

TEST(ControlRequests, AreCommandsAndAFewMore) {
    const Session session;
    const auto seek = controlRequest(session, "seek 12");
    ASSERT_TRUE(seek && std::holds_alternative<Command>(*seek));
    EXPECT_EQ(std::get<Command>(*seek).text(), "seek 12");
    EXPECT_TRUE(std::holds_alternative<control::State>(*controlRequest(session, " state\t")));
    EXPECT_TRUE(std::holds_alternative<control::Wait>(*controlRequest(session, "wait")));
    const auto shot = controlRequest(session, "shot \"my picture.png\"");
    ASSERT_TRUE(shot && std::holds_alternative<control::Shot>(*shot));
    EXPECT_EQ(std::get<control::Shot>(*shot).file, "my picture.png");
}

TEST(ControlRequests, DoNotHideCommands) {
    for (const CommandType& type : commandTypes()) {
        EXPECT_NE(type.id, "state");
        EXPECT_NE(type.id, "wait");
        EXPECT_NE(type.id, "shot");
    }
}

TEST(ControlRequests, AreRefusedInASentence) {
    EXPECT_EQ(refusal("seek 1 2"), parseCommand("seek 1 2").error().sentence());
    EXPECT_EQ(refusal("state now"), "state: there are too many words; write state");
    EXPECT_EQ(refusal("shot"), "shot: the file is missing; write shot FILE.png");
    EXPECT_NE(refusal("shot picture.svg"), "");
    EXPECT_NE(refusal("message \xff"), "");
    EXPECT_NE(refusal(std::string_view("seek 1\0", 7)), "");
    EXPECT_NE(refusal("message \x1b[2J"), "");
    EXPECT_NE(refusal("open /no/such/file"), "");
    EXPECT_EQ(refusalOf("one\ntwo"), "error: one two");
}

TEST(ControlRequests, TakePositionsAsThePromptDoes) {
    Session session = sharingSession();
    const auto told = [&](const char* line) {
        const auto request = controlRequest(session, line);
        if (request) applyAll(session, {std::get<Command>(*request)});
        return request ? "ok" : request.error().sentence();
    };
    for (const auto& [line, position] :
         {std::pair("seek 50%", 3.0), {"seek end", 7.0}, {"seek -2", 5.0}, {"seek 3", 3.0}}) {
        EXPECT_EQ(told(line), "ok");
        EXPECT_EQ(session.player.position(), position) << line;
    }
    EXPECT_EQ(told("range 20% end"), "ok");
    EXPECT_EQ(session.range, (sim::Range{sim::Tick{1}, sim::Tick{7}}));
    EXPECT_EQ(told("seek 7.5"), "\"7.5\" is beyond the end; this trace has 7 accesses");
    EXPECT_EQ(told("range 1 150%"), "\"150%\" is beyond the end; this trace has 7 accesses");
    EXPECT_EQ(told("seek nowhere"),
              "seek: position \"nowhere\" is not a position; write a number of accesses such as 1200, a share such as "
              "50%, +100, -100, start or end");
    EXPECT_EQ(session.player.position(), 3.0);
}

TEST(ControlRequests, AreNothingWhereALineIsBlank) {
    EXPECT_TRUE(isBlankRequest(""));
    EXPECT_TRUE(isBlankRequest(" \t"));
    EXPECT_TRUE(isBlankRequest("# seek 3"));
    EXPECT_FALSE(isBlankRequest("seek 3"));
}

TEST(ControlRequests, RefusedCommandsTellWhy) {
    Session session = sharingSession();
    const auto refusedBy = [&](const char* text) {
        send(session, text);
        return session.refused;
    };
    EXPECT_EQ(refusedBy("bookmark-go next"), "There is no further bookmark.");
    EXPECT_EQ(refusedBy("seek 3"), "") << "the next one begins anew";
    EXPECT_EQ(refusedBy("undo"), "There is nothing to undo.");
    EXPECT_NE(refusedBy("look-up nonsense"), "");
    EXPECT_EQ(refusedBy("look-up P"), "");
    EXPECT_NE(refusedBy("do \"seek nowhere\""), "");
    EXPECT_EQ(session.prompt.error, session.refused) << "as the palette shows it";
    EXPECT_EQ(refusedBy("do \"seak 3\""), "there is no command \"seak\"; did you mean \"seek\"?");
}

TEST(StateReports, TellWhatIsShown) {
    Session session = sharingSession();
    for (const char* text : {"seek 3", "range 1 4", "look-up P", "view-only source", "watch 0x2000"}) {
        send(session, text);
    }
    const std::string report = stateReport(session);
    EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 0);
    const auto state = nlohmann::json::parse(report);
    EXPECT_EQ(state["accesses"], 7);
    EXPECT_EQ(state["position"], 3);
    EXPECT_EQ(state["range"]["from"], 1);
    EXPECT_EQ(state["range"]["to"], 4);
    EXPECT_EQ(state["playing"], false);
    EXPECT_EQ(state["views"], nlohmann::json::array({"source"}));
    EXPECT_EQ(state["active"], "source");
    EXPECT_EQ(state["watched"], nlohmann::json::array({"0x2000"}));
    EXPECT_EQ(state["undo"], session.history.undoable());
    // What was picked is told in the words of the command that picks it.
    Session again = sharingSession();
    send(again, "select-part " + state["selected"].get<std::string>());
    EXPECT_EQ(again.selected->target, session.selected->target);
}

TEST(StateReports, AreJsonWhateverNamesAre) {
    Session session;
    session.error = "bad \xff name\nand \"more\"";
    const auto state = nlohmann::json::parse(stateReport(session));
    EXPECT_EQ(state["error"], "bad \xef\xbf\xbd name\nand \"more\"");
    EXPECT_FALSE(state.contains("position")) << "nothing is open";
}

}  // namespace
}  // namespace whorl::app
