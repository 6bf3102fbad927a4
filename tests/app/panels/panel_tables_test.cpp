// The tables of the panels: what is drawn of a run, and which command a click queues.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "app/commands/cost_tables.h"
#include "app/panels/panel_frame.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/tasks/background_queries.h"
#include "sim/analysis/sharing_trials.h"
#include "sim/base/text.h"
#include "sim/report/history_tables.h"
#include "sim/report/sharing_table.h"
#include "sim/report/tables.h"
#include "sim/report/why_report.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/writer.h"
#include "support/folder.h"
#include "support/sessions.h"
#include "support/shared_trace.h"
#include "support/sharing_trace.h"
#include "support/waiting_trace.h"

namespace whorl::app {
namespace {

using Texts = std::vector<std::string>;

/// A panel of a session in a window of the usual width of a column.
struct DrawnPanel {
    explicit DrawnPanel(Session of, PanelFrame::Draw draw, ImVec2 size = {320, 720})
        : session(std::move(of)), frame(session, std::move(draw), size) {
        next();
    }
    void next() {
        frame.settle();
        frame.next();
        frame.next();
    }
    Texts click(const std::string& name) { return textsOf(frame.click(name)); }
    bool has(const std::string& name) const { return frame.place(name).has_value(); }
    const KeptTable& table(const std::string& name) { return frame.parts().edits.tables[name]; }

