// When what of a tour is shown: rests by the words, by wishes, and cut or stretched to a length.
#include "app/export/film/film_plan.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "support/refusal.h"

namespace whorl::app {
namespace {

std::string wordsOf(int count) {
    std::string words;
    for (int i = 0; i < count; ++i) words += "word ";
    return words;
}

Tour tourOf(std::size_t scenes) {
    Tour tour;
    for (std::size_t i = 0; i < scenes; ++i) {
        TourScene& scene = tour.scenes.emplace_back();
        scene.id = fmt::format("s{}", i);
        scene.title = "one";
        scene.input = "matmul:n=8";
    }
    return tour;
}

/// A scene that arrives in 1 s, plays until `played`, and has so many words beside its title.
SceneTiming timingOf(double played, int words, double round = 0) {
    return {.arrival = 1,
            .played = played,
            .round = round,
            .title = "one",
            .words = wordsOf(words),
            .answerTitle = {},
            .answerWords = {}};
}

FilmPlan planOf(const Tour& tour, const std::vector<SceneTiming>& timings, const FilmWishes& wishes = {}) {
    auto plan = planFilm(tour, timings, wishes);
    EXPECT_TRUE(plan) << (plan ? "" : plan.error().sentence());
    return plan.value_or(FilmPlan{});
}

std::string errorOf(const Tour& tour, const std::vector<SceneTiming>& timings, const FilmWishes& wishes) {
    return sim::test::refusalOf(planFilm(tour, timings, wishes), "no error");
}

TEST(ReadingTime, IsTwoAndAHalfWordsASecondAndASecond) {
    EXPECT_EQ(readingTime(""), 3);
    EXPECT_EQ(readingTime("a few words"), 3);
    EXPECT_DOUBLE_EQ(readingTime(wordsOf(25)), 11);
    EXPECT_DOUBLE_EQ(readingTime("  " + wordsOf(24) + "\n last"), 11);
}

TEST(FilmPlan, RestsUntilTheWordsAreRead) {
    const Tour tour = tourOf(3);
    // 25 words take 11 s: 9 more where it plays 2 s, none beyond the least where it plays 20 s.
    const FilmPlan plan = planOf(tour, {timingOf(2, 24), timingOf(20, 24), timingOf(1, 0)});
    ASSERT_EQ(plan.shots.size(), 3u);
    EXPECT_DOUBLE_EQ(plan.shots[0].rest, 9);
    EXPECT_DOUBLE_EQ(plan.shots[1].rest, 3);
    EXPECT_DOUBLE_EQ(plan.shots[2].rest, 3);
    EXPECT_DOUBLE_EQ(plan.shots[0].begin, 0);
    EXPECT_DOUBLE_EQ(plan.shots[1].begin, 11);
    EXPECT_DOUBLE_EQ(plan.shots[2].begin, 34);
    EXPECT_DOUBLE_EQ(plan.total(), 38);
    EXPECT_EQ(plan.frames(60), 38u * 60);
    EXPECT_EQ(plan.frames(25), 38u * 25);
}

TEST(FilmPlan, TakesTheSecondsOfAScene) {
    Tour tour = tourOf(1);
    tour.scenes[0].wait = {.what = SceneWait::For::seconds, .seconds = 0.5};
    EXPECT_DOUBLE_EQ(planOf(tour, {timingOf(2, 100)}).total(), 2.5);
}

TEST(FilmPlan, PlaysALoopTwiceAndLeavesItWhereItEnds) {
    Tour tour = tourOf(1);
    tour.scenes[0].wait.what = SceneWait::For::loop;
    const FilmPlan plan = planOf(tour, {timingOf(5, 0, 4.6)});
    const FilmShot& shot = plan.shots[0];
    EXPECT_EQ(shot.rounds, 2);
    EXPECT_DOUBLE_EQ(shot.played(), 9.6);
    EXPECT_DOUBLE_EQ(shot.sceneSeconds(9), 9);
    // It does not begin a third time, however long it rests.
    EXPECT_LT(shot.sceneSeconds(1000), 1 + 2 * 4.6);
    EXPECT_GT(shot.sceneSeconds(1000), 9.6);
}

TEST(FilmPlan, AsksThenAnswers) {
    Tour tour = tourOf(1);
    tour.scenes[0].question = Question{.text = "?", .choices = {}, .answer = "yes"};
    SceneTiming timing = timingOf(4, 24);
    timing.answerTitle = "yes";
    timing.answerWords = wordsOf(24);
    const FilmPlan plan = planOf(tour, {timing});
    const FilmShot& shot = plan.shots[0];
    EXPECT_DOUBLE_EQ(shot.asks, 11);
    EXPECT_DOUBLE_EQ(shot.answeredAt(), 12);
    EXPECT_FALSE(shot.isAnswered(11.9));
    EXPECT_TRUE(shot.isAnswered(12));
    // The scene's own time stands still while it asks.
    EXPECT_DOUBLE_EQ(shot.sceneSeconds(0.5), 0.5);
    EXPECT_DOUBLE_EQ(shot.sceneSeconds(7), 1);
    EXPECT_DOUBLE_EQ(shot.sceneSeconds(12), 1);
    EXPECT_DOUBLE_EQ(shot.sceneSeconds(14), 3);
    // The answer is read from when it comes: 11 s, of which it plays 3.
    EXPECT_DOUBLE_EQ(shot.rest, 8);
}

TEST(FilmPlan, EndsRestsWhereItIsWished) {
    const Tour tour = tourOf(3);
    const std::vector<SceneTiming> timings = {timingOf(2, 0), timingOf(2, 0), timingOf(2, 0)};
    const FilmPlan plan = planOf(tour, timings,
                                 {.waits = {{.scene = "s0", .seconds = 0.25, .isOfFilm = false},
                                            {.scene = "s1", .seconds = 20, .isOfFilm = true}},
                                  .seconds = {},
                                  .voice = 0,
                                  .titleWords = "t",
                                  .endWords = "e"});
    EXPECT_DOUBLE_EQ(plan.titleCard, 3);
    EXPECT_DOUBLE_EQ(plan.shots[0].end(), 5.25);
    EXPECT_DOUBLE_EQ(plan.shots[1].end(), 20);
    EXPECT_DOUBLE_EQ(plan.total(), 20 + 5 + 3);
}

TEST(FilmPlan, SaysWhichWaitCannotBe) {
    const Tour tour = tourOf(2);
    const std::vector<SceneTiming> timings = {timingOf(2, 0), timingOf(4, 0)};
    EXPECT_EQ(errorOf(tour, timings, {.waits = {{.scene = "s1", .seconds = 8}}}),
              "--wait s1=8: the scene has played only at 9.00 s; give a later time, or an earlier one for the scenes "
              "before");
    EXPECT_NE(errorOf(tour, timings, {.waits = {{.scene = "s7", .seconds = 8}}}).find("no scene \"s7\""),
              std::string::npos);
    for (const char* const wrong : {"", "s1", "=3", "s1=", "s1=-2", "s1=x", "s1=3s", "s1=nan", "s1=1e9"}) {
        const auto wait = parseWait(wrong);
        ASSERT_FALSE(wait) << wrong;
        EXPECT_NE(wait.error().sentence().find("use ID=SECONDS"), std::string::npos) << wrong;
    }
    EXPECT_TRUE(parseWait("s1=42.5")->isOfFilm);
    EXPECT_FALSE(parseWait("s1=+3")->isOfFilm);
    EXPECT_EQ(parseWait("s1=+3")->seconds, 3);
}

TEST(FilmPlan, TakesAnyLengthThatItsRestsAllow) {
    std::mt19937 random(7);
    int fitted = 0;
    int refused = 0;
    for (int i = 0; i < 500; ++i) {
        Tour tour = tourOf(1 + random() % 5);
        std::vector<SceneTiming> timings;
        for (TourScene& scene : tour.scenes) {
            if (random() % 4 == 0) scene.wait = {.what = SceneWait::For::seconds, .seconds = 1.5};
            timings.push_back(timingOf(1 + static_cast<double>(random() % 80) / 10, static_cast<int>(random() % 40)));
        }
        FilmWishes wishes;
        wishes.titleWords = random() % 2 == 0 ? "" : "title";
        const FilmPlan free = planOf(tour, timings, wishes);
        wishes.seconds = free.total() * (0.3 + static_cast<double>(random() % 200) / 100);
        const auto plan = planFilm(tour, timings, wishes);
        if (!plan) {
            ++refused;
            EXPECT_NE(plan.error().sentence().find("the film takes"), std::string::npos);
            continue;
        }
        ++fitted;
        EXPECT_NEAR(plan->total(), *wishes.seconds, 1e-9);
        for (std::size_t s = 0; s < plan->shots.size(); ++s) {
            const bool isGiven = tour.scenes[s].wait.what == SceneWait::For::seconds;
            if (isGiven) {
                EXPECT_DOUBLE_EQ(plan->shots[s].rest, 1.5);
            }
            EXPECT_GE(plan->shots[s].rest, 1 - 1e-9);
        }
    }
    EXPECT_GT(fitted, 100);
    EXPECT_GT(refused, 30);
}

TEST(FilmPlan, RestsLongerForAVoice) {
    const Tour tour = tourOf(2);
    const std::vector<SceneTiming> timings = {timingOf(2, 0), timingOf(2, 0)};
    const FilmPlan plan = planOf(tour, timings, {.waits = {}, .seconds = {}, .voice = 33.4});
    EXPECT_DOUBLE_EQ(plan.total(), 33.4);
    EXPECT_DOUBLE_EQ(plan.shots[0].end(), 5);
    EXPECT_NE(errorOf(tour, timings, {.waits = {}, .seconds = 20, .voice = 33.4}).find("the voice takes 33.4 s"),
              std::string::npos);
}

}  // namespace
}  // namespace whorl::app
