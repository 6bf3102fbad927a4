// The machine in a trace is used unless another is named.
#include "app/tasks/opening.h"

#include <gtest/gtest.h>

#include <fstream>

#include "app/system/threads.h"
#include "app/tasks/queued_runner.h"
#include "sim/trace/trace_builder.h"
#include "support/shared_trace.h"
#include "support/traces.h"

namespace whorl::app {
namespace {

/// An access by a CPU, on a machine stored in the trace.
std::shared_ptr<const sim::Trace> traceOn(const std::string& machine, std::uint8_t cpu = 0) {
    sim::TraceBuilder builder("t.whorl");
    builder.machine(machine);
    builder.add(sim::Access{.address = sim::ByteAddress{0x1000}, .size = 4, .cpu = cpu});
    return sim::test::shared(builder);
}

sim::Expected<Opened> opened(const std::string& machine, const std::shared_ptr<const sim::Trace>& trace) {
    sim::Progress progress;
    return open({.input = "t.whorl", .machine = machine, .reading = {}}, trace, progress);
}

constexpr const char* kMachine = R"({"name": "its own", "levels": [{"size": 128, "ways": 2, "block": 32}]})";

TEST(Opening, TakesTheMachineInTheTrace) {
    EXPECT_EQ(opened("", traceOn(kMachine))->run->machine().name, "its own");
    EXPECT_EQ(opened("paper", traceOn(kMachine))->run->machine().name, "paper") << "a machine that is named goes first";
    EXPECT_EQ(opened("", traceOn(""))->run->machine().name, sim::loadMachine("default")->name);
}

TEST(Opening, ChangesTheMachineInTheTrace) {
    sim::Progress progress;
    const auto changed =
        open({.input = "t.whorl", .machine = {}, .settings = {"ways=4"}, .reading = {}}, traceOn(kMachine), progress);
    ASSERT_TRUE(changed) << changed.error().sentence();
    EXPECT_EQ(changed->run->machine().levels[0].ways, 4u);
}

TEST(Opening, LaysTheTraceOutAnewFromWhatIsInMemory) {
    const auto trace = sim::test::shared("region A 0x1000 64\nregion B 0x1040 64\nR 0x1000\nR 0x1040\n", "t.whorl");
    sim::Progress progress;
    const auto with = [&](const std::vector<std::string>& changes, const std::shared_ptr<const sim::Trace>& known) {
        return open({.input = "t.whorl", .machine = "paper", .reading = {}, .changes = changesFrom(changes)}, known,
                    progress);
    };
    const auto shifted = with({"shift:A:-64"}, trace);
    ASSERT_TRUE(shifted) << shifted.error().sentence();
    EXPECT_EQ(shifted->run->trace().regions()[0].base.value, 0xfc0u);
    EXPECT_TRUE(shifted->run->trace().sharesAccesses(*trace));
    // From there to another layout, to the same one, and back: never from a file, because there is none.
    const auto aligned = with({"align:B:4K"}, shifted->run->sharedTrace());
    EXPECT_EQ(aligned->run->trace().regions()[0].base.value, 0x1000u);
    EXPECT_EQ(aligned->run->trace().regions()[1].base.value, 0x2000u);
    EXPECT_EQ(with({"align:B:4K"}, aligned->run->sharedTrace())->run->sharedTrace(), aligned->run->sharedTrace());
    EXPECT_EQ(with({}, aligned->run->sharedTrace())->run->sharedTrace(), trace);
    EXPECT_FALSE(with({"align:nothing:64"}, trace));
}

TEST(Opening, SaysWhatIsWrongWithTheMachineInTheTrace) {
    const auto unsound = opened("", traceOn(R"({"levels": [{"size": 100, "ways": 2, "block": 32}]})"));
    ASSERT_FALSE(unsound);
    const std::string words = unsound.error().sentence();
    EXPECT_EQ(words.find("t.whorl, its machine: "), 0u) << words;
    EXPECT_NE(words.find("name another machine with --machine"), std::string::npos) << words;
    EXPECT_TRUE(opened("paper", traceOn("nonsense")));
    EXPECT_FALSE(opened("", traceOn("nonsense")));
}

TEST(Opening, RefusesAMachineThatIsUnsoundWithTheTracesCpus) {
    // 64 caches of 2^19 blocks each exceed the limit of a level.
    const auto huge = opened(R"(512K/8/1, 1M/8/1)", traceOn("", 63));
    ASSERT_FALSE(huge);
    EXPECT_NE(huge.error().sentence().find("t.whorl"), std::string::npos);
}

TEST(Opening, GivesErrorsForWhatCannotBeOpened) {
    sim::Progress progress;
    EXPECT_FALSE(open({.input = "nosuchprogram", .machine = {}, .reading = {}}, nullptr, progress));
    EXPECT_FALSE(open({.input = "./no/such/file", .machine = {}, .reading = {}}, nullptr, progress));
    EXPECT_FALSE(open({.input = "matmul", .machine = "3K/5/7", .reading = {}}, nullptr, progress));
    EXPECT_FALSE(open({.input = "matmul:n=0", .machine = {}, .reading = {}}, nullptr, progress));
}

/// Opens in the background, and waits for the run or the error.
sim::Expected<Opened> openIn(Opening& opening) {
    std::optional<sim::Expected<Opened>> result;
    while (!result) result = opening.update();
    return *std::move(result);
}

TEST(Opening, InTheBackgroundHandsOutTheRunOnceAndBuildsIt) {
    ThreadPool pool;
    Opening opening(pool, {.input = "matmul", .machine = {}, .reading = {}}, nullptr);
    EXPECT_TRUE(opening.working());
    const auto opened = openIn(opening);
    ASSERT_TRUE(opened);
    EXPECT_FALSE(opening.reading());
    while (opening.working()) EXPECT_FALSE(opening.update());
    EXPECT_TRUE(opened->run->complete());
    EXPECT_FALSE(opening.update());
}

TEST(Opening, InTheBackgroundGivesAnError) {
    ThreadPool pool;
    Opening opening(pool, {.input = "matmul:n=0", .machine = {}, .reading = {}}, nullptr);
    EXPECT_FALSE(openIn(opening));
    EXPECT_FALSE(opening.working());
}

TEST(Opening, ThatIsCancelledLeavesTheRunAsFarAsItIs) {
    QueuedRunner runner;
    Opening opening(runner, {.input = "matmul", .machine = {}, .reading = {}}, nullptr);
    runner.runAll();
    const auto opened = opening.update();
    ASSERT_TRUE(opened && *opened);
    opening.cancel();
    runner.runAll();
    EXPECT_FALSE(opening.update()) << "nothing is wrong";
    EXPECT_FALSE(opening.working());
    EXPECT_FALSE((*opened)->run->complete());
}

std::vector<sim::OtherLoops> loopsOfInput(OpenRequest request) {
    sim::Progress progress;
    const auto trace = traceOf(request, progress);
    return trace ? otherLoopsOf(request, *trace) : std::vector<sim::OtherLoops>();
}

constexpr const char* kColumns = "for i in 0..9 { for j in 0..9 { read A[j][i] } }";

TEST(OtherLoops, AreThoseOfPatterns) {
    const std::string typed = std::string("pattern:") + kColumns;
    const auto loops = loopsOfInput({.input = typed, .machine = {}, .reading = {}});
    ASSERT_FALSE(loops.empty());
    EXPECT_EQ(loops[0].words, "the loops over i and j the other way round");
    sim::Progress progress;
    const auto trace = loops[0].run(progress);
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->size(), 81u);
    EXPECT_TRUE(loopsOfInput({.input = "matmul:n=4", .machine = {}, .reading = {}}).empty());
    OpenRequest part{.input = typed, .machine = {}, .reading = {}};
    part.reading.only.regions = {"A"};
    EXPECT_TRUE(loopsOfInput(part).empty());
}

TEST(OtherLoops, OfAFileAreThoseOfItsText) {
    const std::string path = testing::TempDir() + "other_loops.pattern";
    std::ofstream(path) << "# columns\n" << kColumns << '\n';
    const OpenRequest request{.input = path, .machine = {}, .reading = {}};
    EXPECT_FALSE(loopsOfInput(request).empty());
    EXPECT_EQ(loopsOfInput(request)[0].line, 2u);
    sim::Progress progress;
    const sim::Trace trace = traceOf(request, progress).value();
    std::ofstream(path) << "for i in 0..8 { for j in 0..9 { read A[j][i] } }";
    EXPECT_TRUE(otherLoopsOf(request, trace).empty()) << "the file has changed";
}

}  // namespace
}  // namespace whorl::app
