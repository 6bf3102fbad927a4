// The example of "Visualizing Memory Hierarchies" (K. Proudfoot), walked by the commands that a person uses: what its
// figures 2 to 5 and their text say.
#include <gtest/gtest.h>

#include <map>

#include "app/commands/commands.h"
#include "app/session/command.h"
#include "app/session/transitions.h"
#include "app/tasks/opening.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "app/views/cells/cell_views.h"
#include "app/views/history/place_histories.h"
#include "app/views/run_views.h"
#include "render/scene/cells/cell_measures.h"
#include "sim/analysis/place_history.h"

namespace whorl::app {
namespace {

/// A session that entered a scene of the built-in tour, and the views that show it.
class MemoryTour : public testing::Test {
  protected:
    void enter(const std::string& id) {
        const Tour tour = *tourFrom("memory");
        startSession(session_, {.tour = TourStart{.tour = tour, .scene = *sceneIndex(tour, id)}});
        goToScene(session_, session_.presentation->scene);
        Opening opening(runner_, *session_.requests.take<request::Open>(), nullptr);
        std::optional<sim::Expected<Opened>> opened;
        for (int i = 0; i < 3 && !opened; ++i) opened = opening.update();
        ASSERT_TRUE(opened && *opened) << (opened ? opened->error().sentence() : "not opened");
        enterRun(session_, **opened);
        for (int i = 0; i < 3; ++i) opening.update();
        ASSERT_TRUE(session_.complete());
        passTime(session_, session_.presentation->time.arrival());
        update();
    }
    void update() {
        runs_.follow(session_);
        const gl::Rect canvas{0, 0, 1280, 720};
        runs_.update(session_, tilesOn(session_, canvas, 1), canvas, 1, 1);
    }
    /// Executes commands as keys and mouse would.
    void does(const std::vector<std::string>& texts) {
        for (const std::string& text : texts) {
            const auto command = parseCommand(text);
            ASSERT_TRUE(command) << text;
            command->applyTo(session_);
        }
        update();
    }
    const sim::Trace& trace() const { return session_.opened.run->trace(); }
    std::vector<std::string> namesOf(const sim::PlaceHistory& history, bool hits) const {
        std::vector<std::string> names;
        for (const sim::PlaceAccess& a : history.accesses) {
            if (a.hit != hits) continue;
            names.push_back(trace().regions()[trace().regionAt(sim::namingByte(history, a))].name);
        }
        return names;
    }

    ImmediateRunner runner_;
    Session session_;
    RunViews runs_{runner_};
};

TEST_F(MemoryTour, TheArraysAreAlignedWithOneAnotherAndWithL1) {
    enter("fig2");
    const sim::LevelConfig& l1 = session_.opened.run->machine().levels[0];
    const std::uint64_t way = std::uint64_t{l1.sets()} * l1.block;
    for (const sim::Region& r : trace().regions()) EXPECT_EQ(r.base.value % way, 0u) << r.name;
    EXPECT_EQ(trace().regions()[0].size, way);
    EXPECT_EQ(l1.block, trace().regions()[0].elementSize) << "a cell is a block of one element";
}

TEST_F(MemoryTour, Figure2ShowsManyMissesInTheArraysAndFewElsewhere) {
    enter("fig2");
    EXPECT_EQ(session_.viewSettings.active, ViewId{ViewId::Kind::memory});
    EXPECT_EQ(session_.ground, scene::Ground::light);
    EXPECT_TRUE(session_.viewSettings.cellsOf(session_.viewSettings.active).boundaries);
    sim::Progress progress;
    const auto table =
        cellsOf(*session_.opened.run, {.range = {sim::Tick{0}, sim::Tick{trace().size()}}, .grain = 8}, progress);
    const scene::CellQuantity misses{scene::CellMetric::misses, 0};
    for (const sim::Region& r : trace().regions()) {
        for (std::uint64_t at = 0; at < r.size; at += 8) {
            const auto value =
                scene::valueOf(misses, *table, sim::ByteAddress{r.base.value + at}, 8, session_.opened.run->machine());
            ASSERT_EQ(value, r.size > 8 ? 4.0 : 1.0) << r.name << " + " << at;
        }
    }
}

TEST_F(MemoryTour, Figure3ShowsFourAccessesEachServedByMemory) {
    enter("fig3");
    const ViewId view{ViewId::Kind::history};
    ASSERT_TRUE(session_.viewSettings.shows(view));
    const sim::PlaceHistory* const history = runs_.open()->of<PlaceHistories>().history(view);
    ASSERT_NE(history, nullptr);
    ASSERT_EQ(history->accesses.size(), 4u);
    for (const sim::PlaceAccess& a : history->accesses) {
        EXPECT_EQ(trace().placeOf(a.address, a.tick), "a[7]");
        EXPECT_EQ(a.served, 1u) << "memory: there is one level";
    }
    // "One can highlight the four bars to select a period of time": from the second bar to the third, and play it.
    const sim::Tick second = history->accesses[1].tick;
    const sim::Tick third = history->accesses[2].tick;
    does({fmt::format("range {} {}", second.value, third.value + 1), "view-only memory-live",
          fmt::format("seek {}", second.value + 400), "conflict-lines memory-live 0"});
    EXPECT_EQ(session_.range, (sim::Range{second, sim::Tick{third.value + 1}}));
}

TEST_F(MemoryTour, Figure4ShowsLinesOfConflictAmongTheThreeArrays) {
    enter("fig4");
    const CellChoice& choice = session_.viewSettings.cellsOf({ViewId::Kind::memoryLive});
    EXPECT_EQ(choice.conflictLevel, std::uint8_t{0});
    ASSERT_TRUE(session_.range);
    sim::ActivityReader reader(session_.opened.run);
    const sim::Activity& activity =
        reader.at(session_.player.position(), {.lookback = sim::reachOf(choice.halfLife), .cacheLevel = {}});
    ASSERT_GT(activity.replacements.size(), 100u);
    const auto nameOf = [&](sim::BlockAddress block) {
        return trace().regions()[trace().regionAt(sim::ByteAddress{block.value * 8})].name;
    };
    std::map<std::string, int> pairs;
    for (const sim::Replacement& r : activity.replacements) {
        EXPECT_EQ((r.in.value - r.out.value) * 8 % 4096, 0u) << "as far apart as L1 is large";
        ++pairs[nameOf(r.in) + " evicts " + nameOf(r.out)];
    }
    EXPECT_EQ(pairs.size(), 3u);
    EXPECT_GT(pairs["a evicts c"], 10);
    EXPECT_GT(pairs["b evicts a"], 10);
    EXPECT_GT(pairs["c evicts b"], 10);
    const auto& scene = runs_.open()->of<CellViews>().scene({ViewId::Kind::memoryLive}, session_, {1280, 720}, 1);
    EXPECT_GT(scene.strokes.size(), 100u);
}

TEST_F(MemoryTour, Figure5ShowsWhoCompetesForACellOfTheCache) {
    enter("fig5");
    const sim::PlaceHistory* const history = runs_.open()->of<PlaceHistories>().history({ViewId::Kind::history});
    ASSERT_NE(history, nullptr);
    EXPECT_EQ(history->place.kind, sim::Place::Kind::cache);
    EXPECT_EQ(namesOf(*history, false),
              (std::vector<std::string>{"x", "y", "a", "b", "c", "z", "a", "b", "c", "a", "b", "c", "a", "b", "c"}));
    EXPECT_EQ(namesOf(*history, true), (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(history->stays.size(), 15u) << "every block that lived there";
}

}  // namespace
}  // namespace whorl::app
