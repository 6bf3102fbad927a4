// A page without a browser: what it is sent, and what stands beside its pictures.
#include "app/page/page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/page/report.h"
#include "app/tours/tour_catalogue.h"
#include "app/tours/tour_json.h"
#include "sim/replay/excerpt.h"
#include "sim/replay/snapshot.h"
#include "sim/report/sentence.h"
#include "sim/report/table.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

using nlohmann::json;

Page pageOf(const OpenRequest& request, std::vector<std::string> commands = {}) {
    PageStart start{.session = {.request = request, .paused = true}, .commands = std::move(commands)};
    return Page(std::move(start), scene::Ground::dark, true);
}

/// Frames in which no time passes, until nothing is computed any longer.
void settle(Page& page) {
    for (int i = 0; i < 10'000; ++i) {
        page.frame(0);
        if (!page.isWorking()) return;
    }
    FAIL() << "it computes on and on";
}

json reportOf(Page& page) {
    settle(page);
    return json::parse(reportText(page));
}

/// The cells of a row of the figures.
std::vector<std::string> cellsOf(const json& report, const std::string& words) {
    for (const json& row : report["figures"]["rows"]) {
        if (row["words"] == words) return row["cells"];
    }
    return {};
}

void expectCountsOf(const json& report, const sim::Counters& counters) {
    for (std::size_t l = 0; l < counters.levels(); ++l) {
        EXPECT_EQ(cellsOf(report, "hits").at(l), sim::grouped(counters.level(l).hits()));
        EXPECT_EQ(cellsOf(report, "misses").at(l), sim::grouped(counters.level(l).misses()));
        EXPECT_EQ(cellsOf(report, "evictions").at(l), sim::grouped(counters.level(l).evictions));
    }
}

TEST(Page, TellsWhatTheRunIsAtAnyMoment) {
    Page page = pageOf({.input = "matmul:n=8"});
    ASSERT_EQ(reportOf(page)["begun"], 0);
    const Opened whole = openedFor({.input = "matmul:n=8"});
    for (const std::uint64_t at : {std::uint64_t{1}, std::uint64_t{517}, whole.run->trace().size()}) {
        ASSERT_TRUE(page.command(fmt::format("seek {}", at)));
        const json report = reportOf(page);
        EXPECT_EQ(report["begun"], at);
        EXPECT_EQ(report["end"], whole.run->trace().size());
        expectCountsOf(report, whole.run->stateAt(sim::Tick{at}).counters());
    }
    sim::SnapshotReader reader(whole.run);
    const sim::Snapshot& end = reader.at(static_cast<double>(whole.run->trace().size()), {.steps = 1});
    EXPECT_EQ(reportOf(page)["sentence"], sim::sentenceFor(*end.current(), whole.run->trace(), whole.run->machine()));
}

TEST(Page, PlaysByTheSecondsThatPass) {
    Page page = pageOf({.input = "matmul:n=8"});
    settle(page);
    EXPECT_FALSE(page.needsFrame());
    ASSERT_TRUE(page.command("pace 10"));
    ASSERT_TRUE(page.command("play"));
    for (int i = 0; i < 20; ++i) page.frame(0.1);
    EXPECT_TRUE(page.needsFrame());
    EXPECT_NEAR(page.session().player.position(), 20, 1);
}

TEST(Page, SimulatesAnyMachineThatIsTyped) {
    Page page = pageOf({.input = "matmul:n=8"});
    settle(page);
    for (const std::string machine : {"laptop", "1K/2/32, 8K/4/64", "desktop"}) {
        ASSERT_TRUE(
            page.command("machine " + (machine.find(' ') == std::string::npos ? machine : "\"" + machine + "\"")));
        ASSERT_TRUE(page.command("seek-end"));
        json report = reportOf(page);
        ASSERT_TRUE(page.command("seek-end"));
        report = reportOf(page);
        expectCountsOf(report, openedFor({.input = "matmul:n=8", .machine = machine}).run->totals());
        EXPECT_FALSE(report["original"]);
    }
    ASSERT_TRUE(page.command("page-own"));
    EXPECT_TRUE(reportOf(page)["original"]);
}

TEST(Page, RunsPatternsThatAreTyped) {
    Page page = pageOf({.input = "matmul:n=8"});
    settle(page);
    ASSERT_TRUE(page.command("open \"pattern:for i in 0..16 { read A[i] }\""));
    EXPECT_EQ(reportOf(page)["end"], 16);
}

