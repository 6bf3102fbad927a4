// A talk goes on as it is planned, whatever is pressed, clicked or typed on the way, and whoever gives it: what decides
// on the picture of a step is compared with that of a talk in which nothing else was done.
#include <fmt/format.h>

#include <map>
#include <random>

#include "app/session/command.h"
#include "app/session/state_file.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "app/tours/tour_session.h"
#include "app/window/keys.h"
#include "support/random_commands.h"

namespace whorl::app {
namespace {

/// What a session asks for is opened, once for all tests.
void openKept(Session& session) {
    static std::vector<Opened> known;
    const auto opened = [](const OpenRequest& request) {
        std::shared_ptr<const sim::Trace> trace;
        for (const Opened& run : known) {
            if (isSameRun(run.request, request)) return run;
            if (run.request.input == request.input) trace = run.run->sharedTrace();
        }
        sim::Progress progress;
        known.push_back(open(request, trace, progress).value());
        known.back().run->build(progress);
        return known.back();
    };
    if (const auto request = session.requests.take<request::Open>()) enterRun(session, opened(*request));
    while (const auto request = takeComparedRequest(session)) enterCompared(session, {.opened = opened(*request)});
}

/// The scene has come to its moment.
void arrive(Session& s) {
    openKept(s);
    if (s.presentation->leaves) {
        passTime(s, *s.presentation->leaves - s.presentation->seconds + 1e-6);
        openKept(s);
    }
    passTime(s, std::max(0.0, s.presentation->time.arrival() - s.presentation->seconds));
}

Session talkAt(const Tour& tour, std::size_t scene, Session session = {}) {
    beginTour(session, tour, "", scene, {});
    goToScene(session, scene);
    apply(session, command::Present{true});
    arrive(session);
    return session;
}

/// What captureViewState() leaves out, and the picture is made of.
std::string shownBy(const Session& s) {
    std::string beside;
    for (const ComparedRun& other : s.compared) beside += nameOfInput(other.opened.request.input) + " ";
    const Camera::Sight& sight = s.camera.now();
    const bool hasCard = s.prompt.isOpen() || s.lookUp.open || s.help || s.overlays.picture || s.overlays.costs ||
                         s.overlays.regionColour || s.talk.list || s.talk.blank || !s.talk.strokes.empty();
    return fmt::format(
        "{} on {} {} beside {} at {} led {} sight {} {} {} told {} {} growth {} cards {} prediction {} "
        "search {} error {} focus {} pen {} {}",
        s.opened.request.input, s.opened.request.machine, s.opened.request.settings.size(), beside, s.player.position(),
        s.player.led(), sight.zoom, sight.focus.x, sight.focus.y, s.sceneText ? s.sceneText->title : "",
        s.sceneText ? s.sceneText->words : "", s.ringView.growth.outer.size(), hasCard, s.prediction.has_value(),
        s.search.has_value(), s.error, static_cast<int>(s.focus), s.talk.pen, s.talk.pointer);
}

/// The steps of a talk in which nothing is done but to go on.
class PlannedTalk {
  public:
    explicit PlannedTalk(Tour tour) : tour_(std::move(tour)) {}

    /// The session has come to a step as planned.
    void expect(const Session& s, const std::string& after) {
        const Presentation& p = *s.presentation;
        const Session& planned = at(p.scene, p.answered, p.chosen);
        ASSERT_TRUE(s.talk.on) << after;
        EXPECT_EQ(shownBy(s), shownBy(planned)) << tour_.scenes[p.scene].id << " after " << after;
        EXPECT_TRUE(*captureViewState(s) == *captureViewState(planned))
            << tour_.scenes[p.scene].id << " after " << after;
    }
    const Session& at(std::size_t scene, bool answered = false, std::optional<std::size_t> chosen = {}) {
        const auto key = std::tuple(scene, answered, chosen);
        if (const auto known = steps_.find(key); known != steps_.end()) return known->second;
        Session s = talkAt(tour_, scene);
        if (chosen) apply(s, command::TourAnswer{static_cast<std::uint32_t>(*chosen)});
        if (answered && !chosen) apply(s, command::TourNext{});
        arrive(s);
        return steps_.emplace(key, std::move(s)).first->second;
    }

