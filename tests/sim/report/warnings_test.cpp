// What a trace has lost or left out, as sentences.
#include "sim/report/report.h"

#include <gtest/gtest.h>

#include "sim/trace/reader.h"

namespace whorl::sim {
namespace {

TEST(Warnings, SayWhatIsMissingFromATrace) {
    const auto whole = parseTrace("R 0x1000\n", "t", {});
    EXPECT_TRUE(warningsOf(*whole).empty());
    const auto lenient = parseTrace("R 0x1000\nnonsense\noff\nR 0x1\nR 0x2\non\n", "t", {.lenient = true});
    EXPECT_EQ(warningsOf(*lenient),
              (std::vector<std::string>{"1 malformed line was left out", "2 accesses were left out"}));
    TraceParts parts = lenient->parts();
    parts.losses = {"a chunk is damaged"};
    EXPECT_EQ(warningsOf(Trace(parts)).front(), "a chunk is damaged");
}

}  // namespace
}  // namespace whorl::sim
