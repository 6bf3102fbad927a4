// The laws of the spiral arms and of the memory ring.
#include "render/scene/arms.h"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <numeric>

#include "render/scene/memory_ring.h"
#include "render/scene/ring_layout.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace_builder.h"

namespace whorl::scene {
namespace {

std::vector<std::uint32_t> inOrder(std::uint32_t sets) {
    std::vector<std::uint32_t> spoke(sets);
    std::iota(spoke.begin(), spoke.end(), 0u);
    return spoke;
}

struct Shape2 {
    std::uint32_t sets, ways;
};

void PrintTo(const Shape2& shape, std::ostream* out) {
    *out << shape.sets << " sets of " << shape.ways;
}

class ArmsOf : public testing::TestWithParam<Shape2> {};

TEST_P(ArmsOf, RecencyStrictlyIncreasesTheRadius) {
    const auto [sets, ways] = GetParam();
    const LevelRing ring = layLevel(30, 140, sets, ways, inOrder(sets), 0);
    for (std::uint32_t s = 0; s < sets; ++s) {
        float last = ring.inner;
        for (std::uint32_t k = 0; k < ways; ++k) {
            const float r = glm::length(ring.place(s, static_cast<float>(k)));
            EXPECT_GT(r, last);
            EXPECT_LT(r, ring.outer);
            last = r;
        }
    }
}

TEST_P(ArmsOf, NeighboursKeepTheirDistance) {
    const auto [sets, ways] = GetParam();
    const LevelRing ring = layLevel(30, 140, sets, ways, inOrder(sets), 0);
    if (ring.tier == Tier::cells) return;
    std::vector<glm::vec2> places;
    for (std::uint32_t s = 0; s < sets; ++s) {
        for (std::uint32_t k = 0; k < ways; ++k) places.push_back(ring.place(s, static_cast<float>(k)));
    }
    const float apart = 0.999f * ring.room;
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = i + 1; j < places.size(); ++j) EXPECT_GT(glm::distance(places[i], places[j]), apart);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ArmsOf,
                         testing::Values(Shape2{1, 8}, Shape2{2, 8}, Shape2{4, 16}, Shape2{8, 1}, Shape2{16, 6},
                                         Shape2{64, 8}, Shape2{1, 64}));

TEST(Arms, TierFollowsTheRoom) {
    EXPECT_EQ(layLevel(30, 140, 2, 8, inOrder(2), 0).tier, Tier::glyphs);
    EXPECT_EQ(layLevel(100, 300, 1024, 8, inOrder(1024), 0).tier, Tier::bands);
    EXPECT_EQ(layLevel(30, 60, 1024, 16, inOrder(1024), 0).tier, Tier::cells);
}

/// Two declared arrays and some loose memory.
sim::Trace someTrace() {
    sim::TraceBuilder b("test");
    b.addRegion(
        {.name = "A", .base = sim::ByteAddress{0x1000}, .size = 2048, .elementSize = 8, .rows = 16, .columns = 16});
    b.addRegion(
        {.name = "B", .base = sim::ByteAddress{0x1800}, .size = 96, .elementSize = 8, .rows = 12, .columns = 0});
    for (std::uint64_t a = 0x90000; a < 0x90400; a += 64) {
        sim::Access access;
        access.address = sim::ByteAddress{a};
        access.size = 4;
        b.add(access);
    }
    return b.finish();
}

sim::MachineConfig paper() {
    sim::MachineConfig m;
    m.levels = {{"L1", 512, 8, 32}, {"L2", 2048, 16, 32}};
    return m;
}

TEST(Homes, DeclaredRegionsAreWholeAndInferredOnesTouched) {
    const sim::Trace trace = someTrace();
    const Homes homes(trace, 32);
    ASSERT_EQ(homes.spans().size(), 3u);
    EXPECT_EQ(homes.spans()[0].count, 64u);
    EXPECT_EQ(homes.spans()[1].count, 3u);
    EXPECT_EQ(homes.spans()[2].count, 16u);
    EXPECT_EQ(homes.of(sim::ByteAddress{0x1000 + 33}), 1u);
    EXPECT_EQ(homes.of(sim::ByteAddress{0x90000 + 64 * 5 + 3}), 64u + 3u + 5u);
    EXPECT_EQ(homes.of(sim::ByteAddress{0x90000 + 32}), Homes::kNone);
    EXPECT_EQ(homes.spanOf(66), 1u);
    EXPECT_EQ(homes.spanOf(67), 2u);
}

TEST(Homes, AnImmenseRegionShowsWhatIsTouched) {
    sim::TraceBuilder b("immense");
    b.addRegion({.name = "A", .base = sim::ByteAddress{0}, .size = std::uint64_t{1} << 50, .elementSize = 8});
    sim::Access access;
    access.address = sim::ByteAddress{std::uint64_t{1} << 40};
    b.add(access);
    const sim::Trace trace = b.finish();
    EXPECT_EQ(Homes(trace, 64).count(), 1u);
}

TEST(MemoryRing, PlacesLieInTheirArcsAndApart) {
    const sim::Trace trace = someTrace();
    const Homes homes(trace, 32);
    const MemoryRing ring = layMemory(200, 300, homes, trace);
    ASSERT_EQ(ring.places.size(), homes.count());
    for (std::size_t i = 0; i < ring.places.size(); ++i) {
        const float r = glm::length(ring.places[i]);
        EXPECT_GT(r, 200);
        EXPECT_LT(r, 300);
        for (std::size_t j = i + 1; j < ring.places.size(); ++j) {
            EXPECT_GT(glm::distance(ring.places[i], ring.places[j]), 0.9f * ring.room);
        }
    }
    for (std::size_t a = 1; a < ring.arcs.size(); ++a) EXPECT_GT(ring.arcs[a].from, ring.arcs[a - 1].to);
}

TEST(MemoryRing, RowsOfAnArrayLineUp) {
    const sim::Trace trace = someTrace();
    const Homes homes(trace, 32);
    // A row of A is four blocks: the rows of the ring divide it or are divided by it.
    const std::uint32_t rows = layMemory(200, 300, homes, trace).rows;
    EXPECT_TRUE(rows % 4 == 0 || 4 % rows == 0) << rows;
}

TEST(MemoryRing, ManyHomesShareAPlace) {
    sim::TraceBuilder b("large");
    b.addRegion({.name = "A", .base = sim::ByteAddress{0}, .size = 64 << 20, .elementSize = 8, .rows = 8 << 20});
    sim::Access access;
    b.add(access);
    const sim::Trace trace = b.finish();
    const Homes homes(trace, 64);
    EXPECT_EQ(homes.count(), 1u << 20);
    const MemoryRing ring = layMemory(200, 300, homes, trace);
    EXPECT_GT(ring.arcs[0].group, 1u);
    EXPECT_LT(ring.places.size(), 40000u);
    EXPECT_EQ(ring.placeOf(0, 0), 0u);
    EXPECT_EQ(ring.placeOf(0, homes.count() - 1), ring.places.size() - 1);
}

TEST(RingLayout, RingsFollowOneAnotherOutward) {
    const sim::Trace trace = someTrace();
    const Homes homes(trace, 32);
    for (const glm::vec2 size : {glm::vec2(1280, 720), glm::vec2(1920, 1080), glm::vec2(120, 90)}) {
        const RingLayout layout(paper(), trace, homes, size, 1);
        EXPECT_GT(layout.levels[0].inner, layout.core);
        EXPECT_GT(layout.levels[1].inner, layout.levels[0].outer);
        EXPECT_GT(layout.memory.inner, layout.levels[1].outer);
        EXPECT_NEAR(layout.memory.outer, 0.925f * layout.unit, 0.01f * layout.unit);
    }
}

TEST(RingLayout, ASetsOuterSetsLieBesideOneAnother) {
    const sim::Trace trace = someTrace();
    const Homes homes(trace, 32);
    const RingLayout layout(paper(), trace, homes, {1280, 720}, 1);
    // L1's sets 0 and 1 feed L2's sets {0, 2} and {1, 3}.
    EXPECT_EQ(layout.levels[1].spoke, (std::vector<std::uint32_t>{0, 2, 1, 3}));
}

TEST(RingLayout, ScalesWithThePicture) {
    const sim::Trace trace = someTrace();
    const Homes homes(trace, 32);
    const RingLayout small(paper(), trace, homes, {1280, 720}, 1);
    const RingLayout large(paper(), trace, homes, {1920, 1080}, 1.5f);
    for (std::uint32_t k = 0; k < 8; ++k) {
        const glm::vec2 a = small.linePlace(0, sim::SetIndex{1}, static_cast<float>(k)) * 1.5f;
        const glm::vec2 b = large.linePlace(0, sim::SetIndex{1}, static_cast<float>(k));
        EXPECT_LT(glm::distance(a, b), 0.05f);
    }
}

}  // namespace
}  // namespace whorl::scene
