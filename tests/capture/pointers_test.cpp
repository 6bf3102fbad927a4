// A name means the block of the heap that it stands for in the program, and not also the variable that points there.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "capture/compiled.h"
#include "sim/trace/filter.h"

namespace whorl::sim {
namespace {

class Pointers : public testing::TestWithParam<std::string> {};

TEST_P(Pointers, HaveNamesOfTheirOwn) {
    const Trace trace = test::recorded({test::compiled("pointers.cpp", GetParam())}).trace;
    const std::tuple<std::string, std::uint64_t, std::string> blocks[] = {
        {"d", 5000, "pointer"}, {"field", 2400, "pointer"}, {"orders", 800, "vector"}};
    for (const auto& [name, bytes, kind] : blocks) {
        const auto& regions = trace.regions();
        const auto isCalled = [&, called = name](const Region& r) { return r.name == called; };
        ASSERT_EQ(std::count_if(regions.begin(), regions.end(), isCalled), 1) << name;
        EXPECT_EQ(test::regionNamed(trace, name)->size, bytes);
        const Region* const variable = test::regionNamed(trace, name + ", the " + kind + " itself");
        // A program that records itself tells of no local variable whose address nobody takes.
        const bool isTold = name != "d" || !GetParam().starts_with("whorl");
        ASSERT_EQ(variable != nullptr, isTold) << name;
        if (isTold) {
            EXPECT_LE(variable->size, 24u) << name;
        }
    }
    TraceFilter filter;
    ASSERT_TRUE(addCondition(filter, "region=d").has_value());
    const auto some = filtered(trace, filter, "pointers");
    ASSERT_TRUE(some.has_value());
    EXPECT_GE(some->size(), 5000u + 300u);
    some->forEach(Tick{0}, Tick{some->size()}, [&](Tick, const Access& a) {
        EXPECT_TRUE(test::regionNamed(trace, "d")->contains(a.address)) << a.address.value;
    });
}

INSTANTIATE_TEST_SUITE_P(Compilers, Pointers, testing::Values("g++ -O0", "whorl cc g++ -O0"),
                         [](const auto& of) { return of.param.starts_with("whorl") ? "Instrumented" : "AsItIs"; });

}  // namespace
}  // namespace whorl::sim
