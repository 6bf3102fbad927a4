// Recordings of windows into a program, and what they say of the whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "capture/compiled.h"
#include "sim/analysis/window_estimate.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/measuring.h"
#include "sim/trace/filter.h"
#include "sim/trace/virtual_time.h"

namespace whorl::sim {
namespace {

Trace steady(const std::string& way, long times, WindowLengths windows) {
    CaptureOptions options;
    options.command = {test::compiled("steady.cpp", way + "g++ -O1"), std::to_string(times)};
    options.windows = windows;
    return test::recorded(options).trace;
}

MachineConfig smallCaches() {
    MachineConfig machine;
    machine.levels = {LevelConfig{.name = "L1", .size = 4096, .ways = 4, .block = 64},
                      LevelConfig{.name = "L2", .size = 65536, .ways = 8, .block = 64}};
    return machine;
}

std::vector<LevelEstimate> estimated(const Trace& trace) {
    Progress progress;
    const auto estimate = estimateOf(std::make_shared<const Trace>(trace), smallCaches(), progress);
    EXPECT_TRUE(estimate.has_value()) << estimate.error().sentence();
    return estimate ? estimate->levels : std::vector<LevelEstimate>{};
}

std::vector<double> missRatios(const Trace& trace) {
    Progress progress;
    const auto measured =
        measure(std::make_shared<const Trace>(trace), smallCaches(), {Tick{0}, Tick{trace.size()}}, false, progress);
    EXPECT_TRUE(measured.has_value()) << measured.error().sentence();
    std::vector<double> ratios;
    for (std::size_t l = 0; measured && l < 2; ++l) ratios.push_back(1 - measured->counters.level(l).hitRate());
    return ratios;
}

class WindowsOfBothWays : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ways, WindowsOfBothWays, testing::ValuesIn(test::kWays));

TEST_P(WindowsOfBothWays, ThatAreAllOfItAreTheWholeRecording) {
    const Trace whole = steady(GetParam(), 20'000, {});
    const Trace all = steady(GetParam(), 20'000, {.length = 700, .every = 700});
    EXPECT_EQ(whole.windows(), nullptr);
    ASSERT_NE(all.windows(), nullptr);
    EXPECT_EQ(all.size(), whole.size());
    EXPECT_EQ(all.accessesOff(), 0u);
    EXPECT_NEAR(static_cast<double>(all.windows()->begins.size()), static_cast<double>(whole.size()) / 700, 1);
    const auto estimates = estimated(all);
    const auto ratios = missRatios(whole);
    for (std::size_t l = 0; l < ratios.size(); ++l) {
        EXPECT_DOUBLE_EQ(estimates[l].missRatio, ratios[l]);
        EXPECT_EQ(estimates[l].plusMinus, 0.0);
    }
}

TEST_P(WindowsOfBothWays, AndWhatIsBetweenAreTheWholeProgram) {
    const Trace whole = steady(GetParam(), 20'000, {});
    const Trace some = steady(GetParam(), 20'000, {.length = 100, .every = 1000});
    ASSERT_NE(some.windows(), nullptr);
    const Windows& windows = *some.windows();
    EXPECT_EQ(some.size() + some.accessesOff(), whole.size());
    EXPECT_EQ(windows.between, some.accessesOff());
    EXPECT_EQ(windows.length, 100u);
    EXPECT_EQ(windows.every, 1000u);
    for (std::size_t i = 0; i + 1 < windows.begins.size(); ++i) {
        // A modify is not torn apart.
        EXPECT_LE(windows.begins[i + 1].value - windows.begins[i].value, 101u);
        EXPECT_GE(windows.begins[i + 1].value - windows.begins[i].value, 99u);
    }
}

TEST_P(WindowsOfBothWays, TellTheMissRatiosOfTheWholeProgram) {
    const long times = 2'000'000;
    const auto ratios = missRatios(steady(GetParam(), times, {}));
    const Trace windows = steady(GetParam(), times, {.length = 2000, .every = 40'000});
    const auto estimates = estimated(windows);
    ASSERT_EQ(estimates.size(), 2u);
    for (std::size_t l = 0; l < 2; ++l) {
        const LevelEstimate& level = estimates[l];
        ASSERT_TRUE(level.plusMinus && level.least && level.most);
        EXPECT_NEAR(level.missRatio, ratios[l], *level.plusMinus) << "L" << l + 1;
        EXPECT_LT(*level.plusMinus, 0.05);
        EXPECT_LE(*level.least, ratios[l] + *level.plusMinus);
        EXPECT_GE(*level.most, ratios[l] - *level.plusMinus);
        EXPECT_LE(*level.least, level.missRatio);
        EXPECT_GE(*level.most, level.missRatio);
    }
}

TEST(Windows, OfThreadsStayWindowsInVirtualTime) {
    CaptureOptions options;
    options.command = {test::compiled("threads.cpp", "g++ -O1"), "locked"};
    options.windows = {.length = 50, .every = 500};
    const Trace recorded = test::recorded(options).trace;
    ASSERT_GT(recorded.cpus(), 1u);
    ASSERT_NE(recorded.windows(), nullptr);
    Progress progress;
    const auto ordered = inVirtualTime(recorded, "it", progress);
    ASSERT_TRUE(ordered.has_value());
    ASSERT_NE(ordered->windows(), nullptr);
    EXPECT_EQ(ordered->size(), recorded.size());
    EXPECT_EQ(ordered->windows()->begins.size(), recorded.windows()->begins.size());
    EXPECT_TRUE(std::is_sorted(ordered->windows()->begins.begin(), ordered->windows()->begins.end()));
}

TEST(Windows, StayWhereTheyAreInWhatAFilterLeaves) {
    const Trace recorded = steady("", 20'000, {.length = 100, .every = 1000});
    TraceFilter filter;
    filter.regions = {"table"};
    const auto some = filtered(recorded, filter, "it");
    ASSERT_TRUE(some.has_value()) << some.error().sentence();
    ASSERT_NE(some->windows(), nullptr);
    const auto& before = recorded.windows()->begins;
    const auto& after = some->windows()->begins;
    ASSERT_EQ(after.size(), before.size());
    std::size_t window = 0;
    std::uint64_t kept = 0;
    recorded.forEach(Tick{0}, Tick{recorded.size()}, [&](Tick t, const Access& a) {
        while (window < before.size() && before[window] == t) EXPECT_EQ(after[window++].value, kept);
        const std::size_t region = recorded.regionAt(a.address);
        kept += recorded.regions()[region].name == "table" ? 1 : 0;
    });
    EXPECT_EQ(window, before.size());
}

}  // namespace
}  // namespace whorl::sim
