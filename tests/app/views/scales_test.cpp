// Runs beside each other: equal numbers have equal colours in the pictures of all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "app/session/compared_runs.h"
#include "app/tasks/queued_runner.h"
#include "app/views/cells/cell_views.h"
#include "app/views/phases/phase_views.h"
#include "app/views/run_views.h"
#include "render/scene/cells/cell_measures.h"
#include "sim/analysis/cell_table.h"
#include "support/scene_texts.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;
constexpr gl::Rect kCanvas{0, 0, 900, 700};

/// The pictures of a view of the runs of a session, with everything computed.
struct Shown {
    Shown(Session session, const ViewId& view) : s(std::move(session)) {
        s.panels = false;
        s.viewSettings.shown = {view};
        s.viewSettings.active = view;
        views.follow(s);
        do {
            runner.runAll();
            update();
        } while (views.working());
        update();
    }
    void update() {
        tiles = tilesOn(s, kCanvas, 1);
        views.update(s, tiles, kCanvas, 1, scene::View::kAtRest);
    }
    glm::ivec2 sizeOf(std::size_t run) const { return {tiles[run].where.width, tiles[run].where.height}; }
    const scene::FlatScene& picture(std::size_t run) {
        return *std::get<const scene::FlatScene*>(sceneOf(tiles[run], views, s, 1));
    }
    bool says(std::size_t run, const std::string& words) { return scene::says(picture(run), words); }

    Session s;
    QueuedRunner runner;
    RunViews views{runner};
    std::vector<Tile> tiles;
};

OpenRequest onPaper(const std::string& input) {
    return {.input = input, .machine = "paper"};
}

/// Two runs whose largest numbers differ: see what is expected of them below.
Session twoRuns() {
    return comparedRuns({onPaper("matmul:n=12"), onPaper("matmul:n=12,variant=blocked,block=4")});
}

/// The number of L1 misses of the cell of memory at a pixel.
std::optional<double> missesAt(Shown& shown, std::size_t run, glm::ivec2 at, glm::ivec2& middle) {
    const auto cell = shown.views.at(run)->of<CellViews>().under(shown.tiles[run].view, at);
    if (!cell) return std::nullopt;
    middle = (cell->box.low + cell->box.high) / 2;
    const sim::Run& of = *shown.views.at(run)->run();
    sim::Progress progress;
    const auto table = sim::cellsOf(of, {{sim::Tick{0}, sim::Tick{of.trace().size()}}, 32}, progress);
    return scene::valueOf({scene::CellMetric::misses, 0}, *table, cell->cell.from, cell->cell.bytes, of.machine());
}

TEST(Scales, OfMemoryAreCommonToRunsBesideEachOther) {
    Shown shown(twoRuns(), {Kind::memory});
    ASSERT_EQ(shown.tiles.size(), 2u);
    std::map<double, scene::Rgba> colours;
    std::map<std::size_t, double> most;
    std::size_t inBoth = 0;
    for (std::size_t run = 0; run < 2; ++run) {
        const scene::Raster& raster = shown.picture(run).raster;
        for (int y = 0; y < raster.height(); y += 17) {
            for (int x = 0; x < raster.width(); x += 17) {
                glm::ivec2 middle(0);
                const auto value = missesAt(shown, run, {x, y}, middle);
                if (!value) continue;
                const auto [known, isNew] = colours.emplace(*value, raster.at(middle));
                EXPECT_EQ(known->second, raster.at(middle)) << *value << " in run " << run;
                inBoth += !isNew && run == 1 ? 1 : 0;
                most[run] = std::max(most[run], *value);
            }
        }
    }
    EXPECT_GT(inBoth, 0u) << "numbers that are in both";
    EXPECT_NE(most[0], most[1]) << "each alone would have another scale";
    for (std::size_t run = 0; run < 2; ++run) EXPECT_TRUE(shown.says(run, "one scale for both runs"));
}

