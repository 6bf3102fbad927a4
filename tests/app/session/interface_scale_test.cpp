// How large the interface is: what keys choose, what a lecture needs, what is remembered.
#include <gtest/gtest.h>

#include <cmath>

#include "app/commands/commands.h"
#include "app/session/command.h"
#include "app/session/session.h"
#include "app/session/state_file.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

TEST(InterfaceScale, IsThatOfTheDisplayTimesWhatIsChosen) {
    Session s;
    EXPECT_EQ(s.scaleIn({1280, 720}, 1), 1);
    EXPECT_EQ(s.scaleIn({1280, 720}, 2), 2);
    s.uiScale = 1.5f;
    EXPECT_EQ(s.scaleIn({1280, 720}, 2), 3);
    s.uiScale = 4;
    EXPECT_EQ(s.scaleIn({1280, 720}, 4), Session::kMaxScale);
}

TEST(InterfaceScale, OfALectureMakesTextsAShareOfTheHeight) {
    Session s;
    s.lecture = true;
    s.panels = false;
    for (int height = 320; height <= 2400; height += 7) {
        const auto high = static_cast<float>(height);
        const float scale = s.scaleIn({2 * high, high}, 1);
        EXPECT_GE(16 * scale, std::max(8.0f, high / 32)) << height;
        EXPECT_LE(16 * scale, std::max(16.0f, high / 32 + 2)) << height;
    }
    s.uiScale = 4;
    EXPECT_EQ(s.scaleIn({1280, 720}, 1), 4) << "what is chosen is more";
}

/// One layout for captions, slides, films and lectures: texts in the pictures are as large as those beside them.
TEST(InterfaceScale, OfTheStageIsOneWithOrWithoutALecture) {
    Session s;
    s.panels = false;
    s.caption = true;
    for (const glm::vec2 size : {glm::vec2(1024, 768), glm::vec2(1280, 720), glm::vec2(1920, 1080)}) {
        s.lecture = false;
        const float scale = s.scaleIn(size, 1);
        EXPECT_GE(16 * scale, size.y / 32);
        s.lecture = true;
        EXPECT_EQ(s.scaleIn(size, 1), scale);
    }
    EXPECT_EQ(s.scaleIn({1080, 1920}, 1), 3) << "text is a 40th of the height";
    s.panels = true;
    EXPECT_EQ(s.scaleIn({1920, 1080}, 1), 1);
}

TEST(InterfaceScale, OfRunsBesideEachOtherFollowsThePicture) {
    Session s = comparedRuns({{.input = "matmul:n=8"}, {.input = "matmul:n=8,variant=blocked"}});
    EXPECT_EQ(s.scaleIn({1920, 1080}, 1), 1) << "panels have the scale of the display";
    s.panels = false;
    EXPECT_EQ(s.scaleIn({1280, 720}, 1), 1);
    EXPECT_EQ(s.scaleIn({1920, 1080}, 1), 1.5f);
    EXPECT_EQ(s.scaleIn({1080, 1920}, 1), 1.5f);
    EXPECT_EQ(s.scaleIn({1920, 1080}, 2), 2) << "what is chosen is more";
}

TEST(InterfaceScale, KeysGoThroughItsStepsAndBack) {
    Session s;
    applyAll(s, {command::ScaleUp{}});
    EXPECT_FLOAT_EQ(s.uiScale, 1.1f);
    applyAll(s, {command::ScaleUp{}, command::ScaleUp{}});
    EXPECT_FLOAT_EQ(s.uiScale, 1.5f);
    applyAll(s, {command::ScaleDown{}});
    EXPECT_FLOAT_EQ(s.uiScale, 1.25f);
    for (int i = 0; i < 20; ++i) applyAll(s, {command::ScaleUp{}});
    EXPECT_FLOAT_EQ(s.uiScale, Session::kMaxUiScale);
    for (int i = 0; i < 20; ++i) applyAll(s, {command::ScaleDown{}});
    EXPECT_FLOAT_EQ(s.uiScale, Session::kMinUiScale);
    applyAll(s, {changeOf("scale", 1.3f)});
    EXPECT_FLOAT_EQ(s.uiScale, 1.3f);
    applyAll(s, {command::ScaleUp{}});
    EXPECT_FLOAT_EQ(s.uiScale, 1.5f);
    applyAll(s, {changeOf("scale", 1000)});
    EXPECT_FLOAT_EQ(s.uiScale, Session::kMaxUiScale);
    applyAll(s, {changeOf("scale")});
    EXPECT_FLOAT_EQ(s.uiScale, 1);
}

TEST(InterfaceScale, IsRemembered) {
    Session s;
    s.uiScale = 1.75f;
    Session again;
    ASSERT_TRUE(takeState(stateOf(s), "s", again));
    EXPECT_FLOAT_EQ(again.uiScale, 1.75f);
    EXPECT_FALSE(takeState(R"({"scale": 9})", "s", again));
}

}  // namespace
}  // namespace whorl::app
