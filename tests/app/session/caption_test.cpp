#include <gtest/gtest.h>

#include "app/panels/caption.h"
#include "app/session/command.h"
#include "app/session/session.h"
#include "app/session/settings.h"
#include "app/tours/tour_catalogue.h"
#include "support/said_scenes.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

Session telling() {
    Session s;
    s.sceneText =
        SceneWords{.title = "T", .words = "Some words that explain what to see in the picture.", .at = 100, .to = 100};
    s.player.seek(100, 1000);
    return s;
}

Session onStage() {
    Session s = telling();
    s.panels = false;
    s.caption = true;
    return s;
}

TEST(Caption, AScenesWordsFadeWhenThePlayheadLeaves) {
    Session s = telling();
    EXPECT_EQ(s.sceneTextOpacity(), 1);
    float last = 1;
    for (int t = 100; t <= 200; ++t) {
        s.player.seek(t, 1000);
        EXPECT_LE(s.sceneTextOpacity(), last);
        last = s.sceneTextOpacity();
    }
    EXPECT_EQ(last, 0);
    EXPECT_EQ(bandHeight(s, 640, 480, 1), 0) << "the rings have the room back";
    s.caption = true;
    EXPECT_EQ(s.sceneTextOpacity(), 1) << "called back";
    EXPECT_GT(bandHeight(s, 640, 480, 1), 0);
}

TEST(Caption, HasRoomForATitleOfSeveralLines) {
    Session s = telling();
    const float usual = bandHeight(s, 640, 480, 1);
    s.sceneText->title = "Who has the block that CPU 1 reads now, and what does its cache do with it? Answer: CPU 0";
    EXPECT_GE(bandHeight(s, 640, 480, 1), usual + 16);
}

bool areApart(const gl::Rect& a, const gl::Rect& b) {
    return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
}

constexpr glm::ivec2 kSizes[]{{1024, 768}, {1280, 720}, {1920, 1080}, {1080, 1920}};

TEST(Stage, TheRingsHaveTheWholeHeightOrTheWholeWidth) {
    const Session s = onStage();
    for (const glm::ivec2 size : kSizes) {
        const StageLayout stage = stageLayout(s, size.x, size.y, s.scaleIn(size, 1));
        const int side = std::min(size.x, size.y);
        EXPECT_GE(std::min(stage.picture.width, stage.picture.height), side) << size.x;
        EXPECT_TRUE(areApart(stage.picture, stage.words)) << size.x;
        EXPECT_GE(stage.text, static_cast<float>(side) * 32 / 1080 - 0.01f) << size.x;
        EXPECT_GE(stage.text, size.y > size.x ? static_cast<float>(size.y) / 40 : 0) << size.x;
    }
}

TEST(Stage, HasWordsOnlyWhereTheyAreWanted) {
    Session s = onStage();
    s.caption = false;
    EXPECT_FALSE(s.onStage());
    s.lecture = true;
    EXPECT_TRUE(s.onStage());
    const StageLayout stage = stageLayout(s, 1280, 720, 1);
    EXPECT_EQ(stage.picture.width, 1280);
    EXPECT_EQ(stage.words.width, 0);
}

TEST(Stage, ALectureHidesThePanelsAndTheyEndIt) {
    Session s = telling();
    applyAll(s, {changeOf("lecture", true)});
    EXPECT_TRUE(s.onStage() && s.caption && !s.panels);
    applyAll(s, {changeOf("panels", true)});
    EXPECT_TRUE(s.panels);
    EXPECT_FALSE(s.lecture || s.caption || s.onStage());
    applyAll(s, {changeOf("lecture"), changeOf("lecture")});
    EXPECT_TRUE(s.panels && !s.caption);
}

TEST(Stage, OfTwoRunsEachHasNearlyHalfOfTheWidth) {
    Session s = comparedRuns({{.input = "matmul:n=4"}, {.input = "matmul:n=4,variant=blocked,block=2"}});
    s.panels = false;
    s.caption = s.lecture = true;
    s.sceneText =
        SceneWords{.title = "Two runs side by side", .words = "Right: 85 % fewer misses in L1, in the whole run."};
    for (const glm::ivec2 size : {glm::ivec2{1280, 720}, glm::ivec2{1920, 1080}}) {
        const float scale = s.scaleIn(size, 1);
        const StageLayout stage = stageLayout(s, size.x, size.y, scale);
        for (const Tile& tile : tilesOn(s, stage.picture, scale)) {
            EXPECT_GE(std::min(tile.where.width, tile.where.height), 0.45 * size.x) << size.x;
        }
    }
}

/// The words of a step are never made smaller, on any usual screen.
TEST(Stage, TheWordsOfAllStepsOfAllToursHaveRoom) {
    for (const std::string& name : tourNames()) {
        const Tour tour = tourFrom(name).value();
        for (std::size_t i = 0; i < tour.scenes.size(); ++i) {
            const TourScene scene = withNumbers(resolvedScene(tour, i));
            Session s = onStage();
            s.sceneText = SceneWords{.title = scene.title, .words = scene.words, .source = tour.source};
            for (const glm::ivec2 size : kSizes) {
                const StageLayout stage = stageLayout(s, size.x, size.y, s.scaleIn(size, 1));
                EXPECT_LE(storyHeight(*s.sceneText, static_cast<float>(stage.words.width), stage.text),
                          static_cast<float>(stage.words.height))
                    << name << " " << scene.id << " at " << size.x << " × " << size.y;
            }
        }
    }
}

}  // namespace
}  // namespace whorl::app
