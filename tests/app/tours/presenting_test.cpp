// A tour is walked: what a scene shows does not depend on the way to it, loops end before the next step, questions wait
// for their answers, and everything is again as the user has it.
#include "app/tours/presenting.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "app/session/state_file.h"
#include "app/tours/tour_catalogue.h"
#include "app/tours/tour_session.h"
#include "sim/analysis/quiz/question.h"
#include "sim/report/quiz/quiz_words.h"

namespace whorl::app {
namespace {

constexpr const char* kTour = R"({"title": "T", "source": "S", "scenes": [
    {"id": "a", "title": "A", "words": "See a.", "input": "matmul:n=4", "machine": "256/1/32", "at": 10, "to": 30,
     "seconds": 2, "wait": "loop", "history": 7},
    {"id": "b", "title": "B", "words": "See b.", "at": 40, "camera": {"zoom": 3, "focus": [0.5, 0]},
     "commands": ["ground light", "watch 0x10000"]},
    {"id": "c", "title": "C", "words": "See c.", "machine": "256/2/32",
     "question": {"text": "Hit or miss?", "choices": ["hit", "miss"], "answer": "miss", "why": "It was evicted."}},
    {"id": "d", "title": "D", "words": "See d.", "input": "matmul:n=5", "with": "matmul:n=5,variant=blocked", "at": 20,
     "to": 60, "pace": 100, "wait": 1},
    {"id": "e", "title": "E", "words": "See e.", "input": "conflict", "at": 3}]})";

/// All that decides on the picture of a scene that has come to rest.
std::string seen(const Session& s) {
    std::string views;
    for (const ViewId& view : s.viewSettings.shown) views += wordOf(view) + " ";
    return fmt::format("{} on {} at {} zoom {} {} {} trails {} watched {} ground {} beside {} views {} {}",
                       s.opened.request.input, s.opened.request.machine, s.player.position(), s.camera.now().zoom,
                       s.camera.now().focus.x, s.camera.now().focus.y, s.trails, s.watched.size(), wordOf(s.ground),
                       s.compared.size(), views, s.sceneText ? s.sceneText->title + s.sceneText->words : "");
}

/// Without the stage no scene goes on by itself.
std::string shownAt(std::size_t scene) {
    Session s;
    begin(s, *parseTour(kTour, "t.json"), scene);
    pass(s, 5);
    return seen(s);
}

/// Who waits for the end of all moves is answered, whenever a scene is left.
TEST(Presenting, ASceneThatIsLeftMovesNothing) {
    for (const double after : {0.0, 0.1, 0.5, 3.0}) {
        for (const bool closes : {false, true}) {
            Session s;
            begin(s, kTour);
            pass(s, after);
            if (closes) {
                closeTour(s);
            } else {
                goToScene(s, 4);  // its run is never opened
            }
            for (int i = 0; i < 60; ++i) passTime(s, 1.0 / 30);
            EXPECT_FALSE(s.player.moving()) << after;
            EXPECT_FALSE(closes && s.player.playing()) << after;
        }
    }
}

TEST(Presenting, WhatASceneShowsDoesNotDependOnTheWay) {
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < 5; ++i) expected.push_back(shownAt(i));
    std::mt19937 random(1);
    Session s;
    begin(s, kTour);
    for (int step = 0; step < 40; ++step) {
        const auto to = static_cast<std::uint32_t>(random() % 5);
        apply(s, command::TourGo{to});
        openAll(s);
        if (random() % 3 == 0) {
            // The user looks around on the way.
            apply(s, command::Seek{17});
            apply(s, command::ZoomIn{});
            apply(s, command::TrailsLonger{});
            apply(s, command::TourGo{to});
            openAll(s);
        }
        pass(s, 5);
        if (to == 0) continue;  // it loops
        EXPECT_EQ(seen(s), expected[to]) << "step " << step;
    }
}