TEST(Page, SaysWhyACommandCannotBeDone) {
    Page page = pageOf({.input = "matmul:n=8"});
    settle(page);
    for (const std::string text : {"machine nonsense", "set L1.ways=0", "set L7.ways=2", "seek", "no-such-command"}) {
        const auto done = page.command(text);
        const json report = reportOf(page);
        const bool isSaid =
            !done || !report["error"].get<std::string>().empty() || !report["message"].get<std::string>().empty();
        EXPECT_TRUE(isSaid) << text;
        EXPECT_EQ(report["end"], openedFor({.input = "matmul:n=8"}).run->trace().size()) << text;
        if (done) page.command("dismiss");
    }
}

TEST(Page, TakesThePointer) {
    Page page = pageOf({.input = "matmul:n=8"}, {"seek 300"});
    settle(page);
    const scene::Scene& scene = page.shown().runs.open()->composer().picture()->scene();
    ASSERT_FALSE(scene.resting.empty());
    const glm::vec2 at = scene.resting.front().at;
    EXPECT_FALSE(page.point({.kind = PointerEvent::Kind::move, .at = at}).empty());
    page.point({.kind = PointerEvent::Kind::click, .at = at});
    EXPECT_FALSE(reportOf(page)["picked"].empty());
    page.point({.kind = PointerEvent::Kind::zoom, .at = at, .notches = 3});
    EXPECT_GT(reportOf(page)["camera"]["zoom"].get<double>(), 1.5);
    page.point({.kind = PointerEvent::Kind::drag, .at = at, .by = {40, 0}});
    EXPECT_NE(reportOf(page)["camera"]["at"][0].get<double>(), 0);
    page.point({.kind = PointerEvent::Kind::showAll, .at = at});
    for (int i = 0; i < 100; ++i) page.frame(0.1);
    EXPECT_TRUE(reportOf(page)["camera"].is_null());
}

TEST(Page, TakesKeysAsTheWindowDoes) {
    Page page = pageOf({.input = "matmul:n=8"});
    settle(page);
    const json keys = json::parse(keysText(page));
    ASSERT_TRUE(keys.contains("Right"));
    EXPECT_TRUE(page.key("Right"));
    EXPECT_FALSE(page.key("Ctrl+Alt+Shift+F15"));
    for (int i = 0; i < 100; ++i) page.frame(0.1);
    EXPECT_EQ(page.session().player.position(), 1);
}

TEST(Page, LeadsThroughATour) {
    const auto tour = tourStart("five-minutes");
    ASSERT_TRUE(tour);
    PageStart start{.session = {.paused = true, .tour = *tour}};
    Page page(std::move(start), scene::Ground::light, false);
    json report = reportOf(page);
    EXPECT_EQ(report["tour"]["scene"], 0);
    EXPECT_EQ(report["tour"]["count"], tour->tour.scenes.size());
    EXPECT_EQ(report["tour"]["ids"][1], "miss");
    std::size_t questions = 0;
    for (std::size_t i = 1; i < tour->tour.scenes.size(); ++i) {
        ASSERT_TRUE(page.command(fmt::format("tour-go {}", i)));
        for (int k = 0; k < 30; ++k) page.frame(0.1);
        report = reportOf(page);
        EXPECT_EQ(report["tour"]["scene"], i);
        EXPECT_EQ(report["tour"]["heading"].get<std::string>().find("…"), std::string::npos) << "numbers are known";
        const json& question = report["tour"]["question"];
        if (question.is_null()) continue;
        ++questions;
        EXPECT_FALSE(question["answered"]);
        EXPECT_TRUE(question["right"].is_null()) << "nothing tells the answer yet";
        EXPECT_TRUE(report["figures"].is_null());
        ASSERT_TRUE(page.command("tour-answer 0"));
        EXPECT_TRUE(reportOf(page)["tour"]["question"]["answered"]);
    }
    EXPECT_GT(questions, 0);
    EXPECT_FALSE(report["tour"]["advice"].get<std::string>().empty());
}

TEST(Page, ComparesRuns) {
    PageStart start{.session = {.request = {.input = "matmul:n=8"},
                                .compared = {{.input = "matmul:n=8,variant=blocked,block=4"}},
                                .paused = true}};
    Page page(std::move(start), scene::Ground::dark, true);
    settle(page);
    ASSERT_TRUE(page.command("seek-end"));
    const json report = reportOf(page);
    ASSERT_EQ(report["runs"].size(), 2);
    EXPECT_FALSE(report["comparison"].get<std::string>().empty());
    EXPECT_EQ(page.tiles().size(), 2);
}

