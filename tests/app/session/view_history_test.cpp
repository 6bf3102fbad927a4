// Undoing and redoing what commands change in the view, by law: for any sequence of commands, undoing all gives the
// first state, redoing all the last.
#include "app/session/view_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/session/command.h"
#include "app/session/transitions.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "app/tours/tour_session.h"
#include "support/random_commands.h"
#include "support/sessions.h"
#include "support/shared_trace.h"

namespace whorl::app {
namespace {

using random_commands::Random;

/// As the window does it: in a frame of its own.
void send(Session& session, const Command& command, double seconds = 2) {
    applyAll(session, {command});
    passTime(session, seconds);
}

bool looksLike(const Session& session, const std::shared_ptr<const ViewState>& state) {
    return *captureViewState(session) == *state;
}

std::vector<Command> randomCommands(Random& random) {
    std::vector<Command> commands;
    // They write, or read folders.
    static const std::set<std::string_view> kLeftOut = {"undo", "redo", "open-scene", "ask"};
    for (const CommandType& type : commandTypes()) {
        // A scene, and the stage, begin anew.
        const bool begins = type.id.starts_with("tour-") || type.id == "present";
        if (!begins && !kLeftOut.count(type.id)) commands.push_back(random_commands::randomCommand(random, type.id));
    }
    std::shuffle(commands.begin(), commands.end(), random);
    // Each change of one command alone is remembered for itself, so they must not be more than are kept.
    commands.resize(std::min<std::size_t>(commands.size(), ViewHistory::kMax - 1), commands.front());
    return commands;
}

TEST(ViewHistory, UndoingAllGivesTheFirstStateAndRedoingAllTheLast) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        Random random(seed);
        Session s = sharedSession();
        const auto first = captureViewState(s);
        for (const Command& command : randomCommands(random)) send(s, command, seed % 2 == 0 ? 0.01 : 2);
        const auto last = captureViewState(s);
        ASSERT_FALSE(*first == *last) << "else nothing is tested";
        const std::size_t changes = s.history.undoable();
        for (std::size_t i = 0; i < changes; ++i) send(s, command::Undo{});
        EXPECT_TRUE(looksLike(s, first)) << "seed " << seed;
        EXPECT_EQ(s.history.undoable(), 0u);
        for (std::size_t i = 0; i < changes; ++i) send(s, command::Redo{});
        EXPECT_TRUE(looksLike(s, last)) << "seed " << seed;
    }
}

TEST(ViewHistory, EachStepGivesTheStateBeforeIt) {
    Random random(7);
    Session s = sharedSession();
    std::vector<std::shared_ptr<const ViewState>> states{captureViewState(s)};
    for (const Command& command : randomCommands(random)) {
        send(s, command);
        if (*states.back() != *captureViewState(s)) states.push_back(captureViewState(s));
    }
    ASSERT_GT(states.size(), 20u);
    for (std::size_t i = states.size() - 1; i-- > 0;) {
        send(s, command::Undo{});
        ASSERT_TRUE(looksLike(s, states[i])) << i;
    }
}

TEST(ViewHistory, ThePlayheadIsNoPartOfIt) {
    Session s = sharedSession();
    send(s, changeOf("ground", scene::Ground::light));
    send(s, command::Seek{5});
    send(s, command::Play{});
    send(s, command::Undo{});
    EXPECT_EQ(s.ground, scene::Ground::dark);
    EXPECT_TRUE(s.player.position() >= 5);
    send(s, command::Undo{});
    EXPECT_EQ(s.message, "There is nothing to undo.");
    send(s, command::Redo{});
    EXPECT_EQ(s.ground, scene::Ground::light);
    send(s, command::Redo{});
    EXPECT_EQ(s.message, "There is nothing to redo.");
}

TEST(ViewHistory, ADragIsOneChangeUntilItRests) {
    Session s = sharedSession();
    send(s, command::ZoomAt{2, {0, 0}});
    const std::size_t before = s.history.undoable();
    for (int i = 0; i < 50; ++i) send(s, command::Drag{{0.01f, 0}}, 0.02);
    EXPECT_EQ(s.history.undoable(), before + 1);
    passTime(s, 2);
    send(s, command::Drag{{0.01f, 0}}, 0.02);
    EXPECT_EQ(s.history.undoable(), before + 2);
    send(s, changeOf("ground"), 0.02);
    send(s, changeOf("ground"), 0.02);
    EXPECT_EQ(s.history.undoable(), before + 4) << "each press of a key that switches is a change";
}

TEST(ViewHistory, ANewChangeEndsWhatCouldBeRedone) {
    Session s = sharedSession();
    press(s, "b");
    send(s, changeOf("ground"));
    send(s, command::Undo{});
    EXPECT_EQ(s.history.redoable(), 1u);
    send(s, changeOf("lecture", true));
    EXPECT_EQ(s.history.redoable(), 0u);
}

TEST(ViewHistory, IsBounded) {
    Session s = sharedSession();
    for (std::size_t i = 0; i < ViewHistory::kMax + 50; ++i) send(s, changeOf("ground"));
    EXPECT_EQ(s.history.undoable(), ViewHistory::kMax);
}