TEST(Presenting, TheEndSaysWhatToTryNext) {
    Session s;
    const Tour tour = *tourFrom("cache-basics");
    begin(s, tour, tour.scenes.size() - 1);
    while (s.message.empty() && s.presentation->asks()) apply(s, command::TourNext{});
    EXPECT_EQ(s.message, "") << "it is not over";
    apply(s, command::TourNext{});
    EXPECT_EQ(s.message, "The tour ends here. " + tour.next);
    EXPECT_EQ(adviceAfter(Tour{.title = "Mine"}), "Open a file or program of your own: Ctrl+O.");
    s.message.clear();
    apply(s, command::Present{true});
    apply(s, command::TourNext{});
    EXPECT_EQ(s.message, "");
    EXPECT_EQ(s.sceneText->words, tour.next) << "an audience reads it in place of the last step";
    apply(s, command::TourPrevious{});
    openAll(s);
    EXPECT_NE(s.sceneText->words, tour.next);
}

/// A highlight appears a pause after the sight is still, and the stretch begins a pause after that; what the scene
/// before has highlighted stays.
TEST(Presenting, WhatASceneHighlightsAppearsAfterItsTransition) {
    constexpr const char* kPicks = R"({"scenes": [
        {"id": "a", "title": "A", "words": "See a.", "input": "matmul:n=4"},
        {"id": "b", "title": "B", "words": "See b.", "at": 40, "to": 60, "commands": ["watch 0x10000"]},
        {"id": "c", "title": "C", "words": "See c.", "at": 50, "history": 9, "commands": ["select 0x10020"],
         "question": {"text": "Hit?", "choices": ["yes", "no"], "answer": "no"}}]})";
    const double pause = SceneTime::kPause;
    Session s;
    begin(s, kPicks);
    apply(s, command::TourGo{1});
    pass(s, 1 + 0.9 * pause);
    EXPECT_TRUE(s.watched.empty());
    pass(s, 0.2 * pause);
    EXPECT_EQ(s.watched.size(), 1u);
    EXPECT_EQ(s.player.position(), 40);
    pass(s, 0.8 * pause);
    EXPECT_EQ(s.player.position(), 40);
    pass(s, 0.4 * pause);
    EXPECT_GT(s.player.position(), 40);

    apply(s, command::TourGo{2});
    EXPECT_EQ(s.watched.size(), 1u) << "it goes on";
    EXPECT_EQ(s.trails, 9u) << "it arranges at once";
    EXPECT_FALSE(s.selected);
    pass(s, 1 + 1.1 * pause);
    EXPECT_TRUE(s.selected) << "a question waits only then";

    for (const bool answers : {true, false}) {
        apply(s, command::TourGo{2});
        pass(s, 0.2);
        if (answers) {
            apply(s, command::TourAnswer{1});
        } else {
            apply(s, command::Seek{3});
            pass(s, 0.1);
        }
        EXPECT_TRUE(s.selected) << "not later either, for whom does not wait";
    }
    s.reducedMotion = true;
    apply(s, command::TourGo{1});
    EXPECT_EQ(s.watched.size(), 1u);
}

TEST(Presenting, ALoopEndsBeforeTheNextStep) {
    Session s;
    begin(s, kTour);
    pressKey(s, "F11");
    pass(s, SceneTime::kPause + 1);
    EXPECT_EQ(s.presentation->scene, 0u);
    EXPECT_TRUE(s.player.moving());
    const double position = s.player.position();
    EXPECT_GT(position, 10);
    EXPECT_LT(position, 30);
    pressKey(s, "PageDown");
    EXPECT_EQ(s.presentation->scene, 0u) << "it plays to its end";
    double last = position;
    for (int frame = 0; frame < 300 && s.presentation->scene == 0; ++frame) {
        ASSERT_GE(s.player.position(), last) << "and does not begin again";
        last = s.player.position();
        pass(s, 0.034);
    }
    EXPECT_NEAR(last, 30, 0.5);
    EXPECT_EQ(s.presentation->scene, 1u);
}

TEST(Presenting, TheCameraAndThePlayheadComeFromTheSceneBefore) {
    Session s;
    begin(s, kTour);
    pass(s, 1);
    const double from = s.player.position();
    apply(s, command::TourGo{1});
    openAll(s);
    double position = from;
    float zoom = 1;
    for (int i = 0; i < 40; ++i) {
        pass(s, 0.034);
        EXPECT_GE(s.player.position(), position);
        EXPECT_GE(s.camera.now().zoom, zoom);
        EXPECT_LT(s.player.position() - position, 4) << "nothing jumps";
        EXPECT_LT(s.camera.now().zoom / zoom, 1.2f);
        position = s.player.position();
        zoom = s.camera.now().zoom;
    }
    EXPECT_EQ(position, 40);
    EXPECT_FLOAT_EQ(zoom, 3);
}

