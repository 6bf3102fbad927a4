// A function that is called periodically while other work runs.
#include "app/system/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace whorl::app {
namespace {

using std::chrono::milliseconds;

TEST(Tickers, CallUntilTheyGo) {
    int calls = 0;  // read only after the last call
    {
        std::atomic<int> seen{0};
        const Ticker ticker(milliseconds(1), [&] { seen = ++calls; });
        while (seen < 3) std::this_thread::yield();
    }
    const int last = calls;
    EXPECT_GE(last, 3);
    std::this_thread::sleep_for(milliseconds(5));
    EXPECT_EQ(calls, last);
}

TEST(Tickers, DoNotWaitForTheEndOfAPeriod) {
    const auto begin = std::chrono::steady_clock::now();
    bool called = false;
    {
        const Ticker ticker(std::chrono::hours(1), [&] { called = true; });
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(1));
    EXPECT_FALSE(called);
}

}  // namespace
}  // namespace whorl::app
