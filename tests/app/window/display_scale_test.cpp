// The scale of the interface by a screen's height.
#include <gtest/gtest.h>

#include "app/window/display.h"

namespace whorl::app {
namespace {

TEST(DisplayScale, IsThatOfTheScreenWhereItIsFine) {
    EXPECT_FLOAT_EQ(scaleOfScreen(2160, 286), 2) << "192 dpi";
    EXPECT_FLOAT_EQ(scaleOfScreen(2160, 381), 1.5) << "144 dpi";
    EXPECT_FLOAT_EQ(scaleOfScreen(2400, 189), 3.25) << "322 dpi";
    EXPECT_FLOAT_EQ(scaleOfScreen(4320, 200), 4) << "549 dpi";
}

TEST(DisplayScale, IsOneOnUsualScreensAndWhereTheHeightIsNotKnown) {
    EXPECT_FLOAT_EQ(scaleOfScreen(1080, 286), 1) << "96 dpi";
    EXPECT_FLOAT_EQ(scaleOfScreen(1080, 194), 1) << "141 dpi of a laptop";
    for (const int millimetres : {0, -1, 1, 9}) EXPECT_FLOAT_EQ(scaleOfScreen(1080, millimetres), 1);
}

}  // namespace
}  // namespace whorl::app
