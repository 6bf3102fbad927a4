// A name means the block of the heap that it stands for in the program, and not also the variable that points there.
#include <gtest/gtest.h>

#include <algorithm>

#include "capture/compiled.h"
#include "sim/trace/filter.h"

namespace whorl::sim {
namespace {

class Pointers : public testing::TestWithParam<std::string> {};

TEST_P(Pointers, HaveNamesOfTheirOwn) {
    const Trace trace = test::recorded({test::compiled("pointers.cpp", GetParam())}).trace;
    const std::pair<std::string, std::uint64_t> blocks[] = {{"d", 5000}, {"field", 2400}, {"orders", 800}};
    for (const auto& [name, bytes] : blocks) {
        const auto& regions = trace.regions();
        const auto isCalled = [&, called = name](const Region& r) { return r.name == called; };
        ASSERT_EQ(std::count_if(regions.begin(), regions.end(), isCalled), 1) << name;
        EXPECT_EQ(test::regionNamed(trace, name)->size, bytes);
        ASSERT_NE(test::regionNamed(trace, "variable " + name), nullptr) << name;
        EXPECT_LE(test::regionNamed(trace, "variable " + name)->size, 24u);
    }
    TraceFilter filter;
    ASSERT_TRUE(addCondition(filter, "region=d").has_value());
    const auto some = filtered(trace, filter, "pointers");
    ASSERT_TRUE(some.has_value());
    EXPECT_EQ(some->size(), 5000u + 300u);
}

INSTANTIATE_TEST_SUITE_P(Compilers, Pointers, testing::Values("g++ -O0", "whorl cc g++ -O0"),
                         [](const auto& of) { return of.param.starts_with("whorl") ? "Instrumented" : "AsItIs"; });

}  // namespace
}  // namespace whorl::sim
