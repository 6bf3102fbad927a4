// The wind tunnel's gas flows like a gas, and its CPUs interfere with each other as in the case study of Chiron.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/programs/kernels/windtunnel.h"
#include "sim/programs/programs_costs.h"
#include "sim/programs/programs_support.h"
#include "sim/replay/measuring.h"

namespace whorl::sim {
namespace {

using kernels::bounced;
using kernels::CellKind;
using kernels::Tunnel;

/// Misses of a level because another CPU wrote.
std::uint64_t coherenceMisses(const Trace& trace, std::size_t level) {
    Progress progress;
    const MachineConfig machine = machineOf(trace);
    const auto figures =
        measure(std::make_shared<Trace>(trace), machine, {.from = Tick{0}, .to = Tick{trace.size()}}, true, progress)
            .value();
    return figures.ledger->misses(machine, level, MissKind::trueSharing) +
           figures.ledger->misses(machine, level, MissKind::falseSharing);
}

TEST(WindTunnel, HasTheObjectsOfTheCaseStudy) {
    const Costs costs = costsOf(ran("windtunnel:steps=1"));
    EXPECT_EQ(costs.instances, (std::map<std::string, int>{{"BoundaryCellWall", 1936},
                                                           {"BoundaryCellEntrance", 336},
                                                           {"BoundaryCellExit", 336},
                                                           {"ReservoirCell", 1},
                                                           {"Cell", 752},
                                                           {"MasterQuadrant", 1},
                                                           {"Quadrant", 7},
                                                           {"Particle", 1000},
                                                           {"Global", 3}}));
}

// The case study: 230368 cycles for each Quadrant became 2977, and 75 % less coherence interference in L2.
TEST(WindTunnel, QuadrantsThatShareABlockOfL2AreExpensive) {
    const Trace shared = ran("windtunnel");
    const Trace apart = ran("windtunnel:quadrants=apart");
    const Costs before = costsOf(shared);
    const Costs after = costsOf(apart);
    EXPECT_GE(before.each("Quadrant"), 30 * after.each("Quadrant"));
    for (const auto& [className, cycles] : before.classes) {
        EXPECT_LE(before.each(className), before.each("Quadrant")) << className;
    }
    EXPECT_LE(static_cast<double>(coherenceMisses(apart, 1)), 0.4 * static_cast<double>(coherenceMisses(shared, 1)));
    EXPECT_LT(after.elapsed, before.elapsed);
    EXPECT_NEAR(after.each("Cell"), before.each("Cell"), 0.05 * before.each("Cell")) << "all else is as it was";
    // Now the counter that all CPUs write is the most expensive; without the printing it replaces its lock.
    EXPECT_LT(costsOf(ran("windtunnel:quadrants=apart,print=off")).elapsed, after.elapsed);
}

TEST(WindTunnel, QuadrantsLieAsInTheFigures) {
    for (const bool apart : {false, true}) {
        const Trace trace = ran(fmt::format("windtunnel:particles=1,steps=1,quadrants={}", apart ? "apart" : "shared"));
        std::map<int, std::uint64_t> blocks;
        for (const Object& object : trace.objects()) {
            if (object.className != "Quadrant") continue;
            EXPECT_EQ(object.base.value % 64, 0u);
            blocks[object.name.back() - '0'] = object.base.value / 256;
        }
        ASSERT_EQ(blocks.size(), 7u);
        EXPECT_EQ(blocks[1], blocks[3]);
        EXPECT_EQ(blocks[1] == blocks[4], !apart);
        EXPECT_EQ(blocks[4] == blocks[7], apart);
    }
}

TEST(WindTunnel, FlowsAroundTheBody) {
    int open = 0;
    for (int y = 0; y < Tunnel::kWidth; ++y) {
        for (int x = 0; x < Tunnel::kLength; ++x) {
            EXPECT_NE(Tunnel::kindOf(x, y, 0), CellKind::open);
            EXPECT_NE(Tunnel::kindOf(x, y, 2), CellKind::open);
            open += Tunnel::kindOf(x, y, 1) == CellKind::open ? 1 : 0;
        }
    }
    EXPECT_EQ(open, 752);
    EXPECT_EQ(Tunnel::kindOf(3, 40, 1), CellKind::wall);
    EXPECT_EQ(Tunnel::kindOf(2, 40, 1), CellKind::open);
    EXPECT_EQ(Tunnel::cellAt(Tunnel::cornerOf(1234)), 1234);
}

TEST(WindTunnel, AWallThrowsBackAtItsFace) {
    EXPECT_DOUBLE_EQ(bounced(2.75, 3.5), 2.5);
    EXPECT_DOUBLE_EQ(bounced(2.25, 1.75), 2.25);
    // Never into the wall, exact to the last bit.
    EXPECT_LT(bounced(2.5, 3.0), 3.0);
    EXPECT_GE(bounced(2.0, 1.1), 2.0);
    EXPECT_LT(bounced(2.0, 1.1), 3.0);
}

// The program itself checks that each particle is in the right place exactly once, and what collisions conserve.
TEST(WindTunnel, KeepsItsParticlesAtTheEndsOfItsOptions) {
    for (const std::string spec :
         {"windtunnel:particles=1,steps=1", "windtunnel:particles=3000,steps=2", "windtunnel:particles=200,steps=50"}) {
        EXPECT_GT(ran(spec).size(), 0u) << spec;
    }
}

TEST(WindTunnel, TracesBeginWhenAllIsSetUp) {
    const Trace trace = ran("windtunnel:steps=1");
    std::uint64_t unrecorded = 0;
    bool began = false;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) {
        if (a.unrecorded) {
            EXPECT_FALSE(began);
            EXPECT_EQ(a.cpu, 0);
            ++unrecorded;
        } else {
            began = true;
            EXPECT_NE(a.site, SiteId{});
        }
    });
    EXPECT_GT(unrecorded, 6u * 3360);
    for (const std::string_view line : trace.files().at(0).lines) EXPECT_LE(line.size(), 85u) << line;
}

}  // namespace
}  // namespace whorl::sim