  private:
    Tour tour_;
    std::map<std::tuple<std::size_t, bool, std::optional<std::size_t>>, Session> steps_;
};

/// A talk that has gone astray goes on.
void goOn(Session& s) {
    openKept(s);
    passTime(s, 0.05);
    if (!s.talk.on) press(s, "F11");
    if (s.talk.blank) press(s, "PageDown");  // the first key brings the picture back
    press(s, "PageDown");
    arrive(s);
}

/// All chords that do something on stage.
std::vector<std::string> chordsOnStage(const Session& s) {
    std::vector<std::string> names{"Space",  "Enter", "Escape", "Tab",    "Backspace", "Insert",
                                   "Delete", "Home",  "End",    "PageUp", "PageDown",  "Left",
                                   "Right",  "Up",    "Down",   "Pause",  "Menu"};
    for (char c = '!'; c <= '~'; ++c) {
        if (c < 'A' || c > 'Z') names.emplace_back(1, c);
    }
    for (int f = 1; f <= 15; ++f) names.push_back(fmt::format("F{}", f));
    std::vector<std::string> chords;
    for (const std::string& name : names) {
        for (int held = 0; held < 8; ++held) {
            const bool ctrl = (held & 1) != 0;
            const bool shift = (held & 2) != 0;
            std::string keys = chord({.name = name, .ctrl = ctrl, .shift = shift, .alt = (held & 4) != 0});
            if (bindingForKey(keys, s) != nullptr) chords.push_back(std::move(keys));
        }
    }
    return chords;
}

TEST(Talk, NoKeyDerailsIt) {
    for (const std::string& name : tourNames()) {
        const Tour tour = *tourFrom(name);
        PlannedTalk planned(tour);
        for (std::size_t i = 0; i + 1 < tour.scenes.size(); ++i) {
            const auto chords = chordsOnStage(planned.at(i));
            ASSERT_GT(chords.size(), 40u);
            for (const std::string& keys : chords) {
                Session s = planned.at(i);
                press(s, keys);
                if (s.presentation->isLast()) continue;  // the key has gone on, and nothing comes any more
                goOn(s);
                planned.expect(s, fmt::format("{} in {} {}", keys, name, i));
            }
        }
    }
}

TEST(Talk, NothingTypedDerailsIt) {
    for (const std::string& name : tourNames()) {
        const Tour tour = *tourFrom(name);
        PlannedTalk planned(tour);
        for (std::size_t i = 0; i + 1 < tour.scenes.size(); ++i) {
            for (const char* text : {"machine 128/4/32", "open matmul:n=4", "panels on", "live on", "costs", "help",
                                     "lecture off", "caption off", "trails 3", "loop on", "cpu 0", "range 2 9",
                                     "grain elements", "legend", "look-up 0", "predict"}) {
                Session s = planned.at(i);
                press(s, "m");
                EXPECT_TRUE(s.prompt.isOpen());
                apply(s, command::Do{text});
                goOn(s);
                planned.expect(s, fmt::format("{} in {} {}", text, name, i));
            }
        }
    }
}

/// Random commands of the lists that clicks and drags on the pictures give.
template <class... List>
Commands randomClicks(random_commands::Random& random, List... lists) {
    Commands all;
    const auto add = [&](auto list) {
        decltype(list)::forEach([&]<class C>() {
            if (random() % 4 == 0) all.push_back(random_commands::randomCommand<C>(random));
        });
    };
    (add(lists), ...);
    return all;
}

TEST(Talk, NoClickDerailsIt) {
    random_commands::Random random(5);
    for (const std::string& name : tourNames()) {
        const Tour tour = *tourFrom(name);
        PlannedTalk planned(tour);
        for (std::size_t i = 0; i + 1 < tour.scenes.size(); ++i) {
            Session s = planned.at(i);
            applyAll(s, randomClicks(random, command::ViewCommands{}, command::CellCommands{}, command::PlaceCommands{},
                                     command::CameraCommands{}, command::SelectionCommands{}, command::SearchCommands{},
                                     command::TimeCommands{}));
            goOn(s);
            planned.expect(s, fmt::format("clicks in {} {}", name, i));
        }
    }
}

TEST(Talk, IsThatOfItsTourWhoeverGivesIt) {
    random_commands::Random random(7);
    for (const std::string& name : tourNames()) {
        const Tour tour = *tourFrom(name);
        PlannedTalk planned(tour);
        for (std::size_t i = 0; i < tour.scenes.size(); ++i) {
            Session person = planned.at(i);
            apply(person, command::TourClose{});
            applyAll(person, randomClicks(random, command::PictureCommands{}, command::ViewCommands{},
                                          command::CellCommands{}, command::PlaceCommands{}));
            closeCards(person);
            person.reducedMotion = false;
            // For all pictures.
            person.ground = scene::Ground::dark;
            person.uiScale = 1;
            const std::string own = stateOf(person);
            Session s = talkAt(tour, i, person);
            planned.expect(s, fmt::format("the settings of a person in {} {}", name, i));
            EXPECT_EQ(stateOf(s), own);
            Session started = person;
            startSession(started, {.request = runsOf(resolvedScene(tour, i), {}).first,
                                   .ground = {},
                                   .tour = TourStart{.tour = tour, .file = {}, .scene = i},
                                   .presents = true});
            openKept(started);
            EXPECT_EQ(started.ringView, planned.at(i).ringView) << name << " " << i;
            EXPECT_EQ(started.viewSettings.blocks, planned.at(i).viewSettings.blocks) << name << " " << i;
        }
    }
}

TEST(Talk, WhatWasToStandBesideAStepDoesNotComeLater) {
    Session s;
    begin(s, *parseTour(R"({"scenes": [
        {"id": "a", "title": "A", "words": "See a.", "input": "matmul:n=4", "machine": "256/1/32"},
        {"id": "b", "title": "B", "words": "See b.", "input": "matmul:n=4", "machine": "256/1/32",
         "with_machine": "256/2/32"},
        {"id": "c", "title": "C", "words": "See c.", "input": "matmul:n=4", "machine": "256/1/32"}]})",
                        "t.json"));
    s.requests.withdraw<request::DropCompared>();
    apply(s, command::TourGo{1});
    EXPECT_TRUE(s.requests.has<request::OpenCompared>());
    apply(s, command::TourGo{2});
    EXPECT_FALSE(s.requests.has<request::OpenCompared>());
    EXPECT_TRUE(s.requests.has<request::DropCompared>()) << "nor what is being opened";
}

TEST(Talk, WhileSomethingIsTypedNoStepComesByItself) {
    Session s;
    begin(s, *parseTour(R"({"scenes": [
        {"id": "a", "title": "A", "words": "See a.", "input": "matmul:n=4", "wait": 1},
        {"id": "b", "title": "B", "words": "See b.", "at": 5}]})",
                        "t.json"));
    press(s, "F11");
    press(s, "m");
    pass(s, 4);
    EXPECT_EQ(s.presentation->scene, 0u);
    EXPECT_TRUE(s.prompt.isOpen());
    press(s, "Escape");
    pass(s, 4);
    EXPECT_EQ(s.presentation->scene, 1u);
}

}  // namespace
}  // namespace whorl::app
