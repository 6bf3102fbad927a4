// A program that writes over the memory through which it is recorded harms nobody but its own recording.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "capture/compiled.h"

namespace whorl::sim {
namespace {

using test::bytesOf;

constexpr std::uint64_t kBytesBefore = 400'000;

std::string hostile(const std::string& way) {
    return test::compiled("hostile.cpp", way + "g++ -O1 -I" + sourceFolder());
}

class Hostile : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

/// What came before is kept, and what did is said.
TEST_P(Hostile, ARecordedProgramCannotBringWhorlDown) {
    const auto& [way, how] = GetParam();
    const test::Recorded captured = test::recorded({hostile(way), how});
    EXPECT_EQ(captured.status, 5);
    const std::uint64_t kept = bytesOf(captured.trace, "marks").written;
    // At most what was not yet published is lost: one slot.
    EXPECT_GT(kept, kBytesBefore / 2);
    EXPECT_LE(kept, 2 * kBytesBefore);
    const auto& losses = captured.trace.losses();
    EXPECT_EQ(losses.size(), 1u);
    EXPECT_TRUE(std::any_of(losses.begin(), losses.end(), [](const std::string& loss) {
        return loss.find("wrote over the memory") != std::string::npos;
    }));
}

std::string wayAndFault(const testing::TestParamInfo<Hostile::ParamType>& of) {
    const auto& [way, how] = of.param;
    std::string name = (way.empty() ? "asItIs_" : "compiled_") + how;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Of, Hostile,
                         testing::Combine(testing::ValuesIn(test::kWays),
                                          testing::Values("zeros", "ones", "slot-bytes", "no-slots", "many-slots",
                                                          "closed", "empty-slots", "states", "records")),
                         wayAndFault);

class Unharmed : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ways, Unharmed, testing::ValuesIn(test::kWays));

TEST_P(Unharmed, TheMemoryCannotBeCut) {
    const test::Recorded captured = test::recorded({hostile(GetParam()), "cut"});
    EXPECT_EQ(captured.status, 5);
    EXPECT_EQ(bytesOf(captured.trace, "marks").written, 2 * kBytesBefore);
    EXPECT_TRUE(captured.trace.losses().empty());
}

}  // namespace
}  // namespace whorl::sim
