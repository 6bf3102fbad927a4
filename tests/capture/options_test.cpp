// Which part of a program is recorded: as the options, and the program itself, ask.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "capture/compiled.h"

namespace whorl::sim {
namespace {

CaptureOptions ofParts(const std::string& way = {}) {
    CaptureOptions options;
    options.command = {test::compiled("parts.cpp", way + "g++ -O1 -I" + sourceFolder())};
    return options;
}

/// The bytes written to the three arrays, as "400 400 0".
std::string writtenOf(const Trace& trace) {
    std::string out;
    for (const char* name : {"first", "second", "third"}) {
        out += (out.empty() ? "" : " ") + std::to_string(test::bytesOf(trace, name).written);
    }
    return out;
}

std::string writtenWith(const CaptureOptions& options) {
    const test::Recorded captured = test::recorded(options);
    EXPECT_EQ(captured.status, 7);
    return writtenOf(captured.trace);
}

class CaptureOptionsOfBothWays : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ways, CaptureOptionsOfBothWays, testing::ValuesIn(test::kWays));

TEST_P(CaptureOptionsOfBothWays, AllOfMainIsUsual) {
    EXPECT_EQ(writtenWith(ofParts(GetParam())), "400 400 400");
}

TEST_P(CaptureOptionsOfBothWays, TheFileKeepsItsMachine) {
    CaptureOptions options = ofParts(GetParam());
    EXPECT_EQ(test::recorded(options).trace.machine(), "");
    options.machine = R"({"levels": [{"size": "1K", "ways": 2, "block": 32}]})";
    EXPECT_EQ(test::recorded(options).trace.machine(), options.machine);
}

TEST_P(CaptureOptionsOfBothWays, AStructureHasTheNameThatItIsUsedBy) {
    const Trace trace = test::recorded(ofParts(GetParam())).trace;
    const Region* const points = test::regionNamed(trace, "points");
    ASSERT_NE(points, nullptr);
    ASSERT_NE(points->type, nullptr);
    EXPECT_EQ(points->type->name, "Point");
    EXPECT_EQ(points->type->fields.size(), 2u);
}

TEST_P(CaptureOptionsOfBothWays, FromAFunctionOn) {
    CaptureOptions options = ofParts(GetParam());
    options.startAt = "writeSecond";
    EXPECT_EQ(writtenWith(options), "0 400 400");
}

TEST_P(CaptureOptionsOfBothWays, UntilAFunction) {
    CaptureOptions options = ofParts(GetParam());
    options.stopAt = "writeThird";
    EXPECT_EQ(writtenWith(options), "400 400 0");
    options.startAt = "writeSecond";
    EXPECT_EQ(writtenWith(options), "0 400 0");
}

TEST_P(CaptureOptionsOfBothWays, OnlyAFunction) {
    CaptureOptions options = ofParts(GetParam());
    options.functions = {"writeSecond"};
    EXPECT_EQ(writtenWith(options), "0 400 0");
    options.functions = {"writeSecond", "writeFirst"};
    EXPECT_EQ(writtenWith(options), "400 400 0");
}

TEST_P(CaptureOptionsOfBothWays, OnlyAFile) {
    CaptureOptions options = ofParts(GetParam());
    options.files = {"programs/parts.cpp"};
    EXPECT_EQ(writtenWith(options), "400 400 400");
}

TEST_P(CaptureOptionsOfBothWays, SoManyAccesses) {
    CaptureOptions options = ofParts(GetParam());
    options.most = 50;
    const test::Recorded captured = test::recorded(options);
    EXPECT_EQ(captured.trace.size(), 50u);
    ASSERT_FALSE(captured.trace.losses().empty());
    EXPECT_NE(captured.trace.losses()[0].find("--max"), std::string::npos);
    EXPECT_EQ(captured.status, 7);
}

TEST(CaptureOptions, EverythingIsMoreThanMain) {
    CaptureOptions options = ofParts();
    const std::uint64_t ofMain = test::recorded(options).trace.size();
    options.everything = true;
    EXPECT_GT(test::recorded(options).trace.size(), 10 * ofMain);
}

TEST(CaptureOptions, FetchesOfACompiledProgramAreRefused) {
    CaptureOptions options = ofParts("whorl cc ");
    options.fetches = true;
    Progress progress;
    const auto captured = capture(
        options, test::workFolder() + "/none.whorl", [] { return 0; }, progress);
    ASSERT_FALSE(captured.has_value());
    EXPECT_NE(captured.error().sentence().find("--fetches"), std::string::npos);
}

TEST(CaptureOptions, FetchesAreReads) {
    CaptureOptions options = ofParts();
    const Trace without = test::recorded(options).trace;
    options.fetches = true;
    const Trace with = test::recorded(options).trace;
    EXPECT_EQ(with.writes(), without.writes());
    EXPECT_EQ(with.reads(), without.reads() + with.instructions());
}

TEST_P(CaptureOptionsOfBothWays, TheProgramAsksItself) {
    CaptureOptions options = ofParts(GetParam());
    options.command.emplace_back("requests");
    options.startOff = true;
    const test::Recorded captured = test::recorded(options);
    EXPECT_EQ(writtenOf(captured.trace), "0 400 0");
    EXPECT_EQ(test::bytesOf(captured.trace, "grid").written, 400u);
    const Region* const grid = test::regionNamed(captured.trace, "grid");
    ASSERT_NE(grid, nullptr);
    EXPECT_EQ(grid->rows, 10u);
    EXPECT_EQ(grid->columns, 10u);
    EXPECT_EQ(grid->elementSize, 4u);
    ASSERT_EQ(captured.trace.marks().size(), 1u);
    EXPECT_EQ(captured.trace.marks()[0].text, "half");
    // The mark is between the two.
    std::uint64_t before = 0;
    captured.trace.forEach(Tick{0}, captured.trace.marks()[0].at, [&](Tick, const Access& a) {
        EXPECT_LT(captured.trace.regionAt(a.address), captured.trace.regions().size());
        before += grid->contains(a.address) ? 1 : 0;
    });
    EXPECT_EQ(before, 400u);
}

TEST_P(CaptureOptionsOfBothWays, AFunctionThatIsNeverCalledIsSaid) {
    CaptureOptions options = ofParts(GetParam());
    options.startAt = "nowhere";
    Progress progress;
    const auto captured = capture(
        options, test::workFolder() + "/none.whorl", [] { return 0; }, progress);
    ASSERT_FALSE(captured.has_value());
    EXPECT_NE(captured.error().sentence().find("\"nowhere\" was never called"), std::string::npos);
}

/// Asks a program that does not listen to end, once it says that it does not. It is ended here.
std::string sentenceOfOneThatRunsOn(const std::string& way, bool startOff) {
    const std::string mark = test::workFolder() + "/deaf";
    std::filesystem::remove(mark);
    CaptureOptions options;
    options.command = {test::compiled("faults.cpp", way + "g++ -O1"), "deaf", mark};
    options.startOff = startOff;
    options.patience = 500;
    Progress progress;
    const auto captured = capture(
        options, test::workFolder() + "/deaf.whorl", [&] { return std::filesystem::exists(mark) ? SIGTERM : 0; },
        progress);
    std::string said = captured ? captured->losses.at(0) : captured.error().what;
    const std::size_t number = said.find("process ");
    if (number != std::string::npos) kill(std::stoi(said.substr(number + 8)), SIGKILL);
    return said;
}

TEST_P(CaptureOptionsOfBothWays, AProgramThatDoesNotEndIsNamed) {
    for (const bool startOff : {false, true}) {
        EXPECT_NE(sentenceOfOneThatRunsOn(GetParam(), startOff).find("runs on"), std::string::npos);
    }
}

TEST_P(CaptureOptionsOfBothWays, AProgramThatIsAskedToEndIsKept) {
    CaptureOptions options;
    options.command = {test::compiled("faults.cpp", GetParam() + "g++ -O1"), "forever"};
    const std::string path = test::workFolder() + "/ended.whorl";
    Progress progress;
    const auto captured = capture(
        options, path, [&] { return progress.accesses() > 100'000 ? SIGTERM : 0; }, progress);
    ASSERT_TRUE(captured.has_value()) << captured.error().sentence();
    EXPECT_EQ(captured->status, 128 + SIGTERM);
    EXPECT_GT(captured->accesses, 100'000u);
    const auto trace = readTrace(path, {}, progress);
    ASSERT_TRUE(trace.has_value());
    EXPECT_EQ(trace->size(), captured->accesses);
}

}  // namespace
}  // namespace whorl::sim
