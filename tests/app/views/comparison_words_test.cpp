// What is said of runs beside each other: heading, strip and caption count the same accesses.
#include "app/views/comparison_words.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/panels/panel_parts.h"
#include "sim/report/table.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

struct Words {
    explicit Words(const std::vector<OpenRequest>& requests) : s(comparedRuns(requests)) { s.panels = false; }
    void seek(double t) {
        s.player.seek(t, s.end());
        const gl::Rect canvas{0, 0, 900, 600};
        runs.follow(s);
        runs.update(s, tilesOn(s, canvas, 1), canvas, 1, scene::View::kAtRest);
    }

    Session s;
    PanelParts parts;
    RunViews& runs = parts.runs;
    PanelContext context = parts.context(s);
};

/// The access in motion counts, everywhere or nowhere: whatever the lock, and between two accesses.
TEST(ComparisonWords, CountTheAccessesThatTheRingsShow) {
    Words words({{.input = "matmul:n=8"}, {.input = "matmul:n=8,variant=blocked,block=4"}});
    for (const TimeLock lock : {TimeLock::access, TimeLock::share, TimeLock::line}) {
        words.s.lock = lock;
        for (const double t : {0.0, 1.0, 99.0, 99.35, 640.5, 641.0, words.s.end()}) {
            words.seek(t);
            std::vector<std::string> counted;
            for (std::size_t run = 0; run < 2; ++run) {
                const auto counts = countsOf(words.context, run);
                ASSERT_TRUE(counts);
                const auto all = words.runs.at(run)->run()->trace().size();
                counted.push_back(sim::grouped(counts->counters.accesses()) + " of " + sim::grouped(all));
                // On this machine each access is one request.
                const auto said =
                    hitsAndMisses(words.runs.at(run)->run()->machine(), counts->counters, LevelWords::all).front();
                const std::string misses = sim::counted(counts->counters.level(0).misses(), "miss", "misses");
                EXPECT_TRUE(said.ends_with(", " + misses + " of " + sim::grouped(counts->counters.accesses()))) << said;
            }
            EXPECT_EQ(spanInWords(words.context), "after " + counted[0] + " and " + counted[1] + " accesses") << t;
        }
    }
}

/// A run that is over has more misses than one that has hardly begun: the headline says so.
TEST(ComparisonWords, SayAfterWhichShares) {
    Words words({{.input = "matmul:n=4"}, {.input = "matmul:n=8"}});
    words.seek(words.s.end());
    const auto all = words.runs.at(1)->run()->trace().size();
    EXPECT_EQ(spanInAWord(words.context),
              fmt::format("after 100 % and {} %", 100 * words.s.opened.run->trace().size() / all));
    words.s.lock = TimeLock::share;
    words.seek(words.s.end());
    EXPECT_EQ(spanInAWord(words.context), "in all");
    words.seek(words.s.end() / 2);
    EXPECT_EQ(spanInAWord(words.context), "so far");
}

TEST(ComparisonWords, SayTheRateThatStandsBesideTheRings) {
    Words words({{.input = "matmul:n=8"}, {.input = "matmul:n=8,variant=blocked,block=4"}});
    words.seek(words.s.end());
    const sim::Counters counts = countsOf(words.context, 0).value().counters;
    const auto level = counts.level(0);
    EXPECT_EQ(hitsAndMisses(words.context.machine(), counts, LevelWords::brief).front(),
              fmt::format("L1 hits {:.1f} %, {} misses", 100 * level.hitRate(), sim::grouped(level.misses())));
    const std::string said = comparisonSentence(words.context);
    EXPECT_EQ(said.find("in blocks: "), 0u) << said;
    EXPECT_NE(said.find(" L1 misses than plain loops ("), std::string::npos) << said;
    EXPECT_NE(said.find(" 1 fewer L2 miss ("), std::string::npos) << said;
}