TEST(ViewHistory, AnotherRunHasAnother) {
    Session s = sharedSession();
    send(s, command::PickRegion{1});
    EXPECT_EQ(s.history.undoable(), 1u);
    enterRun(s, sharedSession().opened);
    EXPECT_EQ(s.history.undoable(), 0u);
    send(s, command::Undo{});
    EXPECT_EQ(s.region, std::nullopt);
}

/// What was opened is opened again when that is undone, with what was chosen there.
TEST(ViewHistory, OpeningIsUndone) {
    Session s;
    s.requests.add(request::Open{OpenRequest{.input = "matmul:n=4", .machine = "256/1/32"}});
    openAll(s);
    send(s, command::PickRegion{1});
    send(s, command::Seek{77});
    const auto first = captureViewState(s);
    for (const Command& opens :
         {Command(command::Open{"vecadd"}), Command(command::Machine{"512/2/32"}),
          Command(command::Interleaving{sim::AccessOrder::recorded}), Command(command::Option{"n", "5"})}) {
        const OpenRequest before = s.opened.request;
        send(s, opens);
        openAll(s);
        send(s, changeOf("ground"));
        send(s, command::Seek{3});
        const OpenRequest after = s.opened.request;
        ASSERT_FALSE(isSameRun(before, after)) << opens.text();
        send(s, command::Undo{});
        EXPECT_TRUE(isSameRun(s.opened.request, after)) << "first what was changed there";
        send(s, command::Undo{});
        send(s, command::Undo{});
        EXPECT_FALSE(s.refused.empty()) << "it is not open yet";
        openAll(s);
        passTime(s, 0.1);
        EXPECT_TRUE(isSameRun(s.opened.request, before)) << opens.text();
        EXPECT_EQ(s.player.position(), 77) << opens.text();
        EXPECT_TRUE(looksLike(s, first)) << opens.text();
        send(s, command::Redo{});
        openAll(s);
        send(s, command::Redo{});
        EXPECT_TRUE(isSameRun(s.opened.request, after)) << opens.text();
        EXPECT_EQ(s.ground, scene::Ground::light);
        send(s, command::Undo{});
        send(s, command::Undo{});
        openAll(s);
        passTime(s, 0.1);
    }
    EXPECT_TRUE(looksLike(s, first));
    send(s, command::Undo{});
    EXPECT_EQ(s.region, std::nullopt) << "and what was changed before it";
}

TEST(ViewHistory, ATourIsLeftByUndoing) {
    Session s;
    s.requests.add(request::Open{OpenRequest{.input = "matmul:n=4", .machine = "256/1/32"}});
    openAll(s);
    send(s, command::PickRegion{1});
    send(s, command::Seek{77});
    const auto before = captureViewState(s);
    enterTour(s, {.tour = *tourFrom("rings")});
    openAll(s);
    pass(s, 2);
    nextStep(s);
    openAll(s);
    pass(s, 2);
    send(s, changeOf("legend"));
    send(s, command::Undo{});
    ASSERT_TRUE(s.presentation);
    EXPECT_EQ(s.presentation->scene, 1U);
    send(s, command::Undo{});
    openAll(s);
    pass(s, 1);
    EXPECT_FALSE(s.presentation);
    EXPECT_EQ(s.opened.request.input, "matmul:n=4");
    EXPECT_EQ(s.player.position(), 77);
    EXPECT_TRUE(looksLike(s, before));
    send(s, command::Redo{});
    openAll(s);
    ASSERT_TRUE(s.presentation);
    EXPECT_EQ(s.presentation->scene, 1U);
    // And after it was closed.
    closeTour(s);
    send(s, command::Undo{});
    openAll(s);
    pass(s, 1);
    EXPECT_EQ(s.opened.request.input, "matmul:n=4");
    EXPECT_TRUE(looksLike(s, before));
}

/// Where it cannot be opened, it is told, and nothing is awaited.
TEST(ViewHistory, WhatIsNotThereAnyMoreIsTold) {
    Session s;
    s.requests.add(request::Open{OpenRequest{.input = "matmul:n=4"}});
    openAll(s);
    send(s, command::Open{"vecadd"});
    openAll(s);
    send(s, command::Undo{});
    ASSERT_TRUE(s.requests.take<request::Open>());
    failOpening(s, sim::fail("a.trace", "there is no such file").value());
    EXPECT_FALSE(s.error.empty());
    EXPECT_EQ(s.opened.request.input, "vecadd");
    send(s, command::Redo{});
    EXPECT_TRUE(s.refused.empty());
    EXPECT_EQ(s.opened.request.input, "vecadd");
}

/// What a view chooses by itself is no change of the user's.
TEST(ViewHistory, WhatAViewChoosesByItselfIsNotUndone) {
    Session s = sharedSession();
    send(s, command::Camera{{ViewId::Kind::sources}, false, {}});
    send(s, command::WordsFit{true});
    EXPECT_EQ(s.history.undoable(), 0u);
}

}  // namespace
}  // namespace whorl::app
