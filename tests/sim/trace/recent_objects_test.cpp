// Objects that are remembered are those that hold the memory at the time.
#include "sim/trace/recent_objects.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/trace/trace_random.h"

namespace whorl::sim {
namespace {

TEST(RecentObjects, AreThoseThatHoldTheMemory) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Trace trace = test::randomTrace(seed);
        const std::vector<Object>& objects = trace.objects();
        ASSERT_FALSE(objects.empty());
        RecentObjects recent(trace);
        std::mt19937_64 random(seed);
        for (int i = 0; i < 3000; ++i) {
            const Object& near = objects[random() % objects.size()];
            const ByteAddress address{near.base.value + random() % (near.size + 32) - random() % 16};
            const Tick tick{random() % (trace.size() + 1)};
            const auto holds = std::find_if(objects.begin(), objects.end(),
                                            [&](const Object& o) { return o.contains(address, tick); });
            EXPECT_EQ(recent.at(address, tick), holds == objects.end() ? nullptr : &*holds);
        }
    }
}

}  // namespace
}  // namespace whorl::sim
