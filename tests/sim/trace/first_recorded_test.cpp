// Where the recorded part begins, on traces with any number of unrecorded accesses before it.
#include "sim/trace/trace_passes.h"

#include <gtest/gtest.h>

#include "sim/trace/trace.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim {
namespace {

Trace startingAfter(std::uint64_t unrecorded, std::uint64_t recorded) {
    TraceBuilder builder("late");
    builder.keepUnrecorded();
    builder.recording(false);
    for (std::uint64_t i = 0; i < unrecorded; ++i) builder.add(test::access(Op::read, 0x1000 + 8 * (i % 64), 8));
    builder.recording(true);
    for (std::uint64_t i = 0; i < recorded; ++i) builder.add(test::access(Op::read, 0x2000, 8));
    return builder.finish();
}

TEST(FirstRecorded, IsTheNumberOfAccessesBeforeIt) {
    for (const std::uint64_t before : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{29'000}, Trace::kChunk - 1,
                                       Trace::kChunk, Trace::kChunk + 1, 2 * Trace::kChunk}) {
        const Trace trace = startingAfter(before, 3);
        EXPECT_EQ(trace.size(), before + 3);
        EXPECT_EQ(firstRecorded(trace), Tick{before}) << before;
    }
}

}  // namespace
}  // namespace whorl::sim
