// Limits on a comparison: what is written as one, when it is exceeded, and that the reason names what changed.
#include "sim/report/gate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/replay/measuring.h"
#include "sim/trace/reader.h"
#include "support/json.h"
#include "support/rounds.h"
#include "support/runs.h"

namespace whorl::sim::test {
namespace {

bool isExceeded(const std::string& words, std::uint64_t a, std::uint64_t b) {
    const auto limit = parseFigureCondition(words);
    EXPECT_TRUE(limit) << words;
    return limit && limit->holdsFor({"L1_misses", "L1 misses", a, b});
}

TEST(FigureCondition, IsExceededByMoreThanItSays) {
    EXPECT_FALSE(isExceeded("L1.misses>+2%", 1000, 1020));
    EXPECT_TRUE(isExceeded("L1.misses>+2%", 1000, 1021));
    EXPECT_FALSE(isExceeded("L1.misses > +10", 1000, 1010));
    EXPECT_TRUE(isExceeded("L1.misses > +10", 1000, 1011));
    EXPECT_FALSE(isExceeded("L1_misses>1010", 0, 1010));
    EXPECT_TRUE(isExceeded("L1_misses>1010", 0, 1011));
    EXPECT_TRUE(isExceeded("L1.misses>-5 %", 1000, 951)) << "it should fall by 5 %";
    EXPECT_FALSE(isExceeded("L1.misses>-5 %", 1000, 950));
    EXPECT_TRUE(isExceeded("L1.misses<-5%", 1000, 949));
    EXPECT_FALSE(isExceeded("L1.misses<-5%", 1000, 950));
    EXPECT_TRUE(isExceeded("L1.misses<100", 1000, 99));
}

TEST(FigureCondition, MayIncludeItsLimit) {
    EXPECT_TRUE(isExceeded("L1.misses<=500", 0, 500));
    EXPECT_FALSE(isExceeded("L1.misses<=500", 0, 501));
    EXPECT_TRUE(isExceeded("L1.misses >= 500", 0, 500));
    EXPECT_FALSE(isExceeded("L1.misses>=500", 0, 499));
    EXPECT_TRUE(isExceeded("L1.misses>=+2%", 100, 102));
}

TEST(FigureCondition, MoreThanNothingIsBeyondEachShareOfIt) {
    EXPECT_TRUE(isExceeded("L1.misses>+1000%", 0, 1));
    EXPECT_FALSE(isExceeded("L1.misses>+0%", 0, 0));
}

/// By the plain meaning of the words, over random counts.
TEST(FigureCondition, SharesAreOfTheFirst) {
    std::mt19937 dice(1);
    for (std::uint64_t i = 0; i < testRounds(2000); ++i) {
        const std::uint64_t a = 1 + dice() % 1000;
        const std::uint64_t b = dice() % 2000;
        const int percent = static_cast<int>(dice() % 150);
        const double most = static_cast<double>(a) * (100 + percent);
        if (std::abs(100 * static_cast<double>(b) - most) < 1e-6) continue;
        EXPECT_EQ(isExceeded(fmt::format("L1.misses>+{}%", percent), a, b), 100 * static_cast<double>(b) > most);
    }
}

TEST(FigureCondition, WhatIsNotALimitIsToldSo) {
    for (const char* const words :
         {"", ">", "L1.misses", "L1.misses=3", "L1.misses>", "L1.misses>+", "L1.misses>+x%", ">+2%", "L1.misses>2%",
          "L1.misses>--2", "L1.misses>+-2", "L1.misses>inf", "L1.misses>nan", "L1.misses>+2%%", "L1.misses>1 000"}) {
        const auto limit = parseFigureCondition(words);
        ASSERT_FALSE(limit) << words;
        EXPECT_NE(limit.error().sentence().find("is not a limit"), std::string::npos) << limit.error().sentence();
        EXPECT_FALSE(limit.error().hint.empty());
    }
}

/// A trace of accesses by lines of one source file, whose text is given.
SharedTrace ofSource(const std::string& accesses, const std::string& source) {
    TraceParts parts = parseTrace("region A 0x1000 64\n" + accesses, "trace", {}).value().takeParts();
    for (SourceFile& file : parts.files) {
        if (!file.path.empty()) file.lines = SourceText(source);
    }
    return shared(Trace(std::move(parts)));
}

struct Gate : testing::Test {
    /// What is exceeded on a cache of one block of 16 bytes, in which an access misses if it is to another block than
    /// the one before.
    static Expected<std::vector<ExceededLimit>> exceeded(const SharedTrace& a, const SharedTrace& b,
                                                         const std::vector<std::string>& limits) {
        Progress progress;
        const MachineConfig machine = loadMachine("16/1/16").value();
        const Measures was = measure(a, machine, wholeOf(*a), true, progress).value();
        const Measures is = measure(b, machine, wholeOf(*b), true, progress).value();
        const std::vector<ComparedThings> things{comparedBy(Grouping::line, {*a, was}, {*b, is}),
                                                 comparedBy(Grouping::region, {*a, was}, {*b, is})};
        std::vector<FigureCondition> parsed;
        for (const std::string& words : limits) parsed.push_back(parseFigureCondition(words).value());
        return exceededLimits(parsed, comparison({*a, was}, {*b, is}), things);
    }

