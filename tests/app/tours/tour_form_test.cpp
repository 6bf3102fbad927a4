// The form of a tour: what is typed there is what its file has.
#include "app/tours/tour_form.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "app/tours/tour_catalogue.h"
#include "app/tours/tour_json.h"
#include "app/tours/tour_session.h"

namespace whorl::app {
namespace {

Tour with(const Tour& tour, std::size_t scene, std::string_view key, const std::string& text) {
    const auto next = withField(tour, scene, **formRow(key), text);
    EXPECT_TRUE(next) << key << " = " << text << ": " << next.error().sentence();
    return next.value_or(tour);
}

std::string errorOf(const Tour& tour, std::string_view key, const std::string& text) {
    const auto next = withField(tour, 0, **formRow(key), text);
    return next ? "none" : next.error().sentence();
}

/// A tour of scenes that show what the scenes of another do, as if each was taken from the window: their views and
/// settings, and nothing that is said of them.
Tour momentsOf(const Tour& tour) {
    Tour moments;
    for (std::size_t i = 0; i < tour.scenes.size(); ++i) {
        const TourScene scene = resolvedScene(tour, i);
        TourScene& moment = moments.scenes.emplace_back();
        moment.id = fmt::format("step-{}", i + 1);
        moment.title = moment.words = "To be said.";
        moment.input = "arrayinit:n=4";
        moment.at = 0;
        moment.camera = scene.camera;
        moment.fields = scene.fields;
        moment.commands = scene.commands;
    }
    return moments;
}

/// Whoever has only the window can make whatever is shipped.
TEST(TourForm, EveryShippedTourCanBeMadeWithIt) {
    for (const std::string& name : tourNames()) {
        const Tour shipped = tourFrom(name).value();
        Tour made = momentsOf(shipped);
        for (std::size_t i = 0; i < shipped.scenes.size(); ++i) {
            const FormValues values = valuesOf(shipped, i);
            for (const FormRow& row : tourForm()) {
                if (const std::string& text = values.at(row.key); !text.empty()) made = with(made, i, row.key, text);
            }
            EXPECT_EQ(made.scenes[i], resolvedScene(shipped, i)) << name << ": " << shipped.scenes[i].id;
        }
        EXPECT_EQ(made.title, shipped.title);
        EXPECT_EQ(made.source, shipped.source);
        EXPECT_EQ(made.next, shipped.next);
    }
}

TEST(TourForm, AnEmptyTextLeavesAKeyOut) {
    for (const char* name : {"writes", "placement", "blocking"}) {
        const Tour tour = tourFrom(name).value();
        for (const FormRow& row : tourForm()) {
            for (std::size_t i = 0; i < tour.scenes.size(); ++i) {
                const auto next = withField(tour, i, row, "");
                if (!next) continue;  // it is needed
                const std::string left = valuesOf(*next, i).at(row.key);
                // A scene without an input takes from the one before.
                const bool follows =
                    (next->scenes[i].continues && !row.ofRun()) || row.key == "input" || row.key == "at";
                EXPECT_TRUE(left.empty() || follows) << row.key << ": " << left;
            }
        }
    }
}

class OneScene : public testing::Test {
  protected:
    Tour tour_ = parseTour(R"({"scenes": [{"id": "a", "title": "A", "words": "See.", "input": "matmul:n=4",
                               "machine": "256/2/32", "at": 10, "to": 20, "seconds": 3, "wait": "loop"}]})",
                           "t.json")
                     .value();
};
using TourFormOfAScene = OneScene;

TEST_F(TourFormOfAScene, WhatIsWrongIsSaidAsInAFile) {
    EXPECT_EQ(
        errorOf(tour_, "to", "5"),
        "scenes[0].to: 5 is not after 10, where the scene begins; give a later position, or begin earlier with at");
    EXPECT_NE(errorOf(tour_, "machine", "256/3/x").find("scenes[0].machine"), std::string::npos);
    EXPECT_NE(errorOf(tour_, "claim", "L1.misses = 3").find("scenes[0].claim"), std::string::npos);
    EXPECT_NE(errorOf(tour_, "plan", "soon").find("scenes[0].plan"), std::string::npos);
    EXPECT_NE(errorOf(tour_, "title", "").find("scenes[0].title"), std::string::npos);
    EXPECT_NE(formRow("tittle").error().sentence().find("did you mean"), std::string::npos);
}