TEST(Page, CountsAPartOfARunAsTheWhole) {
    const Opened whole = openedFor({.input = "mergesort:n=200"});
    const sim::Range range{sim::Tick{1000}, sim::Tick{1400}};
    const auto part = sim::excerptOf(*whole.run, range);
    ASSERT_TRUE(part) << part.error().sentence();
    // As `whorl page` opens it for the first picture.
    PageStart start{.session = {.request = {.input = "mergesort:n=200"}, .paused = true}, .trace = *part};
    Page page(std::move(start), scene::Ground::dark, true);
    settle(page);
    ASSERT_TRUE(page.command("seek-end"));
    const json report = reportOf(page);
    EXPECT_EQ(report["end"], range.size());
    EXPECT_EQ(report["title"], (*part)->name());
    EXPECT_EQ(report["first"], range.from.value);
    ASSERT_EQ(report["notes"].size(), 1);
    sim::Progress progress;
    const auto measures = whole.run->between(range, progress);
    expectCountsOf(report, measures->counters);
    for (const auto kind : {sim::MissKind::compulsory, sim::MissKind::capacity, sim::MissKind::conflict}) {
        const std::uint64_t misses = measures->ledger->misses(whole.run->machine(), 0, kind);
        const std::string words(sim::kMissKindWords[static_cast<std::size_t>(kind)]);
        EXPECT_EQ(cellsOf(report, words).at(0), sim::grouped(misses)) << words;
    }
    // On another machine nothing is known of what came before.
    ASSERT_TRUE(page.command("machine laptop"));
    ASSERT_TRUE(page.command("seek 0"));
    const json elsewhere = reportOf(page);
    EXPECT_EQ(cellsOf(elsewhere, "hits").at(0), "0");
    EXPECT_NE(elsewhere["notes"], report["notes"]);
    // Other accesses are no part of it.
    ASSERT_TRUE(page.command("open \"pattern:for i in 0..9 { read A[7*i] }\""));
    const json other = reportOf(page);
    EXPECT_EQ(other["first"], 0);
    EXPECT_TRUE(other["notes"].empty());
}

TEST(Page, TellsTheSignsOfItsPicture) {
    Page page = pageOf({.input = "matmul:n=8"});
    settle(page);
    ASSERT_TRUE(page.command("seek 300"));
    std::vector<std::string> words;
    const json report = reportOf(page);
    for (const json& sign : report["signs"]) {
        words.push_back(sign["words"]);
        EXPECT_FALSE(sign["parts"].empty());
    }
    EXPECT_NE(std::find(words.begin(), words.end(), "filled"), words.end());
    EXPECT_NE(std::find(words.begin(), words.end(), "empty"), words.end());
    ASSERT_TRUE(page.command("view-only table:0"));
    EXPECT_TRUE(reportOf(page)["signs"].empty());
}

TEST(Page, ATourBeginsPausedIfItIsToldTo) {
    PageStart start{.session = {.paused = true}};
    auto tour = tourFrom("locality");
    ASSERT_TRUE(tour);
    start.session.tour = TourStart{.tour = *std::move(tour), .file = {}, .scene = 1};
    Page page(std::move(start), scene::Ground::dark, false);
    settle(page);
    const double at = page.session().player.position();
    for (int i = 0; i < 100; ++i) page.frame(0.1);
    EXPECT_EQ(page.session().player.position(), at);
    ASSERT_TRUE(page.command("tour-next"));
    settle(page);
    for (int i = 0; i < 100; ++i) page.frame(0.1);
    EXPECT_NE(page.session().player.position(), at);
}

TEST(Page, IsReadAsItWasWritten) {
    PageStart start{
        .session = {.request = {.input = "a </script> \"b\".whorl", .machine = "paper", .settings = {"L1.ways=2"}},
                    .compared = {{.input = "c.whorl"}},
                    .lock = TimeLock::line,
                    .paused = true},
        .commands = {"seek 3"},
        .isFigure = true};
    start.session.request.reading.order = sim::AccessOrder::recorded;
    const auto read = pageStart(pageStartText(start, ""));
    ASSERT_TRUE(read) << read.error().sentence();
    EXPECT_EQ(read->session.request.input, start.session.request.input);
    EXPECT_EQ(read->session.request.settings, start.session.request.settings);
    ASSERT_EQ(read->session.compared.size(), 1);
    EXPECT_EQ(read->session.lock, TimeLock::line);
    EXPECT_EQ(read->session.request.reading.order, sim::AccessOrder::recorded);
    EXPECT_EQ(read->session.compared[0].reading.order, sim::AccessOrder::recorded);
    EXPECT_EQ(read->commands, start.commands);
    EXPECT_EQ(read->isFigure, start.isFigure);
    EXPECT_FALSE(pageStart("{}"));
    EXPECT_FALSE(pageStart("no JSON"));
    EXPECT_FALSE(pageStart(R"({"runs": [{"input": "a"}], "lock": "nonsense"})"));
    EXPECT_FALSE(pageStart(R"({"runs": [{"machine": "paper"}]})"));
}

}  // namespace
}  // namespace whorl::app
