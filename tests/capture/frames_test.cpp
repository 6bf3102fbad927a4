// Names of local variables of functions, by the frames of their calls.
#include <gtest/gtest.h>

#include <set>

#include "capture/compiled.h"

namespace whorl::sim {
namespace {

using test::Bytes;
using test::bytesOf;

class Frames : public testing::TestWithParam<std::string> {
  protected:
    Trace trace_;

    void SetUp() override {
        if (!test::isInstalled(GetParam())) GTEST_SKIP() << "no " << GetParam();
        trace_ = test::recorded({test::compiled("frames.cpp", GetParam())}).trace;
    }
};

TEST_P(Frames, AnArrayOfAFunction) {
    // It is called twice, from the same place of the stack.
    EXPECT_EQ(bytesOf(trace_, "sumOfTable::table#1"), (Bytes{1024, 1024}));
    EXPECT_EQ(bytesOf(trace_, "sumOfTable::table#2"), (Bytes{1024, 1024}));
    const Region* const region = test::regionNamed(trace_, "sumOfTable::table");
    ASSERT_NE(region, nullptr);
    EXPECT_EQ(region->size, 1024u);
    EXPECT_EQ(region->elementSize, 4u);
}

TEST_P(Frames, AFunctionThatCallsItself) {
    for (int call = 1; call <= 5; ++call) {
        EXPECT_EQ(bytesOf(trace_, "deeper::pairs#" + std::to_string(call)), (Bytes{8, 64})) << call;
    }
    std::set<std::string> places;
    trace_.forEach(Tick{0}, Tick{trace_.size()}, [&](Tick t, const Access& a) {
        if (!a.isWrite() && trace_.objectAt(a.address, t) != nullptr) places.insert(trace_.placeOf(a.address, t));
    });
    EXPECT_TRUE(places.contains("deeper::pairs#1[0].key") || places.contains("deeper::pairs#5[0].key"));
}

TEST_P(Frames, AFunctionLeftByAnException) {
    for (int call = 1; call <= 3; ++call) {
        // Nothing tells when it is over: what the C++ library does there counts, too.
        EXPECT_GE(bytesOf(trace_, "thrower::buffer#" + std::to_string(call)).written, 100u) << call;
    }
}

INSTANTIATE_TEST_SUITE_P(Compilers, Frames, testing::Values("g++ -O0", "g++ -O2", "clang++ -O0", "clang++ -O2"));

}  // namespace
}  // namespace whorl::sim