TEST(Scales, OfPhasesAreCommonAndTheirRowsOfOneLength) {
    Session s = twoRuns();
    s.viewSettings.phases.shows = scene::PhaseShows::misses;
    s.viewSettings.phases.rowLength = 1200;
    Shown shown(std::move(s), {Kind::phases});
    std::map<std::uint64_t, scene::Rgba> colours;
    std::vector<scene::PhaseFrame> frames;
    for (std::size_t run = 0; run < 2; ++run) {
        RunView& of = *shown.views.at(run);
        const RunContext seen = contextOf(shown.s, run);
        const PhaseViews& phases = of.of<PhaseViews>();
        const scene::PhaseSubject subject = phases.subject({shown.tiles[run].view, seen, shown.sizeOf(run), 1});
        const scene::PhaseLook look = phases.look({shown.tiles[run].view, seen, shown.sizeOf(run), 1});
        const scene::PhaseFrame& frame = frames.emplace_back(phaseFrame(subject, look));
        const scene::Raster& raster = shown.picture(run).raster;
        for (std::uint64_t row = 0; row + 1 < frame.rows.count; ++row) {
            for (std::uint64_t column = 0; column + 1 < frame.columns; ++column) {
                const scene::TimeSpan span = frame.spanOf(row, column);
                // The playhead stands in the first cell, with a frame around it.
                if (span.from == 0 || span.to > static_cast<double>(subject.built)) continue;
                const auto share = subject.overview.share(0, static_cast<std::uint64_t>(span.from),
                                                          static_cast<std::uint64_t>(span.to));
                const glm::ivec2 low =
                    frame.body.low + glm::ivec2(column, row) * glm::ivec2(frame.cellWidth, frame.rows.height);
                const scene::Rgba colour = raster.at(low + glm::ivec2(frame.cellWidth - 1, frame.rows.height / 2));
                const auto [known, isNew] = colours.emplace(share.requests - share.hits, colour);
                EXPECT_EQ(known->second, colour) << known->first << " misses in run " << run;
            }
        }
    }
    EXPECT_GT(colours.size(), 3u);
    EXPECT_EQ(frames[0].rowLength, frames[1].rowLength);
    EXPECT_EQ(frames[0].columns, frames[1].columns);
    EXPECT_TRUE(shown.says(1, "one scale for both runs"));
}

/// Where each run has its own scale, its picture is as it would be alone, and says so.
TEST(Scales, OfEachRunAreItsOwnIfWanted) {
    for (const ViewId view : {ViewId{Kind::memory}, ViewId{Kind::phases}, ViewId{Kind::collisions}}) {
        Session s = twoRuns();
        s.viewSettings.commonScale = false;
        Shown both(std::move(s), view);
        for (std::size_t run = 0; run < 2; ++run) {
            EXPECT_TRUE(both.says(run, "a scale for each run")) << wordOf(view);
            EXPECT_FALSE(both.says(run, "one scale")) << wordOf(view);
        }
    }
}

/// Of each flat view: the largest number of both runs is what the colours of both are relative to.
TEST(Scales, OfOneRunAreItsOwn) {
    for (const ViewId view :
         {ViewId{Kind::memory}, ViewId{Kind::cache}, ViewId{Kind::phases}, ViewId{Kind::collisions}}) {
        const std::string word = wordOf(view);
        Shown alone(comparedRuns({onPaper("matmul:n=12,variant=blocked,block=4")}), view);
        const scene::Raster before = alone.picture(0).raster;
        EXPECT_FALSE(alone.says(0, "one scale")) << word;
        Shown both(twoRuns(), view);
        const auto largest = [&](Shown& of, std::size_t run) {
            const RunContext context = contextOf(of.s, run);
            return of.views.at(run)->views(view).largest({view, context, of.sizeOf(run), 1}).value();
        };
        EXPECT_EQ(largest(both, 1), largest(alone, 0)) << word;
        EXPECT_TRUE(both.says(0, "one scale")) << word;
        // Once one is left, it is as it would be alone.
        both.s.opened = both.s.compared[0].opened;
        both.s.compared.clear();
        both.views.follow(both.s);
        both.update();
        both.runner.runAll();
        both.update();
        EXPECT_EQ(both.picture(0).raster, before) << word;
        EXPECT_FALSE(both.says(0, "one scale")) << word;
    }
}

TEST(Scales, OfALevelThatTheOtherMachineLacks) {
    Shown shown(comparedRuns({{.input = "matmul:n=6", .machine = "laptop"}, onPaper("matmul:n=6")}), {Kind::cache, 2});
    EXPECT_TRUE(shown.says(1, "has no such level"));
    EXPECT_FALSE(shown.says(0, "has no such level"));
}

}  // namespace
}  // namespace whorl::app