TEST_F(TourFormOfAScene, OnePaceReplacesTheOther) {
    const Tour paced = with(tour_, 0, "pace", "12");
    EXPECT_EQ(paced.scenes[0].range->pace, 12);
    EXPECT_FALSE(paced.scenes[0].range->seconds);
    EXPECT_EQ(with(paced, 0, "seconds", "3"), tour_);
}

TEST_F(TourFormOfAScene, WhatStandsStillHasNoPace) {
    const Tour still = with(tour_, 0, "to", "");
    EXPECT_FALSE(still.scenes[0].range);
    EXPECT_EQ(still.scenes[0].wait, SceneWait{});
    EXPECT_FALSE(applies(**formRow("pace"), valuesOf(still, 0)));
    EXPECT_TRUE(applies(**formRow("pace"), valuesOf(tour_, 0)));
}

TEST_F(TourFormOfAScene, AQuestionCanBeAskedAtEachStepOfItsMaking) {
    Tour tour = with(tour_, 0, "question", "choices");
    tour = with(tour, 0, "question.choices", "hit\nmiss\nneither");
    tour = with(tour, 0, "question.answer", "neither");
    tour = with(tour, 0, "question.choices", "hit\nmiss\nboth");
    EXPECT_EQ(tour.scenes[0].question->answer, "both") << "a choice that is written anew stays the answer";
    tour = with(tour, 0, "question.choices", "one\ntwo");
    EXPECT_EQ(tour.scenes[0].question->answer, "one");
    tour = with(tour, 0, "question.why", "Because.");
    EXPECT_EQ(tour.scenes[0].question->why, "Because.");
    tour = with(tour, 0, "question", "set");
    EXPECT_EQ(tour.scenes[0].question->predicts, sim::QuizPart::set);
    EXPECT_EQ(valuesOf(tour, 0).at("question"), "set");
    EXPECT_FALSE(with(tour, 0, "question", "").scenes[0].question);
}

TEST_F(TourFormOfAScene, AComparisonIsBegunChangedAndEnded) {
    Tour tour = with(tour_, 0, "with_settings", "L1.write=through\nL1.ways=4");
    SceneRuns runs = runsOf(tour.scenes[0], {});
    ASSERT_TRUE(runs.second);
    EXPECT_EQ(runs.second->input, runs.first.input);
    EXPECT_EQ(runs.second->settings, (std::vector<std::string>{"L1.write=through", "L1.ways=4"}));
    tour = with(tour, 0, "settings", "L1.ways=1");
    runs = runsOf(tour.scenes[0], {});
    EXPECT_EQ(runs.second->settings, (std::vector<std::string>{"L1.ways=1", "L1.write=through", "L1.ways=4"}));
    tour = with(tour, 0, "with_machine", "512/2/32");
    EXPECT_EQ(runsOf(tour.scenes[0], {}).second->settings, (std::vector<std::string>{"L1.write=through", "L1.ways=4"}))
        << "values of the first are not those of another machine";
    tour = with(tour, 0, "with", "matmul:n=5");
    tour = with(tour, 0, "lock", "share");
    EXPECT_EQ(tour.scenes[0].lock, TimeLock::share);
    EXPECT_NE(errorOf(tour_, "lock", "share").find("nothing to lock"), std::string::npos);
    EXPECT_NE(errorOf(tour_, "with", "matmul:n=4").find("compared with itself"), std::string::npos);
}

/// A scene that takes its run from the one before gets its own, so that the one before can change.
TEST(TourForm, AChangeOfARunConcernsOneSceneAlone) {
    const Tour tour = tourFrom("cache-basics").value();
    std::size_t continued = 0;
    for (std::size_t i = 0; i + 1 < tour.scenes.size(); ++i) {
        const Tour next = with(tour, i, "machine", "512/2/32");
        for (std::size_t j = 0; j < tour.scenes.size(); ++j) {
            EXPECT_EQ(resolvedScene(next, j) != resolvedScene(tour, j), j == i) << i << ", " << j;
        }
        continued += tour.scenes[i + 1].continues ? 1 : 0;
    }
    EXPECT_GT(continued, 1u);
}

}  // namespace
}  // namespace whorl::app