    Session session;
    PanelFrame frame;
};

void drawCosts(const PanelContext& c) {
    drawCostsCard(c, {0, 0, 1280, 720});
}

Session withCosts(Session session, std::string_view word) {
    command::apply(session, command::CostsBy{valueNamed<CostTab>(word)});
    return session;
}

/// What is found in the background while the card shows why it stalls.
std::shared_ptr<const WhyAnswer> whyAnswerOf(Session session) {
    session = withCosts(std::move(session), "why");
    ImmediateRunner runner;
    BackgroundQueries queries(runner);
    Commands commands;
    queries.update(session, session.opened.run->overview(), commands);
    EXPECT_TRUE(commands.empty());
    return queries.results().why;
}

Session atItsEnd(Session session) {
    session.player.seek(session.end(), session.end());
    return session;
}

TEST(RegionsPanel, PicksRegionsAndChoosesTheirColours) {
    DrawnPanel panel(atItsEnd(sharedSession()), drawRegionsPanel);
    EXPECT_EQ(panel.click("region B"), Texts{"pick-region 1"});
    EXPECT_EQ(panel.table("regions").table().rows.size(), 2u);
    const ImVec2 name = *panel.frame.place("region B");
    const auto texts = textsOf(panel.frame.click(ImVec2(22, name.y)));
    ASSERT_EQ(texts.size(), 1u) << "its sign";
    EXPECT_EQ(texts.front(), Command(command::RegionColourCard{1}).text());
}

/// A right click picks the row, unless it is picked, and opens the menu of it.
TEST(RegionsPanel, HasMenusOfItsRows) {
    DrawnPanel panel(atItsEnd(sharedSession()), drawRegionsPanel);
    const auto asked = [&] { return textsOf(panel.frame.click(*panel.frame.place("region B"), 1)); };
    EXPECT_EQ(asked(), (Texts{"pick-region 1", "focus context-menu"}));
    command::apply(panel.session, command::PickRegion{1});
    panel.next();
    EXPECT_EQ(asked(), Texts{"focus context-menu"});
}

TEST(RegionsPanel, PicksPairsThatEvictEachOther) {
    DrawnPanel panel(atItsEnd(sharedSession()), drawRegionsPanel);
    EXPECT_EQ(panel.click("evictions A → B"), Texts{"pick-pair 0 1"});
}

TEST(RegionsPanel, HasTheMissesOfARange) {
    DrawnPanel panel(atItsEnd(sharedSession()), drawRegionsPanel);
    panel.session.range = sim::Range{sim::Tick{0}, sim::Tick{4}};
    sim::Progress progress;
    panel.frame.parts().results.range = figuresOf(*panel.session.opened.run, *panel.session.range, progress);
    panel.next();
    EXPECT_EQ(panel.table("regions").cell(0, "accesses"), sim::Cell(std::uint64_t{4}));
    EXPECT_EQ(panel.table("regions").cell(1, "accesses"), sim::Cell(std::uint64_t{0}));
    EXPECT_TRUE(panel.has("heading region misses"));
}

TEST(SourcePanel, WithoutCachesLinesHaveCycles) {
    for (const std::string levels : {"levels=1", "levels=0"}) {
        DrawnPanel panel(sessionFor({.input = "matmul:n=4", .settings = {levels}}), drawSourcePanel);
        panel.session.range = sim::Range{sim::Tick{0}, sim::Tick{100}};
        sim::Progress progress;
        panel.frame.parts().results.range = figuresOf(*panel.session.opened.run, *panel.session.range, progress);
        panel.next();
        EXPECT_EQ(panel.has("numbers of lines access cycles"), levels == "levels=0");
        EXPECT_EQ(panel.click("numbers of lines " + std::string(levels == "levels=0" ? "access cycles" : "L1 misses")),
                  Texts{"heat"});
    }
}

/// As in the table of regions of `whorl stats`: variables are rows of their own; regions of a name count as one.
TEST(RegionsPanel, NamesTheVariablesOfARange) {
    const std::string text =
        "region pool 0x9000 64\nregion w 0x3000 8\nregion w 0x4000 8\n"
        "new \"v#1\" int 0x1000 8\nW 0x1004 4\ndel 0x1000\nnew \"u#1\" int 0x1000 8\nW 0x1004 4\nR 0x9000 4\n"
        "new \"w#1\" int 0x3000 8\nR 0x3000 4\nR 0x4000 4\n";
    DrawnPanel panel(atItsEnd(sessionOn(text, sim::test::sharedMachine())), drawRegionsPanel);
    panel.session.range = sim::Range{sim::Tick{0}, sim::Tick{5}};
    sim::Progress progress;
    panel.frame.parts().results.range = figuresOf(*panel.session.opened.run, *panel.session.range, progress);
    panel.next();
    EXPECT_EQ(panel.click("region pool"), Texts{"pick-region 3"});
    EXPECT_FALSE(panel.has("region v#1"));
    EXPECT_TRUE(panel.has("region v"));
    const KeptTable& kept = panel.table("regions");
    std::size_t w = 0;
    for (std::size_t r = 0; r < kept.table().rows.size(); ++r) {
        if (kept.cell(r, "region") != sim::Cell(std::string("w"))) continue;
        ++w;
        EXPECT_EQ(kept.cell(r, "accesses"), sim::Cell(std::uint64_t{2}));
    }
    EXPECT_EQ(w, 1u);
}

/// What is drawn of a name in the given widths.
Texts cutTo(const std::string& name, const std::vector<float>& widths) {
    Texts out;
    Session session;
    PanelFrame frame(session, [&](const PanelContext&) {
        for (const float width : widths) out.push_back(cut(name, width));
    });
    frame.next();
    return out;
}

TEST(Names, AreCutBetweenCharacters) {
    std::vector<float> widths(200);
    std::iota(widths.begin(), widths.end(), 0.0f);
    std::set<std::string> all;
    for (const std::string& words : cutTo("rng → nodes of täble", widths)) {
        all.insert(words);
        for (std::string_view rest = words; !rest.empty(); rest.remove_prefix(sim::characterLength(rest))) {
            ASSERT_NE(sim::characterLength(rest), 0u) << words;
        }
    }
    EXPECT_GT(all.size(), 10u);
}

TEST(ClassesPanel, ColoursTheClassThatIsClicked) {
    Session session = sharingSession();
    session.viewSettings.shown = {{ViewId::Kind::objects}};
    DrawnPanel panel(std::move(session), drawClassesPanel);
    EXPECT_EQ(panel.click("class Row"), Texts{"class-coloured Row"});
    const auto history = panel.frame.parts().runs.at(0)->historyViews()->shared();
    EXPECT_EQ(panel.table("classes").csv(), sim::tableAsCsv(sim::classTable(*history)));
    panel.frame.click("heading class class");
    panel.next();
    EXPECT_LT(panel.frame.place("class Half")->y, panel.frame.place("class Row")->y);
    panel.frame.click("heading class class");
    panel.next();
    EXPECT_GT(panel.frame.place("class Half")->y, panel.frame.place("class Row")->y);
}

TEST(WhatIfPanel, ComparesTheRunsFigureByFigure) {
    Session session = comparedRuns({{.input = "matmul:n=8"}, {.input = "matmul:n=12"}});
    session.opened.request.changes = changesFrom({"align:A:64"});
    session.compared[0].unchanged = true;
    DrawnPanel panel(std::move(session), drawWhatIfPanel);
    const KeptTable& kept = panel.table("savings");
    ASSERT_FALSE(kept.table().rows.empty());
    const auto misses = [](const sim::Run& run) { return sim::Cell(run.totals().level(0).misses()); };
    const std::string level = panel.session.opened.run->machine().levels[0].name;
    ASSERT_TRUE(panel.has("saving " + level + " misses"));
    for (std::size_t r = 0; r < kept.table().rows.size(); ++r) {
        if (kept.cell(r, "figure") != sim::Cell(level + " misses")) continue;
        EXPECT_EQ(kept.cell(r, "was"), misses(*panel.session.compared[0].opened.run));
        EXPECT_EQ(kept.cell(r, "is"), misses(*panel.session.opened.run));
    }
}

/// All figures are of the range, and say so.
TEST(WhatIfPanel, ComparesTheRunsOverARange) {
    Session session = comparedRuns({{.input = "matmul:n=8"}, {.input = "matmul:n=8"}});
    session.opened.request.changes = changesFrom({"align:A:64"});
    session.compared[0].unchanged = true;
    session.range = sim::Range{sim::Tick{100}, sim::Tick{300}};
    session.viewSettings.shown = {{ViewId::Kind::objects}};
    session.viewSettings.compares = true;
    DrawnPanel panel(std::move(session), drawWhatIfPanel);
    const KeptTable& kept = panel.table("savings");
    ASSERT_FALSE(kept.table().rows.empty());
    EXPECT_EQ(kept.table().columns[0].heading, "range");
    sim::Progress progress;
    const auto figures = figuresOf(*panel.session.opened.run, *panel.session.range, progress);
    const std::string level = panel.session.opened.run->machine().levels[0].name;
    std::size_t found = 0;
    for (std::size_t r = 0; r < kept.table().rows.size(); ++r) {
        if (kept.cell(r, "figure") != sim::Cell(level + " misses")) continue;
        ++found;
        EXPECT_EQ(kept.cell(r, "is"), sim::Cell(figures->measures.counters.level(0).misses()));
    }
    EXPECT_EQ(found, 1u);
    EXPECT_FALSE(panel.has("saving " + level + " sharing"));
    // A history of other accesses than the misses is none of these figures.
    ASSERT_TRUE(panel.has("saving cycles, elapsed"));
    panel.session.range = sim::Range{sim::Tick{100}, sim::Tick{301}};
    panel.frame.next();
    EXPECT_FALSE(panel.has("saving cycles, elapsed"));
    panel.next();
    EXPECT_TRUE(panel.has("saving cycles, elapsed"));
}

/// All blocks of a variable are gathered, not only the one that is picked.
TEST(WhatIfPanel, GathersTheBlocksOfThePickedOnesVariable) {
    Session session =
        sessionOn("new \"v#1\" int 0x1000 8\nW 0x1004 4\nnew \"v#2\" int 0x2000 16\nR 0x1004 4\nW 0x2004 4\n",
                  sim::test::sharedMachine());
    session.viewSettings.shown = {{ViewId::Kind::objects}};
    session.viewSettings.object = ObjectPick{.kind = sim::CostNode::Kind::word, .address = sim::ByteAddress{0x2004}};
    DrawnPanel panel(std::move(session), drawWhatIfPanel);
    std::size_t& kind = panel.frame.parts().edits.whatIf.kind;
    const auto verbs = sim::kChangeVerbs;
    for (const auto& [verb, change] : {std::pair("align", "change \"align:v#2:64\""),
                                       std::pair("reserve", "change reserve:v"), std::pair("pool", "change pool:v")}) {
        panel.frame.parts().edits.whatIf.ofClass = std::string_view(verb) != "align";
        kind = static_cast<std::size_t>(std::find(verbs.begin(), verbs.end(), std::string_view(verb)) - verbs.begin());
        panel.next();
        EXPECT_EQ(panel.click("button what-if"), Texts{change});
    }
}

TEST(CostsCard, HasATabForEachTable) {
    DrawnPanel panel(withCosts(sharedSession(), "regions"), drawCosts, {1280, 720});
    for (const CostTable& table : costTables()) {
        const std::string word(table.word);
        EXPECT_EQ(panel.click("costs " + word), Texts{"costs-by " + word});
    }
}

TEST(CostsCard, HasTheFiguresOfTheCommandAndPicks) {
    DrawnPanel panel(withCosts(sharedSession(), "regions"), drawCosts, {1280, 720});
    EXPECT_EQ(panel.click("cost B"), Texts{"pick-region 1"});
    const auto measures = panel.session.opened.run->measures();
    const CostSources of{*measures, nullptr, panel.session.opened.run->trace()};
    panel.frame.click("copy costs");
    EXPECT_EQ(std::string(ImGui::GetClipboardText()), sim::tableAsCsv(*tableFor(panel.session.overlays.costTab, of)));
}

TEST(CostsCard, MakesTheTableOfEachTab) {
    DrawnPanel panel(withCosts(sharingSession(), "lines"), drawCosts, {1280, 720});
    EXPECT_EQ(panel.click("cost b.c:4"), Texts{"pick-source 4"});
    panel.session = withCosts(std::move(panel.session), "objects");
    panel.next();
    EXPECT_FALSE(panel.has("cost b.c:4"));
    EXPECT_TRUE(panel.click("cost R").front().starts_with("pick-object"));
    panel.session = withCosts(std::move(panel.session), "classes");
    panel.next();
    EXPECT_EQ(panel.click("cost Row"), Texts{"class-coloured Row"});
    EXPECT_EQ(textsOf(panel.frame.click(*panel.frame.place("cost Row"), 1)), Texts{}) << "no menu of classes";
}

TEST(Sharing, PicksRowsAndTriesCures) {
    DrawnPanel panel(withCosts(sharingSession(), "sharing"), drawCosts, {1280, 720});
    sim::Progress progress;
    const sim::Run& run = *panel.session.opened.run;
    auto report = *sim::sharingOf(run, {sim::Tick{0}, sim::Tick{run.trace().size()}}, progress);
    ASSERT_TRUE(sim::tryCures(report, run, progress));
    panel.frame.parts().results.sharing = std::make_shared<const sim::SharingReport>(report);
    panel.next();
    const Texts offset = panel.click("sharing offset L1 0x1000+16");
    ASSERT_FALSE(offset.empty());
    EXPECT_EQ(offset.back(), "pick-object word 0 0x1010");
    EXPECT_FALSE(panel.click("sharing block L1 0x1000").empty());
    EXPECT_EQ(panel.click("sharing line a.c:1"), Texts{"pick-source 1"});
    panel.frame.click("copy costs");
    // Blocks are sorted by their loss in both.
    EXPECT_EQ(std::string(ImGui::GetClipboardText()), sim::tableAsCsv(sim::sharingTable(report, run.trace()).table));
    // The offsets stay below their block.
    panel.frame.click("heading sharing offset");
    panel.next();
    EXPECT_LT(panel.frame.place("sharing block L1 0x1000")->y, panel.frame.place("sharing offset L1 0x1000+16")->y);
}

TEST(Why, ShowsWhatStalls) {
    DrawnPanel panel(withCosts(sessionFor({.input = "matmul:n=8"}), "why"), drawCosts, {1280, 720});
    sim::Progress progress;
    const sim::Run& run = *panel.session.opened.run;
    const auto report = sim::whyOf(run.sharedTrace(), run.machine(), {}, progress);
    ASSERT_TRUE(report);
    panel.frame.parts().results.why = std::make_shared<const WhyAnswer>(WhyAnswer{*report, std::nullopt});
    panel.next();
    EXPECT_TRUE(panel.click("why B").front().starts_with("pick-region "));
}

/// The window's paragraph is that of the command: the input is played in the other order too.
TEST(Why, TellsOfTheOtherOrder) {
    const sim::test::Folder folder;
    sim::Progress progress;
    ASSERT_TRUE(sim::writeTrace(sim::test::waitingTrace(), folder.at("t.whorl"), progress));
    std::ofstream(folder.at("regions")) << "region counts 0x1000 8 4\n";
    OpenRequest request{.input = folder.at("t.whorl"), .machine = "1K/2/32"};
    request.reading.regions = folder.at("regions");
    DrawnPanel panel(withCosts(sessionFor(request), "why"), drawCosts, {1280, 720});
    EXPECT_FALSE(panel.has("why order"));
    const auto answer = whyAnswerOf(panel.session);
    ASSERT_TRUE(answer);
    ASSERT_TRUE(answer->order && answer->order->other);
    OpenRequest recorded = request;
    recorded.reading.order = sim::AccessOrder::recorded;
    const auto other = whyAnswerOf(sessionFor(recorded));
    EXPECT_EQ(answer->order->other->stalls, other->report.lost);
    EXPECT_EQ(other->order->other->stalls, answer->report.lost);
    EXPECT_NE(answer->report.lost, other->report.lost);
    panel.frame.parts().results.why = answer;
    panel.next();
    EXPECT_TRUE(panel.has("why order"));
    // A changed layout is another run, also in the other order.
    OpenRequest changed = recorded;
    request.changes = changed.changes = changesFrom({"spread:counts:64"});
    panel.session.opened = openedFor(request);
    const auto spread = whyAnswerOf(panel.session);
    EXPECT_LT(spread->report.lost, answer->report.lost);
    EXPECT_EQ(spread->order->other->stalls, whyAnswerOf(sessionFor(changed))->report.lost);
    EXPECT_EQ(sim::trialsInWords(sim::WhyReport{}), "no other layout to try");
    // Without the file there is still a report, in an order that has a name.
    std::filesystem::remove(request.input);
    const auto alone = whyAnswerOf(panel.session);
    ASSERT_TRUE(alone && alone->order);
    EXPECT_TRUE(alone->order->isVirtual);
    EXPECT_FALSE(alone->order->other);
}

TEST(Why, OpensAPatternWithItsLoopsInAnotherOrder) {
    const std::string input = "pattern:for i in 0..64 { for j in 0..64 { read A[j][i] } }";
    DrawnPanel panel(withCosts(sessionFor({.input = input, .machine = "paper"}), "why"), drawCosts, {1280, 720});
    const auto why = whyAnswerOf(panel.session);
    ASSERT_TRUE(why);
    ASSERT_NE(why->report.loopCure(), nullptr);
    panel.frame.parts().results.why = why;
    panel.next();
    const Texts opened = panel.click("why loops");
    ASSERT_EQ(opened.size(), 1u);
    EXPECT_NE(opened[0].find("pattern:" + why->report.loopCure()->loops.text), std::string::npos) << opened[0];
}

TEST(StatisticsPanel, HasAClockForEachCpu) {
    DrawnPanel panel(atItsEnd(sharedSession()), drawStatisticsPanel);
    EXPECT_EQ(panel.table("clocks").table().rows.size(), 2u);
    EXPECT_TRUE(panel.has("clock 1"));
}

TEST(AccessesPanel, HasTheLatestFirst) {
    DrawnPanel panel(atItsEnd(sharedSession()), drawAccessesPanel);
    const KeptTable& kept = panel.table("accesses");
    ASSERT_EQ(kept.table().rows.size(), 8u);
    EXPECT_EQ(kept.cell(0, "tick"), sim::Cell(std::uint64_t{7}));
    EXPECT_EQ(kept.cell(0, "place"), sim::Cell(std::string("A[4]")));
    EXPECT_EQ(kept.cell(1, "op"), sim::Cell(std::string("write")));
    EXPECT_TRUE(panel.has("access A[4]"));
}

TEST(SelectionPanel, HasTheLinesThatUsedAPickedCell) {
    Session session = sharingSession();
    session.viewSettings.place = sim::Place{.from = sim::ByteAddress{0x1000}, .bytes = 16};
    DrawnPanel panel(std::move(session), drawCell);
    EXPECT_EQ(panel.click("line a.c:1"), Texts{"look-up a.c:1"});
    const KeptTable& kept = panel.table("cell line");
    EXPECT_EQ(kept.cell(0, "accesses"), sim::Cell(std::uint64_t{2}));
    EXPECT_TRUE(panel.click("name P").front().starts_with("pick-object"));
}

}  // namespace
}  // namespace whorl::app
