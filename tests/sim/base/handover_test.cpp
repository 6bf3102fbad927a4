// What one thread hands over to another: in order, whole, and ended from either side.
#include <gtest/gtest.h>

#include <chrono>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

#include "sim/base/jobs.h"
#include "support/threads.h"

namespace whorl::sim {
namespace {

TEST(Handover, KeepsTheOrderWhateverTheSpeeds) {
    for (const std::size_t things : {1, 2, 3, 16}) {
        for (const int slow : {0, 1, 2}) {
            std::vector<int> taken;
            const auto give = [&](Handover<int>& to) {
                for (int i = 0; i < 3000; ++i) {
                    int* const thing = to.next();
                    ASSERT_NE(thing, nullptr);
                    *thing = i;
                    if (slow == 1 && i % 100 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
                    to.give();
                }
            };
            inTwoThreads<int>(test::inThreads, things, give, [&](int thing) {
                taken.push_back(thing);
                if (slow == 2 && thing % 100 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
            });
            std::vector<int> all(3000);
            std::iota(all.begin(), all.end(), 0);
            EXPECT_EQ(taken, all) << things << " things";
        }
    }
}

TEST(Handover, EndsWithNothing) {
    int taken = 0;
    inTwoThreads<int>(
        test::inThreads, 4, [](Handover<int>&) {}, [&](int) { ++taken; });
    EXPECT_EQ(taken, 0);
}

// Neither waits for the other when that has thrown, and the caller gets what it threw.
TEST(Handover, PassesOnWhatAThreadThrows) {
    int given = 0;
    const auto give = [&](Handover<int>& to) {
        while (to.next() != nullptr) {
            to.give();
            ++given;
        }
    };
    auto takeTwo = [&, left = 2](int) mutable {
        if (--left == 0) throw std::bad_alloc();
    };
    EXPECT_THROW(inTwoThreads<int>(test::inThreads, 4, give, takeTwo), std::bad_alloc);
    EXPECT_LE(given, 6);
    int taken = 0;
    const auto giveThree = [](Handover<int>& to) {
        for (int i = 0; i < 3; ++i) {
            to.next();
            to.give();
        }
        throw std::bad_alloc();
    };
    EXPECT_THROW(inTwoThreads<int>(test::inThreads, 16, giveThree, [&](int) { ++taken; }), std::bad_alloc);
    EXPECT_EQ(taken, 3);
}

}  // namespace
}  // namespace whorl::sim
