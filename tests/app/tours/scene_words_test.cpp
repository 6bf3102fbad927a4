// Numbers in the words of scenes: what they count, when they are there, and that editing and saving keeps the braces.
#include "app/tours/scene_words.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "app/commands/tour_commands.h"
#include "app/tasks/queued_runner.h"
#include "app/tasks/scene_telling.h"
#include "app/tasks/tour_player.h"
#include "app/tours/tour_check.h"
#include "app/tours/tour_editing.h"
#include "app/tours/tour_session.h"
#include "sim/replay/measuring.h"
#include "support/folder.h"
#include "support/said_scenes.h"

namespace whorl::app {
namespace {

/// A scene in JSON, with these keys besides.
std::string sceneJson(const std::string& keys, const std::string& words = "{L1.misses} misses.") {
    return fmt::format(R"({{"scenes": [{{"id": "a", "title": "A", "words": "{}", "input": "matmul:n=12",
                       "machine": "paper", {}}}]}})",
                       words, keys);
}
TourScene sceneOf(const std::string& json) {
    const auto tour = parseTour(json, "t.json");
    EXPECT_TRUE(tour) << tour.error().sentence();
    return resolvedScene(tour.value(), 0);
}

/// The count of a range, played from the beginning of the trace by whorl stats' own way.
std::uint64_t missesOf(const ShownRuns& runs, std::uint64_t from, std::uint64_t to) {
    sim::Progress progress;
    const auto measures = sim::measure(runs.first->sharedTrace(), runs.first->machine(),
                                       {sim::Tick{from}, sim::Tick{to}}, false, progress);
    return measures->counters.level(0).misses();
}

TEST(SceneWords, CountOverTheSpanOfTheScene) {
    struct Span {
        std::string keys;
        std::uint64_t from;
        std::uint64_t to;
    };
    for (const Span& span : {Span{R"("at": 500, "to": 900)", 500, 900}, Span{R"("at": 500)", 0, 500},
                             Span{R"("at": 99.35)", 0, 100}, Span{R"("at": 99.35, "to": 200.5)", 100, 201}}) {
        const TourScene scene = sceneOf(sceneJson(span.keys));
        const std::uint64_t misses = missesOf(runsOfScene(scene), span.from, span.to);
        EXPECT_GT(misses, 0u);
        EXPECT_EQ(withNumbers(scene).words, fmt::format("{} misses.", misses)) << span.keys;
    }
    const TourScene whole = sceneOf(sceneJson(R"("at": 10)", "{run.L1.misses} of {run.accesses}, {at}, {n}"));
    const ShownRuns runs = runsOfScene(whole);
    const std::uint64_t size = runs.first->trace().size();
    EXPECT_EQ(withNumbers(whole).words,
              fmt::format("{} of {}, 10, 12", sim::quantityInWords({static_cast<double>(missesOf(runs, 0, size))}),
                          sim::quantityInWords({static_cast<double>(size)})));
}

TEST(SceneWords, KnowWhatStandsBeside) {
    const TourScene scene = sceneOf(sceneJson(R"("with": "matmul:n=12,variant=blocked,block=4", "lock": "share",
                                                 "at": 1000, "to": 2000)",
                                              "{with.block} {with.accesses} {with.at} {with.L1.misses} {with.run.n}"));
    const ShownRuns runs = runsOfScene(scene);
    const double share =
        static_cast<double>(runs.second->trace().size()) / static_cast<double>(runs.first->trace().size());
    const ShownRuns second{.first = runs.second, .input = runs.secondInput};
    sim::Progress progress;
    SceneQuantities quantities(scene, runs, progress);
    EXPECT_NEAR(quantities.named("with.at")->value, 1000 * share, 1e-6);
    const auto from = static_cast<std::uint64_t>(std::ceil(quantities.named("with.at")->value));
    const auto to = static_cast<std::uint64_t>(std::ceil(quantities.named("with.to")->value));
    EXPECT_EQ(quantities.named("with.accesses")->value, static_cast<double>(to - from));
    EXPECT_EQ(quantities.named("with.L1.misses")->value, static_cast<double>(missesOf(second, from, to)));
    EXPECT_EQ(quantities.named("with.block")->value, 4);
    EXPECT_FALSE(quantities.named("with.with.block"));
    const TourScene alone = sceneOf(sceneJson(R"("at": 10)"));
    const ShownRuns one = runsOfScene(alone);
    SceneQuantities single(alone, one, progress);
    EXPECT_EQ(single.named("with.L1.misses").error().sentence(),
              "no run stands beside this one; name one in with, with_machine or with_settings, or leave out with.");
    EXPECT_EQ(single.named("variant").error().sentence(),
              "variant is \"standard\", which is no number; name another quantity");
}

