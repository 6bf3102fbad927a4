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
}

}  // namespace
}  // namespace whorl::app