/// Where the misses are the same, what differs is said.
TEST(ComparisonWords, OfTwoWaysOfWritingCountTheWrites) {
    Words words({{.input = "arrayinit:n=64", .machine = "256/8/32", .settings = {"L1.write=through"}},
                 {.input = "arrayinit:n=64", .machine = "256/8/32"}});
    words.seek(32);
    EXPECT_EQ(comparisonSentence(words.context),
              "write-back in L1: 32 fewer writes to memory than write-through in L1 (-100\u00a0%).");
    ASSERT_EQ(differences(words.context).size(), 1u);
    EXPECT_TRUE(differences(words.context).front().starts_with("writes to memory: 0 instead of 32"));
    EXPECT_EQ(headingWords(words.context, 0, LevelWords::misses).front(), "32 writes to memory");
    EXPECT_EQ(headingWords(words.context, 1, LevelWords::misses),
              (std::vector<std::string>{"0 writes to memory", "L1 8 misses"}));
    words.seek(1);
    EXPECT_EQ(headingWords(words.context, 0, LevelWords::misses),
              (std::vector<std::string>{"1 write to memory", "L1 1 miss"}));
    EXPECT_NE(comparisonSentence(words.context).find("1 fewer write to memory"), std::string::npos);
}

TEST(ComparisonWords, DoNotTellTheAnswerOfAnOpenQuestion) {
    Words words({{.input = "matmul:n=8"}, {.input = "matmul:n=8,variant=blocked,block=4"}});
    words.seek(words.s.end());
    Tour tour;
    tour.scenes.push_back({.id = "a", .question = Question{.text = "Which misses less?"}});
    words.s.presentation = Presentation{.tour = std::make_shared<const Tour>(tour)};
    EXPECT_FALSE(countsOf(words.context, 0));
    EXPECT_EQ(comparisonSentence(words.context) + mostDifferent(words.context), "");
    EXPECT_TRUE(differences(words.context).empty());
    EXPECT_TRUE(headingWords(words.context, 0, LevelWords::misses).empty());
    words.s.presentation->answered = true;
    EXPECT_FALSE(comparisonSentence(words.context).empty());
}

TEST(ComparisonWords, TitlesLeaveOutWhatAllHaveAlike) {
    using Titles = std::vector<std::string>;
    const auto within = [](std::size_t room) { return [=](const std::string& words) { return words.size() <= room; }; };
    const Titles policies{"LRU in L1", "random replacement in L1"};
    EXPECT_EQ(withoutAlike(policies, within(30)), policies);
    EXPECT_EQ(withoutAlike(policies, within(20)), (Titles{"LRU", "random replacement"}));
    EXPECT_EQ(withoutAlike(policies, within(5)), (Titles{"LRU", "random replacement"}))
        << "they have nothing else alike";
    EXPECT_EQ(withoutAlike({"blocks of 16 bytes", "blocks of 128 bytes"}, within(8)), (Titles{"…16", "…128"}));
    EXPECT_EQ(withoutAlike({"L1.ways=1", "L1.ways=12"}, within(8)), (Titles{"…1", "…12"}));
}

TEST(ComparisonWords, OfASweepNameTheBestAndTheWorst) {
    std::vector<OpenRequest> requests;
    for (const char* ways : {"L1.ways=1", "L1.ways=2", "L1.ways=8"}) {
        requests.push_back({.input = "matmul:n=8", .settings = {ways}});
    }
    Words words(requests);
    words.seek(100);
    EXPECT_EQ(spanInWords(words.context),
              "after 100 of " + sim::grouped(words.s.opened.run->trace().size()) + " accesses of each");
    const std::string said = comparisonSentence(words.context);
    EXPECT_NE(said.find(" has the fewest L1 misses, "), std::string::npos) << said;
    EXPECT_NE(said.find(" has the most, "), std::string::npos) << said;
}

TEST(ComparisonWords, OfASweepNameAllThatAreEqual) {
    std::vector<OpenRequest> requests;
    for (const char* ways : {"L1.ways=1", "L1.ways=2", "L1.ways=4", "L1.ways=8"}) {
        requests.push_back({.input = "conflict", .machine = "lecture", .settings = {ways}});
    }
    Words words(requests);
    words.seek(120);
    EXPECT_EQ(
        comparisonSentence(words.context),
        "L1.ways=4 and 8 have the fewest L1 misses, 15 each; L1.ways=1 and 2 have the most, 120 each (+700\u00a0%).");
}

}  // namespace
}  // namespace whorl::app
