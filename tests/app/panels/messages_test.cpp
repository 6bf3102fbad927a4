// A message goes by itself once there was time to read it; an error stays.
#include <gtest/gtest.h>

#include <string>

#include "app/panels/panel_frame.h"
#include "app/panels/panels.h"
#include "support/machines.h"
#include "support/shared_trace.h"

namespace whorl::app {
namespace {

struct MessagesTest : testing::Test {
    /// The frames, in seconds, until something is queued; `most` if nothing is.
    double secondsUntilClosed(double most) {
        PanelFrame frame(session, [](const PanelContext& c) { drawMessages(c, {0, 0}, {1280, 720}); });
        for (double seconds = 0; seconds < most; seconds += 1.0 / 60) {
            if (pointed) ImGui::GetIO().MousePos = {640, 30};
            if (!frame.next().empty()) return seconds;
        }
        return most;
    }

    Session session = sessionOn("R 0x1000 4\n", sim::test::sharedMachine());
    bool pointed = false;
};

TEST_F(MessagesTest, GoWhenTheyAreRead) {
    session.message = "Saved.";
    const double few = secondsUntilClosed(60);
    EXPECT_GE(few, 3);
    EXPECT_LE(few, 6);
    session.message = std::string(200, 'x');
    const double many = secondsUntilClosed(60);
    EXPECT_GE(many, few + 10);
    EXPECT_LE(many, 20);
}

TEST_F(MessagesTest, StayWhileTheMouseIsOnThem) {
    session.message = "Saved.";
    pointed = true;
    EXPECT_EQ(secondsUntilClosed(20), 20);
}

TEST_F(MessagesTest, StayBesideAnError) {
    session.message = "Saved.";
    session.error = "There is no such file.";
    EXPECT_EQ(secondsUntilClosed(20), 20);
}

}  // namespace
}  // namespace whorl::app