TEST(Presenting, AQuestionWaitsForItsAnswer) {
    Session s;
    begin(s, kTour);
    pressKey(s, "F11");
    apply(s, command::TourGo{2});
    openAll(s);
    pass(s, 3);
    EXPECT_EQ(s.sceneText->title, "Hit or miss?");
    EXPECT_EQ(s.sceneText->words, "1)\u00a0hit    2)\u00a0miss");
    Session next = s;
    Session other = s;
    pressKey(other, "Alt+2");
    EXPECT_EQ(other.sceneText->title, "Hit or miss? Right: miss") << "the keys of predictions answer, too";
    pressKey(s, "1");
    EXPECT_EQ(s.sceneText->title, "Hit or miss? Not so. Answer: miss");
    EXPECT_EQ(s.sceneText->words, "It was evicted. See c.");
    pressKey(s, "2");
    EXPECT_EQ(s.sceneText->title, "Hit or miss? Not so. Answer: miss") << "it is answered once";
    pressKey(next, "PageDown");
    EXPECT_EQ(next.sceneText->title, "Hit or miss? Answer: miss") << "nobody has chosen";
    EXPECT_EQ(next.presentation->scene, 2u);
    pressKey(next, "PageDown");
    EXPECT_EQ(next.presentation->scene, 3u);
}

/// A scene of a small loop, which asks what its first access does.
std::string predicting(int at, const std::string& question) {
    return fmt::format(
        R"({{"title": "T", "scenes": [{{"id": "a", "title": "A", "words": "See a.", "input": "matmul:n=4",
        "machine": "256/1/32, 512/2/32", "at": {}, "to": {}, "question": {}}}]}})",
        at, at + 4, question);
}

/// The block that leaves is called by its first element.
std::string victimIn(const sim::Question& asked, const sim::Run& run) {
    if (!asked.victim) return "none";
    return run.trace().placeOf(sim::ByteAddress{asked.victim->value * 32}, asked.tick);
}

TEST(Presenting, AWrongPredictionTellsTheLikelyError) {
    int told = 0;
    for (const char* part : {"outcome", "set", "victim"}) {
        for (int at = 3; at < 60; at += 4) {
            Session fresh;
            begin(fresh, predicting(at, fmt::format(R"({{"predict": "{}"}})", part)));
            pass(fresh, 3);
            const Question question = *fresh.presentation->question;
            ASSERT_EQ(question.errors.size(), question.choices.size());
            for (std::size_t i = 0; i < question.choices.size(); ++i) {
                Session s = fresh;
                apply(s, command::TourAnswer{static_cast<std::uint32_t>(i)});
                const bool isRight = question.choices[i] == question.answer;
                EXPECT_TRUE(!isRight || question.errors[i].empty());
                EXPECT_EQ(
                    s.sceneText->words.starts_with(question.errors[i].empty() ? question.why : question.errors[i]),
                    true);
                if (question.errors[i].empty()) continue;
                EXPECT_TRUE(question.errors[i].starts_with("That is ")) << question.errors[i];
                ++told;
            }
        }
    }
    EXPECT_GT(told, 15);
}