    const SharedTrace before =
        ofSource("R 0x1000 4 old/x.c:2\nR 0x1004 4 old/x.c:2\nR 0x1010 4 old/x.c:3\n", "int i;\na(i);\nb(i);\n");
};

TEST_F(Gate, NamesTheLineThatChanged) {
    // A line is put in above, and the second loop leaves its block each time.
    const auto found = exceeded(before,
                                ofSource("R 0x1000 4 new/x.c:3\nR 0x1004 4 new/x.c:3\nR 0x1010 4 new/x.c:4\n"
                                         "R 0x1020 4 new/x.c:4\nR 0x1030 4 new/x.c:4\n",
                                         "int i;\nint j;\na(i);\nb(i);\n"),
                                {"L1.misses>+10%", "L1.misses>100", "accesses>+1"});
    ASSERT_TRUE(found) << found.error().sentence();
    ASSERT_EQ(found->size(), 2U);
    EXPECT_EQ(found->front().limit, "L1.misses>+10%");
    EXPECT_EQ(found->front().reason,
              "L1 misses: 4 instead of 2, +2 (+100.0 %); most in new/x.c:4 (was line 3): +2 (+200.0 %); most in A: "
              "+2 (+100.0 %)");
    EXPECT_EQ(found->back().limit, "accesses>+1");
}

TEST_F(Gate, PassesWhatIsEqual) {
    const auto found = exceeded(before, before, {"L1.misses>+0", "cycles>+0%", "accesses<-0"});
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->empty());
}

TEST_F(Gate, KnowsItsFigures) {
    const auto found = exceeded(before, before, {"L1.mises>+0"});
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().sentence().find("did you mean \"L1_misses\"?"), std::string::npos)
        << found.error().sentence();
}

TEST(GradeOfAProgram, IsPassedIfAllLimitsAreKept) {
    const std::vector<Figure> figures{{"L1_misses", "L1 misses", 287}, {"cycles", "access cycles", 4000}};
    const auto graded = [&](const std::vector<std::string>& words, int status = 0) {
        std::vector<FigureCondition> limits;
        for (const std::string& of : words) limits.push_back(parseFigureCondition(of).value());
        return Grade{.program = "t.c",
                     .machine = "s5E1b5",
                     .accesses = 12,
                     .status = status,
                     .limits = gradedLimits(limits, figures).value()};
    };
    EXPECT_TRUE(graded({"L1.misses<=287", "cycles<4001"}).isPassed());
    EXPECT_FALSE(graded({"L1.misses<=287", "cycles<4000"}).isPassed());
    EXPECT_FALSE(graded({"L1.misses<=287"}, 3).isPassed()) << "the program has failed";
    EXPECT_EQ(gradeDocument(graded({"L1.misses<=287", "cycles<4000"})).text(0),
              "t.c on machine s5E1b5: 12 accesses\n"
              "passed  L1 misses: 287  (L1.misses<=287)\n"
              "FAILED  access cycles: 4 000  (cycles<4000)\n"
              "not passed\n");
    const Json json(jsonText(gradeDocument(graded({"L1.misses<=286"}, 1)).json()));
    EXPECT_NE(jsonText(gradeDocument(graded({"L1.misses<=286"}, 1)).json()).find("\"passed\": false"),
              std::string::npos);
    EXPECT_EQ(json["status"], 1);
    EXPECT_EQ(json["limits"][0]["value"], 287);
    EXPECT_FALSE(gradedLimits(std::vector{parseFigureCondition("L1.misses<+2%").value()}, figures));
    EXPECT_FALSE(gradedLimits(std::vector{parseFigureCondition("L2.misses<2").value()}, figures));
}

}  // namespace
}  // namespace whorl::sim::test