TEST(SceneWords, BracesAreChecked) {
    const auto refused = [](const std::string& words) {
        const auto tour = parseTour(sceneJson(R"("at": 1)", words), "t.json");
        return tour ? "accepted" : tour.error().sentence();
    };
    EXPECT_EQ(refused("See {n}."), "accepted");
    EXPECT_EQ(refused("See {{n}."), "accepted");
    EXPECT_EQ(refused("See {4}."),
              "t.json: scenes[0].words: \"4\" names no quantity; name one, such as L1.misses, so that the number comes "
              "from the run");
    EXPECT_EQ(refused("See {n."),
              "t.json: scenes[0].words: a brace is not closed: \"{n.\"; write { … } around a quantity, and {{ for a "
              "brace in the text");
    EXPECT_EQ(refused("{n +}"),
              "t.json: scenes[0].words: \"n +\", character 4: a value is missing; give a number, or a quantity such as "
              "L1.misses");
    EXPECT_EQ(
        parseTour(sceneJson(R"("claim": "L1.misses")"), "t.json").error().sentence(),
        "t.json: scenes[0].claim: \"L1.misses\", character 10: nothing is compared; a claim has one of == != < <= "
        "> >=, as in L1.misses == 64");
    EXPECT_EQ(parseTour(sceneJson(R"("claim": ["n == 12", "n"])"), "t.json").error().sentence().substr(0, 30),
              "t.json: scenes[0].claim[1]: \"n");
    EXPECT_EQ(
        parseTour(sceneJson(R"("claim": 7)"), "t.json").error().sentence(),
        "t.json: scenes[0].claim: 7 is not a claim; give a text such as \"L1.misses == 64\", or a list of such texts");
    EXPECT_EQ(withNumbers(sceneOf(sceneJson(R"("at": 1)", "{{n} is {n}, }"))).words, "{n} is 12, }");
    EXPECT_EQ(filledIn(withoutBraces("for i { read A[i] }"), nullptr).value(), "for i { read A[i] }");
}

constexpr const char* kAsked = R"({"title": "T", "scenes": [
    {"id": "a", "title": "{n} x {n}", "words": "{L1.misses} of {accesses} miss.", "notes": "{L1.ways} ways.",
     "claim": ["L1.misses > 0", "n == 12"], "input": "matmul:n=12", "machine": "paper", "at": 100, "to": 300,
     "question": {"text": "How many of {accesses} miss?", "choices": ["{accesses}", "{L1.misses}"],
                  "answer": "{L1.misses}", "why": "L1 has {L1.ways} ways."}},
    {"id": "b", "title": "B", "words": "{run.accesses}.", "input": "matmul:n=8", "machine": "paper", "at": 5}]})";

