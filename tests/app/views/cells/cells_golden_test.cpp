// Golden pictures of the views of cells and of time, as approved by a person. Regenerate them with WHORL_GOLDEN=make in
// the environment, and inspect what changed before you keep it.
#include <gtest/gtest.h>

#include <string>

#include "app/export/offscreen_renderer.h"
#include "app/views/golden.h"
#include "support/sessions.h"
#include "support/view_names.h"

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;
using scene::CellMetric;
using scene::Ground;

constexpr int kWidth = 480;
constexpr int kHeight = 320;
constexpr ViewId kCache{Kind::cache, 0};
constexpr ViewId kCacheLive{Kind::cacheLive, 1};

struct Golden {
    std::string name;
    ViewId view;
    Ground ground = Ground::dark;
    void (*with)(Session&) = [](Session&) {};
    std::string input = "matmul:n=16";
    std::string machine = "1K/2/32, 4K/4/64";
};

void PrintTo(const Golden& golden, std::ostream* out) {
    *out << golden.name;
}

Session sessionOf(const Golden& golden) {
    Session s = sessionFor({.input = golden.input, .machine = golden.machine});
    s.ground = golden.ground;
    s.panels = false;
    s.viewSettings.shown = {golden.view};
    s.viewSettings.active = golden.view;
    golden.with(s);
    s.player.seek(s.end() / 2, s.end());
    return s;
}

void interleave(Session& s, const ViewId& view) {
    s.viewSettings.cells[view].interleaved = true;
    s.viewSettings.cells[view].interleavedShare = 1;
}

/// Threads that wait for each other, and take blocks from each other.
constexpr const char* kTunnel = "windtunnel:particles=60,steps=1";

/// The life of what CPUs take from each other most: the quadrants of the tunnel.
void followQuadrants(Session& s) {
    for (const sim::Region& region : s.opened.run->trace().regions()) {
        if (region.name == "quadrants") s.viewSettings.place = sim::Place{.from = region.base, .bytes = region.size};
    }
}

std::vector<Golden> goldens() {
    return {
        {"cells_misses", kMemory},
        {"cells_misses_light", kMemory, Ground::light},
        {"cells_miss_rate", kMemory, Ground::dark,
         [](Session& s) {
             s.viewSettings.cells[kMemory].quantity = {CellMetric::missRate, 1};
         }},
        {"cells_served", kMemory, Ground::light,
         [](Session& s) {
             s.viewSettings.cells[kMemory].quantity = {CellMetric::served, 0};
         }},
        {"cells_hilbert", kMemory, Ground::dark,
         [](Session& s) { s.viewSettings.cells[kMemory].curve = scene::MemoryCurve::hilbert; }},
        {"cells_glow", kLive, Ground::dark, [](Session& s) { s.viewSettings.cells[kLive].conflictLevel = 0; }},
        {"cells_glow_light", kLive, Ground::light, [](Session& s) { s.viewSettings.cells[kLive].conflictLevel = 0; }},
        {"cells_glow_small", kLive, Ground::dark,
         [](Session& s) {
             s.viewSettings.cells[kLive].sight = CellSight{{2, 0}, {0, 0}};
         }},
        {"cells_cache", kCache},
        {"cells_cache_interleaved", kCache, Ground::light, [](Session& s) { interleave(s, kCache); }},
        {"cells_cache_live", kCacheLive, Ground::light},
        {"cells_cache_live_interleaved", kCacheLive, Ground::dark, [](Session& s) { interleave(s, kCacheLive); }},
        {"cells_history",
         {Kind::history},
         Ground::dark,
         [](Session& s) {
             s.viewSettings.place = sim::Place{.from = s.opened.run->trace().regions()[1].base, .bytes = 32};
         }},
        {"cells_history_of_cache",
         {Kind::history},
         Ground::light,
         [](Session& s) {
             s.viewSettings.place = sim::Place{.kind = sim::Place::Kind::cache, .set = sim::SetIndex{3}};
         }},
        {"cells_collisions",
         {Kind::collisions},
         Ground::dark,
         [](Session& s) {
             s.pair = RegionPair{1, 0};
         }},
        {"cells_collisions_light",
         {Kind::collisions},
         Ground::light,
         [](Session& s) { s.viewSettings.collisionLevel = 1; }},
        {"time_costs", {Kind::cycles}, Ground::dark, [](Session&) {}, kTunnel, "coherence"},
        {"time_costs_path",
         {Kind::cycles},
         Ground::light,
         [](Session& s) {
             s.viewSettings.path = true;
             s.seen = scene::spanOf({sim::Tick{20'000}, sim::Tick{30'000}});
         },
         kTunnel,
         "coherence"},
        {"time_life", {Kind::life}, Ground::dark, followQuadrants, kTunnel, "coherence"},
        {"time_life_light", {Kind::life}, Ground::light, followQuadrants, kTunnel, "coherence"},
        {"cells_table", {Kind::table}, Ground::dark, [](Session&) {}, "matmul:n=16", "256/2/32"},
        {"cells_table_tlb", {Kind::table, ViewId::kTlb}, Ground::light, [](Session&) {}, "matmul:n=16", "tlb"},
        {"cells_array", {Kind::array}, Ground::dark, [](Session& s) { s.viewSettings.arrays[{Kind::array}] = "B"; }},
        {"cells_array_light", {Kind::array}, Ground::light, [](Session&) {}, "bubblesort:n=40"},
        {"cells_phases", {Kind::phases}},
        {"cells_phases_light",
         {Kind::phases},
         Ground::light,
         [](Session& s) {
             s.range = sim::Range{sim::Tick{2000}, sim::Tick{5000}};
         }},
    };
}

Pixels pictureOf(const Session& session) {
    auto renderer = OffscreenRenderer::create(kWidth, kHeight, session.ground, 1);
    return renderer ? (*renderer)->draw(session, scene::View::kAtRest) : Pixels{};
}

class CellGoldens : public testing::TestWithParam<Golden> {};

TEST_P(CellGoldens, MatchTheirFiles) {
    expectGolden(GetParam().name, kWidth, kHeight, pictureOf(sessionOf(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(Views, CellGoldens, testing::ValuesIn(goldens()),
                         [](const auto& one) { return std::string(one.param.name); });

/// Cells of another size, and cells one pixel further, differ from the files by more than they may.
TEST(CellGolden, AnotherPlaceOfTheCellsIsCaught) {
    for (const Golden& golden : goldens()) {
        if (!golden.view.cells()) continue;
        Session s = sessionOf(golden);
        const Pixels before = pictureOf(s);
        EXPECT_EQ(differing(before, pictureOf(s)), 0u) << golden.name;
        s.viewSettings.cells[golden.view].sight = CellSight{{64, 0}, {0, 0}};
        const Pixels large = pictureOf(s);
        EXPECT_GT(differing(before, large), kMaxDiffering) << golden.name;
        s.viewSettings.cells[golden.view].sight = CellSight{{64, 0}, {1, 1}};
        EXPECT_GT(differing(large, pictureOf(s)), kMaxDiffering) << golden.name;
    }
}

/// The smallest change: a single cell of memory that has another colour, or is picked.
TEST(CellGolden, AnotherCellIsCaught) {
    for (const Golden& golden : goldens()) {
        if (golden.view != kMemory || golden.name == "cells_hilbert") continue;
        Session s = sessionOf(golden);
        const Pixels before = pictureOf(s);
        s.selected = Selection{.byte = s.opened.run->trace().regions()[0].base};
        EXPECT_GT(differing(before, pictureOf(s)), kMaxDiffering) << golden.name;
    }
}

}  // namespace
}  // namespace whorl::app
