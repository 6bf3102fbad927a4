#include "gl/stage.h"
#include "render/gl/api.h"

namespace whorl::gl {
namespace {

TEST(Offscreen, GivesAContextOfAtLeastThreePointThree) {
    auto context = OffscreenContext::create();
    ASSERT_TRUE(context) << context.error().sentence();
    EXPECT_TRUE(checkVersion());
    EXPECT_FALSE(rendererName().empty());
}

TEST(Offscreen, AContextGivesWayAndComesBack) {
    auto outer = OffscreenContext::create();
    ASSERT_TRUE(outer) << outer.error().sentence();
    auto frame = Frame::create(4, 4);
    ASSERT_TRUE(frame);
    (*frame)->bind();
    clear(scene::hex(0x112233), 4, 4);
    {
        auto inner = OffscreenContext::create();
        ASSERT_TRUE(inner) << inner.error().sentence();
        auto other = Frame::create(4, 4);
        ASSERT_TRUE(other);
        (*other)->bind();
        clear(scene::hex(0xFFFFFF), 4, 4);
    }
    Pixels pixels((*frame)->bytes());
    (*frame)->read(pixels);
    EXPECT_EQ(pixels[0], std::byte{0x11});
    EXPECT_EQ(pixels[2], std::byte{0x33});
}

TEST(Offscreen, AFrameHasTheColourItWasClearedTo) {
    Stage stage(33, 17);
    stage.frame().bind();
    clear(scene::hex(0x123456, 10), 33, 17);
    stage.read();
    for (int y = 0; y < 17; ++y) {
        for (int x = 0; x < 33; ++x) ASSERT_EQ(stage.at(x, y), scene::hex(0x123456)) << x << ", " << y;
    }
}

TEST(Offscreen, RowsAreReadFromTheTop) {
    for (const int height : {9, 10}) {
        Stage stage(8, height);
        stage.frame().bind();
        clear(kGround, 8, height);
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, height - 3, 8, 3);  // OpenGL counts from the bottom: the three rows at the top
        glClearColor(1, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glDisable(GL_SCISSOR_TEST);
        stage.read();
        for (int y = 0; y < height; ++y) {
            EXPECT_EQ(stage.at(3, y), y < 3 ? scene::hex(0xFF0000) : kGround) << "row " << y << " of " << height;
        }
    }
}

TEST(Offscreen, AFrameOfNoSizeOrTooLargeIsAnError) {
    auto context = OffscreenContext::create();
    ASSERT_TRUE(context) << context.error().sentence();
    for (const auto& [width, height] : {std::pair{0, 10}, {10, -1}, {1 << 20, 10}}) {
        auto frame = Frame::create(width, height);
        ASSERT_FALSE(frame);
        EXPECT_NE(frame.error().sentence().find(std::to_string(width)), std::string::npos) << frame.error().sentence();
    }
}

}  // namespace
}  // namespace whorl::gl