/// In a window, the numbers come later than the picture; nothing waits for them, and no other stands there.
TEST(SceneWords, HaveGapsUntilTheNumbersAreThere) {
    Session s;
    beginTour(s, parseTour(kAsked, "t.json").value(), "", 0, {});
    goToScene(s, 0);
    sim::Progress progress;
    QueuedRunner runner;
    SceneTelling telling(runner);
    auto opened = open(*s.requests.take<request::Open>(), nullptr, progress).value();
    const auto run = opened.run;
    enterRun(s, std::move(opened));
    ASSERT_TRUE(s.presentation->entered);
    telling.update(s);
    EXPECT_EQ(runner.waiting(), 0u) << "the run is not built";
    EXPECT_EQ(s.sceneText->title, "How many of … miss?");
    EXPECT_EQ(s.sceneText->words, "1)\u00a0…    2)\u00a0…");
    answer(s, 1);
    EXPECT_TRUE(s.presentation->asks()) << "it has no choices yet";
    Session hasty = s;
    nextStep(hasty);
    EXPECT_EQ(hasty.sceneText->title, "How many of … miss? Answer: …") << "a talk goes on";
    run->build(progress);
    telling.update(s);
    EXPECT_EQ(runner.waiting(), 1u);
    EXPECT_TRUE(telling.working());
    passTime(s, 0.1);
    EXPECT_EQ(s.sceneText->title, "How many of … miss?");
    runner.runAll();
    telling.update(s);
    const std::string misses = fmt::format("{}", missesOf({.first = run, .input = ""}, 100, 300));
    EXPECT_EQ(s.sceneText->title, "How many of 200 miss?");
    EXPECT_EQ(s.sceneText->words, fmt::format("1)\u00a0200    2)\u00a0{}", misses));
    answer(s, 1);
    EXPECT_EQ(s.sceneText->title, "How many of 200 miss? Right: " + misses);
    EXPECT_EQ(s.sceneText->words, fmt::format("L1 has 8 ways. {} of 200 miss.", misses));
    SceneTelling late(runner);
    late.update(hasty);
    runner.runAll();
    late.update(hasty);
    EXPECT_EQ(hasty.sceneText->title, "How many of 200 miss? Answer: " + misses);
    EXPECT_EQ(saidScene(*s.presentation, 0).notes, "8 ways.");
    EXPECT_EQ(saidScene(*s.presentation, 1).words, "….") << "its run was not open yet";
    telling.update(s);
    EXPECT_FALSE(telling.working());
    EXPECT_EQ(runner.waiting(), 0u) << "nothing is computed twice";
}

TEST(SceneWords, EditingAndSavingKeepsTheBraces) {
    Session s;
    begin(s, kAsked);
    const Tour first = *s.presentation->tour;
    EXPECT_EQ(parseTour(tourText(first), "again.json").value(), first);
    EXPECT_EQ(resolvedScene(first, 0).words, "{L1.misses} of {accesses} miss.") << "what the panel edits";
    apply(s, command::TourSay{0, "words", "Now {L1.hits} hit."});
    openAll(s);
    EXPECT_EQ(s.presentation->own().words, "Now {L1.hits} hit.");
    EXPECT_EQ(saidScene(*s.presentation, 0).words.find('{'), std::string::npos);
    EXPECT_NE(tourText(*s.presentation->tour).find("Now {L1.hits} hit."), std::string::npos);
    const auto before = s.presentation->tour;
    apply(s, command::TourSay{0, "words", "Now {L1.hits hit."});
    EXPECT_EQ(s.presentation->tour, before) << "the file could not be read again";
    EXPECT_EQ(s.error.substr(0, 53), "The tour stays as it was: scenes[0].words: a brace is");
    apply(s, command::TourUndo{});
    openAll(s);
    EXPECT_EQ(*s.presentation->tour, first);
}

