// What a line of progress says.
#include "app/cli/terminal.h"

#include <gtest/gtest.h>

namespace whorl::app {
namespace {

TEST(ProgressWords, ArePercentOrAccesses) {
    sim::Progress progress;
    EXPECT_EQ(progressWords(progress), "") << "nothing is known yet";
    progress.setAccesses(12'400'000);
    EXPECT_EQ(progressWords(progress), " 12.4 M accesses") << "standard input has no size";
    progress.start(200);
    progress.advance(50);
    EXPECT_EQ(progressWords(progress), " 25 %");
    // What is left takes as long as what is done did, in proportion.
    EXPECT_EQ(timeLeft(0.25, 10), ", 30 s left");
    EXPECT_EQ(timeLeft(0.1, 60), ", 9 min left");
    EXPECT_EQ(timeLeft(0.01, 600), ", 16.5 h left");
    for (const double unknown : {-1.0, 0.0, 0.9, 1.0}) EXPECT_EQ(timeLeft(unknown, 10), "") << unknown;
    EXPECT_EQ(timeLeft(0.5, 2), "") << "it has only begun";
}

}  // namespace
}  // namespace whorl::app