TEST(Presenting, ASceneAsksWhatItsFirstAccessDoes) {
    for (const char* part : {"outcome", "set", "victim"}) {
        for (int at = 3; at < 60; at += 4) {
            Session s;
            begin(s, predicting(at, fmt::format(R"({{"predict": "{}", "why": "So it is."}})", part)));
            pass(s, 3);
            const auto asked = sim::questionAt(*s.opened.run, 0, sim::Tick{static_cast<std::uint64_t>(at)});
            ASSERT_TRUE(asked);
            ASSERT_TRUE(s.presentation->question);
            const Question& question = *s.presentation->question;
            EXPECT_EQ(s.player.position(), at) << "nothing of it is seen";
            EXPECT_NE(question.text.find(fmt::format("{:#x}", asked->access.address.value)), std::string::npos);
            const std::string answer = part == std::string("outcome") ? std::string(sim::outcomeInWords(*asked))
                                       : part == std::string("set")   ? fmt::format("set {}", asked->fields.set)
                                                                      : victimIn(*asked, *s.opened.run);
            EXPECT_EQ(question.answer, answer);
            EXPECT_EQ(std::count(question.choices.begin(), question.choices.end(), answer), 1);
            EXPECT_LE(question.choices.size(), Question::kMaxChoices);
            EXPECT_TRUE(question.why.ends_with("So it is."));
            const bool evicts = part != std::string("set") && asked->victim;
            EXPECT_TRUE(!evicts || question.why.find(victimIn(*asked, *s.opened.run)) != std::string::npos);
            const auto right = std::find(question.choices.begin(), question.choices.end(), answer);
            apply(s, command::TourAnswer{static_cast<std::uint32_t>(right - question.choices.begin())});
            EXPECT_NE(s.sceneText->title.find("Right: " + answer), std::string::npos) << s.sceneText->title;
            pass(s, 20);
            EXPECT_EQ(s.player.position(), at + 4) << "it plays on";
        }
    }
}

TEST(Presenting, WhatCannotBePredictedIsSaid) {
    Session s;
    begin(s, predicting(3, R"({"predict": "outcome", "level": "L9"})"));
    EXPECT_FALSE(s.presentation->asks());
    EXPECT_EQ(s.error, "Scene \"a\" asks nothing: the machine has no level \"L9\"; its levels are L1 and L2");
    pass(s, 20);
    EXPECT_EQ(s.player.position(), 7) << "it plays all the same";
}

TEST(Presenting, ANewMachineGrowsOutOfTheRingsBefore) {
    Session s;
    begin(s, *parseTour(kTour, "t.json"), 1);
    pass(s, 3);
    EXPECT_TRUE(s.ringView.growth.outer.empty());
    apply(s, command::TourGo{2});  // on another machine
    openAll(s);
    ASSERT_EQ(s.ringView.growth.outer.size(), 1u);
    float share = -1;
    for (int i = 0; i < 20; ++i) {
        EXPECT_GT(s.ringView.growth.share, share);
        share = s.ringView.growth.share;
        pass(s, 1.0 / 30);
    }
    Session taken = s;
    apply(taken, command::Seek{3});
    passTime(taken, 0.1);
    EXPECT_TRUE(taken.ringView.growth.outer.empty()) << "who takes the playhead has the whole rings";
    pass(s, 2);
    EXPECT_TRUE(s.ringView.growth.outer.empty());
}

TEST(Presenting, ScenesThatWaitForSecondsGoOnOnlyOnStage) {
    Session s;
    begin(s, *parseTour(kTour, "t.json"), 3);
    ASSERT_EQ(s.compared.size(), 1u);
    pass(s, 8);
    EXPECT_EQ(s.presentation->scene, 3u);
    pressKey(s, "F11");
    apply(s, command::TourGo{3});
    pass(s, 8);
    EXPECT_EQ(s.presentation->scene, 4u);
    EXPECT_TRUE(s.compared.empty());
}

TEST(Presenting, EveryKeyOfAClickerGoesOn) {
    for (const char* key : {"PageDown", "Right", "Space", "Enter", "Down"}) {
        Session s;
        begin(s, *parseTour(kTour, "t.json"), 1);
        pressKey(s, "F11");
        pressKey(s, key);
        EXPECT_EQ(s.presentation->scene, 2u) << key;
    }
    for (const char* key : {"PageUp", "Left", "Up"}) {
        Session s;
        begin(s, *parseTour(kTour, "t.json"), 2);
        pressKey(s, "F11");
        pressKey(s, key);
        EXPECT_EQ(s.presentation->scene, 1u) << key;
    }
}

TEST(Stage, ShowsThePictureAndItsWordsAlone) {
    Session s;
    begin(s, kTour);
    s.help = true;
    pressKey(s, "F11");
    EXPECT_FALSE(s.panels);
    EXPECT_TRUE(s.caption);
    EXPECT_TRUE(s.lecture);
    EXPECT_FALSE(s.help);
    pressKey(s, "F11");
    EXPECT_TRUE(s.panels);
    EXPECT_FALSE(s.caption);
    EXPECT_FALSE(s.lecture);
}