TEST(SceneWords, FilmsAndSlidesHaveTheNumbers) {
    const auto open = [](const OpenRequest& request, std::shared_ptr<const sim::Trace> known) -> sim::Expected<Opened> {
        sim::Progress progress;
        auto opened = app::open(request, std::move(known), progress);
        if (opened) opened->run->build(progress);
        return opened;
    };
    TourPlayer player(Session{}, {.tour = parseTour(kAsked, "t.json").value()}, {}, open);
    ASSERT_TRUE(player.enter(0));
    player.answerQuestion();
    EXPECT_EQ(player.session().sceneText->words, "L1 has 8 ways. " + player.scene().words);
    EXPECT_EQ(player.scene().title, "12 x 12");
    TourPlayer broken(Session{}, {.tour = parseTour(sceneJson(R"("at": 1)", "{L5.misses}"), "t.json").value()}, {},
                      open);
    const auto entered = broken.enter(0);
    ASSERT_FALSE(entered);
    EXPECT_EQ(entered.error().sentence(),
              "Scene \"a\": words: \"L5.misses\", character 1: there is no quantity \"L5.misses\"; did you mean "
              "\"L1.misses\"?");
}

std::vector<Finding> foundIn(const std::string& keys, const std::string& words = "See.") {
    const TourScene scene = sceneOf(sceneJson(keys, words));
    sim::Progress progress;
    return untrueIn(scene, runsOfScene(scene), progress).value();
}

TEST(TourCheck, FindsWhatIsNotTrue) {
    const std::string at = R"("at": 100, )";
    EXPECT_TRUE(foundIn(at + R"("claim": ["L1.misses > 0", "n == 12"])", "{n}").empty());
    EXPECT_EQ(foundIn(at + R"("claim": "n == 13")"),
              (std::vector<Finding>{{"claim", "\"n == 13\" does not hold: 12 is not equal to 13"}}));
    EXPECT_EQ(foundIn(at + R"("claim": ["n == 12", "accesses < 100"])"),
              (std::vector<Finding>{{"claim[1]", "\"accesses < 100\" does not hold: 100 is not less than 100"}}));
    EXPECT_EQ(foundIn(at + R"("claim": "L1.mises > 0")"),
              (std::vector<Finding>{{"claim",
                                     "\"L1.mises > 0\", character 1: there is no quantity \"L1.mises\"; did you mean "
                                     "\"L1.misses\"?"}}));
    EXPECT_EQ(foundIn(R"("at": 100)", "{L1.misess}"),
              (std::vector<Finding>{{"words",
                                     "\"L1.misess\", character 1: there is no quantity \"L1.misess\"; did you mean "
                                     "\"L1.misses\"?"}}));
    EXPECT_EQ(foundIn(at + R"("question": {"text": "?", "choices": ["{n}", "{n + 1}", "{accesses - 88}"],
                              "answer": "{n}"})"),
              (std::vector<Finding>{{"question.choices[2]", "\"12\" is the choice 1 too; the choices must differ"}}));
}

TEST(TourCheck, FindsPositionsAndSourcesAndFaults) {
    const TourScene scene = sceneOf(sceneJson(R"("at": 99, "to": 99999)"));
    const ShownRuns runs = runsOfScene(scene);
    EXPECT_EQ(positionsBeyond(scene, runs.first->trace()),
              (std::vector<Finding>{
                  {"to", fmt::format("99999 is after the end of the trace, which has {} accesses",
                                     sim::quantityInWords({static_cast<double>(runs.first->trace().size())}))}}));
    EXPECT_TRUE(missingSources(runs.first->trace(), "input").empty());
    const auto faulty = parseTour(sceneJson(R"("at": -1, "claim": "n", "question": {"text": "?", "choices": ["a", "b"],
                                               "answer": "c"})"),
                                  "t.json");
    const std::vector<Finding> faults = faultsOf(faulty.error(), "t.json");
    ASSERT_EQ(faults.size(), 3u);
    EXPECT_EQ(faults[0].path, "scenes[0].claim");
    EXPECT_EQ(faults[1].path, "scenes[0].at");
    EXPECT_EQ(faults[2],
              (Finding{"scenes[0].question.answer", "\"c\" is none of the choices; the choices are a and b"}));
}

}  // namespace
}  // namespace whorl::app
