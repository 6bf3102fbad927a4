// Costs over time of a run are computed when a view needs them, finer where the time is zoomed, and light their
// critical path in other views.
#include "app/views/cycles/cycles_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "app/commands/view_commands.h"
#include "app/tasks/queued_runner.h"
#include "app/tours/presenting.h"
#include "app/views/run_views.h"
#include "sim/replay/measuring.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;

struct CyclesViewTest : testing::Test {
    CyclesViewTest() {
        OpenRequest request;
        request.input = "vecadd:n=24";
        enterRun(s, openedFor(request));
        s.viewSettings.shown = {{Kind::cycles}};
    }

    /// As over several frames, until nothing is pending.
    void settle(RunView& view) {
        do {
            runner.runAll();
            view.update(s);
        } while (view.working());
    }

    Session s;
    QueuedRunner runner;
};

TEST_F(CyclesViewTest, IsComputedWhenItIsShown) {
    s.viewSettings.shown = {{Kind::rings}};
    RunView view(s.opened, runner);
    settle(view);
    const CyclesView& cycles = view.of<CyclesView>();
    EXPECT_FALSE(cycles.subject(s));
    s.viewSettings.shown = {{Kind::cycles}};
    settle(view);
    const auto subject = cycles.subject(s);
    ASSERT_TRUE(subject);
    sim::Progress progress;
    const auto measures = measure(*s.opened.run, {sim::Tick{0}, sim::Tick{s.opened.run->trace().size()}}, progress);
    EXPECT_EQ(subject->run.scale.end, *measures->elapsed);
    EXPECT_EQ(subject->run.accesses, measures->cycles);
    const auto sums = subject->costs.sumsOfAll(0, subject->costs.buckets());
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), sim::Cycles{0}),
              *measures->elapsed * s.opened.run->machine().cpus);
}

TEST_F(CyclesViewTest, IsFinerWhereItIsZoomed) {
    RunView view(s.opened, runner);
    settle(view);
    const CyclesView& cycles = view.of<CyclesView>();
    const sim::Cycles step = cycles.subject(s)->costs.step();
    ASSERT_GT(step, 1);
    s.seen = scene::TimeSpan{100, 130};
    settle(view);
    const auto subject = cycles.subject(s);
    EXPECT_LT(subject->costs.step(), step);
    const scene::CyclesLook look = cycles.look(s, {900, 500}, 1, {});
    EXPECT_LE(static_cast<double>(subject->costs.range().from), look.seen.from);
    EXPECT_GE(static_cast<double>(subject->costs.range().to), look.seen.to);
    // Its time is that of BlockViews: what is seen of it is what is seen of the accesses.
    const scene::TimeSpan again = cycles.time().seenFor({look.seen.from, look.seen.to});
    EXPECT_NEAR(again.from, 100, 1e-6);
    EXPECT_NEAR(again.to, 130, 1e-6);
}

TEST_F(CyclesViewTest, TellsOfAColumn) {
    RunView view(s.opened, runner);
    settle(view);
    const CyclesView& cycles = view.of<CyclesView>();
    const scene::CyclesLook look = cycles.look(s, {900, 500}, 1, {});
    const auto subject = cycles.subject(s);
    const scene::CyclesFrame frame = cyclesFrame(*subject, look);
    const scene::PixelBox row = frame.rows.boxOf(frame.rowOf(0));
    const auto hit = cyclesAt(*subject, look, {row.high.x - 3, row.high.y - 1});
    ASSERT_TRUE(hit);
    const auto lines = cycles.describe(*subject, *hit);
    EXPECT_TRUE(lines[0].starts_with("work: ")) << lines[0];
    EXPECT_TRUE(lines[1].starts_with("CPU 0, cycles ")) << lines[1];
    EXPECT_NE(std::find(lines.begin(), lines.end(), "on the critical path"), lines.end()) << "the master ends the run";
}

TEST_F(CyclesViewTest, TellsWhereACpuWaitsAndWhatEndsIt) {
    RunView view(s.opened, runner);
    settle(view);
    const CyclesView& cycles = view.of<CyclesView>();
    const scene::CyclesLook look = cycles.look(s, {900, 500}, 1, {});
    const auto subject = cycles.subject(s);
    const scene::CyclesFrame frame = cyclesFrame(*subject, look);
    const scene::PixelBox row = frame.rows.boxOf(frame.rowOf(1));
    std::vector<std::string> waits;
    for (int x = row.low.x; x < row.high.x; ++x) {
        const auto hit = cyclesAt(*subject, look, {x, row.low.y + 1});
        if (!hit || !hit->cpu || !subject->costs.classes().isWait(hit->what)) continue;
        const std::vector<std::string> lines = cycles.describe(*subject, *hit);
        // The first wait of a CPU is before its first access, which is at no line yet.
        const auto isWait = [](const std::string& line) { return line.find(" at vecadd.h:") != line.npos; };
        const auto at = std::ranges::find_if(lines, isWait);
        if (at != lines.end() && std::next(at) != lines.end()) waits = {*at, *std::next(at)};
    }
    ASSERT_EQ(waits.size(), 2U) << "no CPU waits at a line";
    EXPECT_NE(waits[0].find("waits for "), std::string::npos) << waits[0];
    EXPECT_NE(waits[1].find(" ends it at vecadd.h:"), std::string::npos) << waits[1];
}

TEST_F(CyclesViewTest, LightsItsPathInOtherViews) {
    s.viewSettings.shown = {{Kind::sources}, {Kind::objects}, {Kind::blocks, 0}};
    changeOf("critical-path", true).applyTo(s);
    RunView view(s.opened, runner);
    settle(view);
    const auto lit = view.of<CyclesView>().highlightedPath(s);
    ASSERT_NE(lit, nullptr);
    HistoryViews& views = *view.historyViews();
    const sim::History& history = views.history();
    const sim::Trace& trace = s.opened.run->trace();
    const auto lines = linesOn(history, trace, *lit);
    EXPECT_FALSE(lines.empty());
    EXPECT_LE(lines.size(), history.sources.size());
    for (const std::uint32_t stay : staysOn(history, 0, *lit)) {
        const sim::Stay& of = history.levels[0].stays[stay];
        EXPECT_TRUE(lit->costs->path.contains(of.cpu, of.from - 1));
    }
    // It changes the pictures, and so does its going out.
    const auto colours = [&] { return views.folded().scene({{Kind::sources}, s, {600, 400}, 1}).surface.colours; };
    const auto before = colours();
    changeOf("critical-path", false).applyTo(s);
    settle(view);
    EXPECT_EQ(view.of<CyclesView>().highlightedPath(s), nullptr);
    EXPECT_NE(colours(), before);
}

}  // namespace
}  // namespace whorl::app
