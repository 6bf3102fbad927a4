#include <gtest/gtest.h>

#include "app/panels/caption.h"
#include "app/session/session.h"

namespace whorl::app {
namespace {

Session telling() {
    Session s;
    s.told =
        SceneWords{.title = "T", .words = "Some words that explain what to see in the picture.", .at = 100, .to = 100};
    s.player.seek(100, 1000);
    return s;
}

TEST(Caption, AScenesWordsFadeWhenThePlayheadLeaves) {
    Session s = telling();
    EXPECT_EQ(s.toldNow(), 1);
    float last = 1;
    for (int t = 100; t <= 200; ++t) {
        s.player.seek(t, 1000);
        EXPECT_LE(s.toldNow(), last);
        last = s.toldNow();
    }
    EXPECT_EQ(last, 0);
    EXPECT_EQ(captionHeight(s, 640, 480, 1), 0) << "the rings have the room back";
    s.caption = true;
    EXPECT_EQ(s.toldNow(), 1) << "called back";
    EXPECT_GT(captionHeight(s, 640, 480, 1), 0);
}

TEST(Caption, HasRoomForATitleOfSeveralLines) {
    Session s = telling();
    const float usual = captionHeight(s, 640, 480, 1);
    s.told->title = "Who has the block that CPU 1 reads now, and what does its cache do with it? Answer: CPU 0";
    EXPECT_GE(captionHeight(s, 640, 480, 1), usual + 16);
}

TEST(Caption, StandsBesideWidePicturesOfTheRingsAndBelowOthers) {
    Session s = telling();
    s.panels = false;
    EXPECT_EQ(captionHeight(s, 1280, 720, 1), 0) << "it is not on";
    s.caption = true;
    EXPECT_TRUE(s.captionIsBeside({1280, 720}, 1));
    EXPECT_EQ(captionHeight(s, 1280, 720, 1), 0);
    for (const glm::vec2 size : {glm::vec2(720, 720), glm::vec2(720, 1280), glm::vec2(640, 480)}) {
        EXPECT_FALSE(s.captionIsBeside(size, 1));
        const float height = captionHeight(s, size.x, size.y, 1);
        EXPECT_GE(height, 0.25f * size.y);
        EXPECT_GE(size.y - height, 0.5f * size.x) << "the rings keep the greater part";
    }
    EXPECT_FALSE(s.captionIsBeside({1280, 720}, 2.25f)) << "large text has no room there";
    EXPECT_TRUE(s.captionIsBeside({2560, 1440}, 2));
    EXPECT_GT(captionHeight(s, 1280, 720, 2.25f), captionHeight(s, 640, 480, 1));
    s.viewSettings.shown.push_back({ViewId::Kind::phases});
    EXPECT_FALSE(s.captionIsBeside({1280, 720}, 1)) << "the thirds are not empty";
}

}  // namespace
}  // namespace whorl::app