TEST(Stage, WhatBelongsToAStepLeavesWithIt) {
    Session s;
    begin(s, *parseTour(kTour, "t.json"), 1);
    pressKey(s, "F11");
    pressKey(s, "d");
    apply(s, command::PenDown{{1, 2}});
    apply(s, command::PenTo{{3, 4}});
    EXPECT_EQ(s.talk.strokes, (std::vector<Stroke>{{{1, 2}, {3, 4}}}));
    pressKey(s, "p");
    EXPECT_FALSE(s.talk.pen) << "the mouse is one of both";
    EXPECT_TRUE(s.talk.pointer);
    changeOf("panels", true).applyTo(s);
    pressKey(s, "PageDown");
    EXPECT_TRUE(s.talk.strokes.empty());
    EXPECT_FALSE(s.talk.pointer);
    EXPECT_FALSE(s.panels);
    pressKey(s, "b");
    EXPECT_TRUE(s.talk.blank);
    pressKey(s, "Space");
    EXPECT_FALSE(s.talk.blank);
    EXPECT_EQ(s.presentation->scene, 2u) << "the first key brings the picture back";
}

TEST(Stage, TheClockPauses) {
    Session s;
    begin(s, kTour);
    pressKey(s, "F11");
    pass(s, 2);
    EXPECT_NEAR(s.talk.clock, 2, 0.01);
    pressKey(s, "c");
    pass(s, 3);
    EXPECT_NEAR(s.talk.clock, 2, 0.01);
    pressKey(s, "c");
    pass(s, 1);
    EXPECT_NEAR(s.talk.clock, 3, 0.01);
    pressKey(s, "Shift+C");
    EXPECT_EQ(s.talk.clock, 0);
}

TEST(Presenting, TheSettingsOfScenesAreNotThoseOfTheUser) {
    Session s;
    const std::string before = stateOf(s);
    begin(s, kTour);
    pressKey(s, "F11");
    for (std::uint32_t i = 0; i < 5; ++i) {
        apply(s, command::TourGo{i});
        openAll(s);
        pass(s, 1);
        EXPECT_EQ(stateOf(s), before) << i;
    }
    pressKey(s, "F11");
    apply(s, command::TourClose{});
    EXPECT_FALSE(s.presentation);
    EXPECT_EQ(stateOf(s), before);
    EXPECT_EQ(s.trails, Session{}.trails);
}

TEST(Presenting, WhatWasChangedDuringTheTalkIsAsPlannedAtTheNextStep) {
    Session s;
    begin(s, kTour);
    pressKey(s, "F11");
    apply(s, command::Machine{"1K/4/32"});
    openAll(s);
    EXPECT_EQ(s.opened.request.machine, "1K/4/32");
    pressKey(s, "PageDown");
    openAll(s);
    if (s.presentation->scene == 0) pass(s, 4);
    EXPECT_EQ(s.presentation->scene, 1u);
    EXPECT_EQ(s.opened.request.machine, "256/1/32");
}

TEST(Presenting, AnotherInputIsNotTakenForAScenesThatCannotBeOpened) {
    Session s;
    begin(s, R"({"scenes": [
        {"id": "a", "title": "A", "words": "See a.", "input": "matmul:n=4", "at": 5},
        {"id": "b", "title": "B", "words": "See b.", "input": "missing.trace", "at": 9, "commands": ["ground light"]},
        {"id": "c", "title": "C", "words": "See c.", "input": "conflict", "at": 7}]})");
    apply(s, command::TourNext{});
    ASSERT_EQ(s.requests.take<request::Open>()->input, "missing.trace");
    failOpening(s, {.where = "missing.trace", .what = "there is no such file", .hint = {}, .cancelled = false});
    EXPECT_FALSE(s.error.empty());
    apply(s, command::Open{"matmul:n=5"});
    openAll(s);
    EXPECT_EQ(s.ground, scene::Ground::dark) << "it is not the scene's run";
    EXPECT_FALSE(s.sceneText);
    apply(s, command::TourNext{});
    openAll(s);
    pass(s, 2);
    EXPECT_EQ(s.presentation->scene, 2u);
    EXPECT_EQ(s.player.position(), 7);
}

}  // namespace
}  // namespace whorl::app
