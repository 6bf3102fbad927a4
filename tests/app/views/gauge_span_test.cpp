// Level gauges over a span: measured in the background, of each run of a comparison, and equal to what `whorl stats`
// says of the same accesses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/commands/commands.h"
#include "app/session/compared_runs.h"
#include "app/tasks/queued_runner.h"
#include "app/views/run_views.h"
#include "sim/analysis/level_gauge.h"
#include "support/scene_texts.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

void obey(Session& session, const std::vector<const char*>& commands) {
    for (const char* const text : commands) send(session, text);
}

class GaugeSpans : public testing::Test {
  protected:
    explicit GaugeSpans(const std::string& machine = "paper") {
        session_.opened = openedFor({.input = "matmul:n=12", .machine = machine});
    }

    /// A frame of the window: the picture of a run.
    const scene::Scene& frame(std::size_t run = 0) {
        const gl::Rect canvas{0, 0, 1280, 720};
        const std::vector<Tile> tiles = tilesOn(session_, canvas, 1);
        views_.follow(session_);
        views_.update(session_, tiles, canvas, 1, scene::View::kAtRest);
        return views_.at(run)->composer().picture()->scene();
    }
    const scene::Scene& settledFrame(std::size_t run = 0) {
        frame();
        runner_.runAll();
        return frame(run);
    }
    /// What `whorl stats` counts in a level.
    sim::CacheCounters counted(const sim::Range& range, std::size_t level) const {
        sim::Progress progress;
        return session_.opened.run->between(range, progress)->counters.level(level);
    }

    Session session_;
    QueuedRunner runner_;
    RunViews views_{runner_};
};

TEST_F(GaugeSpans, OfTheRunAreThoseOfTheStatistics) {
    obey(session_, {"gauge misses", "gauge-over run"});
    EXPECT_NE(textsOf(frame()).find("not measured yet"), std::string::npos) << "it does not wait";
    EXPECT_EQ(runner_.waiting(), 1U);
    EXPECT_TRUE(views_.working());
    const std::string words = textsOf(settledFrame());
    const std::uint64_t size = session_.opened.run->trace().size();
    for (const std::size_t level : {0U, 1U}) {
        const sim::CacheCounters c = counted({sim::Tick{0}, sim::Tick{size}}, level);
        EXPECT_NE(words.find(fmt::format("missing {:.1f} % ", 100 * (1 - c.hitRate()))), std::string::npos) << words;
    }
    EXPECT_NE(words.find("of the requests of all "), std::string::npos) << words;
    // The playhead changes none of it.
    obey(session_, {"seek 700"});
    EXPECT_NE(textsOf(frame()).find("in the run"), std::string::npos);
    EXPECT_EQ(runner_.waiting(), 0U) << "it is measured once";
}

TEST_F(GaugeSpans, OfTheRangeFollowIt) {
    obey(session_, {"gauge misses", "gauge-over range", "range 100 400"});
    const std::string words = textsOf(settledFrame());
    const sim::CacheCounters c = counted({sim::Tick{100}, sim::Tick{400}}, 0);
    EXPECT_NE(words.find(fmt::format("missing {:.1f} % in the range", 100 * (1 - c.hitRate()))), std::string::npos)
        << words;
    EXPECT_NE(words.find("of the requests of accesses 100 – 400 (300)"), std::string::npos) << words;
    // Another range: never the value of the last one under its name.
    obey(session_, {"range 500 600"});
    EXPECT_NE(textsOf(frame()).find("not measured yet"), std::string::npos);
    const sim::CacheCounters d = counted({sim::Tick{500}, sim::Tick{600}}, 0);
    ASSERT_NE(c.hitRate(), d.hitRate());
    EXPECT_NE(textsOf(settledFrame()).find(fmt::format("missing {:.1f} % in the range", 100 * (1 - d.hitRate()))),
              std::string::npos);
    // Without one, it is the whole run.
    obey(session_, {"range-clear"});
    EXPECT_NE(textsOf(settledFrame()).find("in the run"), std::string::npos);
}

TEST_F(GaugeSpans, TellKindsAndTemperaturesOfTheSpan) {
    obey(session_, {"gauge kind", "gauge-kind capacity", "gauge-over run"});
    sim::Progress progress;
    const std::uint64_t size = session_.opened.run->trace().size();
    const auto measures = session_.opened.run->between({sim::Tick{0}, sim::Tick{size}}, progress);
    const std::uint64_t capacity = measures->ledger->misses(measures->machine, 0, sim::MissKind::capacity);
    const double share =
        100 * static_cast<double>(capacity) / static_cast<double>(measures->counters.level(0).misses());
    const std::string words = textsOf(settledFrame());
    EXPECT_NE(words.find(fmt::format("capacity {:.1f} % in the run", share)), std::string::npos) << words;
    EXPECT_NE(words.find("of the misses of all "), std::string::npos) << words;
    obey(session_, {"gauge temperature"});
    const std::string warm = textsOf(settledFrame());
    EXPECT_NE(warm.find(fmt::format("{:.1f} % hits of the requests", 100 * measures->counters.level(0).hitRate())),
              std::string::npos)
        << warm;
    EXPECT_EQ(warm.find("lately"), std::string::npos) << warm;
}

TEST_F(GaugeSpans, OfRunsBesideEachOtherAreTheirOwn) {
    session_.compared.push_back({.opened = openedFor({.input = "matmul:n=12,variant=blocked", .machine = "paper"})});
    obey(session_, {"gauge misses", "gauge-over run"});
    settledFrame();
    const auto first = views_.at(0)->gaugeSpan(session_);
    const auto second = views_.at(1)->gaugeSpan(contextOf(session_, 1));
    ASSERT_TRUE(first && second);
    sim::Progress progress;
    const sim::Run& other = *session_.compared[0].opened.run;
    const auto counts = other.between({sim::Tick{0}, sim::Tick{other.trace().size()}}, progress)->counters;
    EXPECT_EQ(second->caches[0][0].misses, counts.level(0).misses());
    EXPECT_NE(first->caches[0][0].misses, second->caches[0][0].misses);
}

TEST_F(GaugeSpans, ThatAreCancelledAreNotAsked) {
    obey(session_, {"gauge misses", "gauge-over run"});
    frame();
    views_.cancel();
    runner_.runAll();
    EXPECT_NE(textsOf(frame()).find("not measured yet"), std::string::npos);
    obey(session_, {"gauge-over last"});
    EXPECT_EQ(textsOf(frame()).find("not measured yet"), std::string::npos);
}

}  // namespace
}  // namespace whorl::app
