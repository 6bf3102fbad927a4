// Barnes and Hut's method computes the forces, and its CPUs interfere with each other as in the case study of Chiron.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/programs/kernels/nbody.h"
#include "sim/programs/programs_costs.h"
#include "sim/programs/programs_support.h"

namespace whorl::sim {
namespace {

using kernels::Cube;
using kernels::Point;

// The case study: 2619319 cycles with the statistics, 2262810 without, 13 % less. Ours: about a tenth.
TEST(NBody, DroppingTheStatisticsSavesTime) {
    const Costs with = costsOf(ran("nbody"));
    const Costs without = costsOf(ran("nbody:stats=off"));
    const double saved = 1 - static_cast<double>(without.elapsed) / static_cast<double>(with.elapsed);
    EXPECT_GE(saved, 0.07);
    EXPECT_LE(saved, 0.14);
    EXPECT_GT(with.classes.at("Global"), 10 * without.classes.at("Global"));
    EXPECT_LE(static_cast<double>(without.invalidated[1]), 0.5 * static_cast<double>(with.invalidated[1]));
}

// "If the display of coherence interference blocks is disabled, hardly any points are displayed": caches are filled for
// the first time, or because another CPU wrote.
TEST(NBody, HardlyAnythingIsReplaced) {
    const Costs costs = costsOf(ran("nbody"));
    EXPECT_LE(costs.replaced, costs.fills / 100);
    EXPECT_GE(costs.invalidated[0], 10'000u);
}

TEST(NBody, ACubeHasEightParts) {
    const Cube cube{.corner = {1, 2, 3}, .size = 2};
    EXPECT_EQ(cube.eighthOf({1.5, 2.5, 3.5}), 0);
    EXPECT_EQ(cube.eighthOf({2.0, 2.5, 3.5}), 1) << "the middle is the upper half's";
    EXPECT_EQ(cube.eighthOf({1.5, 3.5, 4.5}), 6);
    for (int k = 0; k < 8; ++k) {
        const Cube part = cube.eighth(k);
        EXPECT_EQ(part.size, 1);
        EXPECT_EQ(cube.eighthOf(part.corner), k);
        EXPECT_EQ(cube.eighthOf({part.corner[0] + 0.99, part.corner[1] + 0.99, part.corner[2] + 0.99}), k);
    }
}

// The program itself compares the forces with those of a direct sum over all bodies, looks up each body in the tree,
// and checks for drift of the whole.
TEST(NBody, FindsTheForcesHoweverManyBodies) {
    for (int bodies = 8; bodies < 200; bodies = bodies < 24 ? bodies + 1 : 2 * bodies) {
        EXPECT_GT(ran(fmt::format("nbody:bodies={},steps=3", bodies)).size(), 0u) << bodies;
    }
}

TEST(NBody, ItsClassesAreThoseOfTheProgram) {
    const Trace trace = ran("nbody:steps=1");
    const Costs costs = costsOf(trace);
    EXPECT_EQ(costs.instances.at("Body"), 128);
    EXPECT_EQ(costs.instances.at("Global"), 1);
    EXPECT_EQ(trace.cpus(), 8u);
    std::vector<std::string> regions;
    for (const Region& region : trace.regions()) regions.push_back(region.name);
    EXPECT_EQ(regions, (std::vector<std::string>{"Global", "bodies", "cells"}));
    for (const std::string_view line : trace.files().at(0).lines) EXPECT_LE(line.size(), 85u) << line;
    trace.forEach(Tick{0}, Tick{trace.size()},
                  [&](Tick t, const Access& a) { ASSERT_TRUE(a.unrecorded || !lineOf(trace, a).empty()) << t.value; });
}

}  // namespace
}  // namespace whorl::sim
