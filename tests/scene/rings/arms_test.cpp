// The laws of the spiral arms and of the memory ring.
#include "render/scene/rings/level_ring.h"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <numeric>

#include "render/scene/rings/memory_ring.h"
#include "render/scene/rings/ring_layout.h"
#include "scene/rings/stage.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace_builder.h"

namespace whorl::scene {
namespace {

LevelRing ringOf(float inner, float outer, std::uint32_t sets, std::uint32_t ways, std::uint32_t caches = 1,
                 std::uint32_t parts = 1) {
    std::vector<std::uint32_t> spoke(sets);
    std::iota(spoke.begin(), spoke.end(), 0u);
    return LevelRing(
        {.inner = inner, .outer = outer, .caches = caches, .sets = sets, .ways = ways, .parts = parts, .spoke = spoke});
}

struct Shape2 {
    std::uint32_t sets, ways, caches = 1, parts = 1;
};

void PrintTo(const Shape2& shape, std::ostream* out) {
    *out << shape.caches << " caches of " << shape.sets << " sets of " << shape.ways << ", " << shape.parts
         << " glyphs a block";
}

class ArmsOf : public testing::TestWithParam<Shape2> {
  protected:
    LevelRing ring(float inner = 30, float outer = 140) const {
        const Shape2& s = GetParam();
        return ringOf(inner, outer, s.sets, s.ways, s.caches, s.parts);
    }
};

TEST_P(ArmsOf, RecencyStrictlyIncreasesTheRadius) {
    const LevelRing r = ring();
    for (std::uint32_t c = 0; c < r.caches(); ++c) {
        for (std::uint32_t s = 0; s < r.sets(); ++s) {
            float last = 0;
            for (std::uint32_t k = 0; k < r.ways(); ++k) {
                for (std::uint32_t p = 0; p < r.parts(); ++p) {
                    const float radius = glm::length(r.place({c, s, k}, p));
                    EXPECT_GT(radius, std::max(last, r.inner()));
                    EXPECT_LT(radius, r.outer());
                    last = radius;
                }
            }
        }
    }
}

TEST_P(ArmsOf, NeighboursKeepTheirDistance) {
    const LevelRing r = ring();
    std::vector<glm::vec2> places;
    for (std::uint32_t c = 0; c < r.caches(); ++c) {
        for (std::uint32_t s = 0; s < r.sets(); ++s) {
            for (std::uint32_t k = 0; k < r.ways(); ++k) {
                for (std::uint32_t p = 0; p < r.parts(); ++p) places.push_back(r.place({c, s, k}, p));
            }
        }
    }
    const float apart = 0.999f * r.room();
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = i + 1; j < places.size(); ++j) ASSERT_GT(glm::distance(places[i], places[j]), apart);
    }
}

TEST_P(ArmsOf, EachPlaceIsFoundAgain) {
    const LevelRing r = ring();
    for (std::uint32_t c = 0; c < r.caches(); ++c) {
        for (std::uint32_t s = 0; s < r.sets(); ++s) {
            for (std::uint32_t k = 0; k < r.ways(); ++k) {
                const Slot found = r.slotAt(r.place(c, s, static_cast<float>(k)));
                EXPECT_EQ(found.cache, c);
                EXPECT_EQ(found.set, s);
                EXPECT_EQ(found.rank, k);
            }
        }
    }
}

TEST_P(ArmsOf, EachSlotIsInOneCell) {
    const LevelRing r = ring();
    for (const float zoom : {0.1f, 0.3f, 1.0f}) {
        std::vector<int> seen(r.slots(), 0);
        for (const LevelRing::Cell& cell : r.cells(r.cellsFor(zoom, 3))) {
            for (const Slot& slot : cell.slots) ++seen[r.index(slot)];
        }
        EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(r.slots())) << zoom;
    }
}

TEST_P(ArmsOf, ASectorHoldsItsArms) {
    const LevelRing r = ring();
    if (r.caches() == 1) return;
    for (std::uint32_t c = 0; c < r.caches(); ++c) {
        for (std::uint32_t s = 0; s < r.sets(); ++s) {
            for (std::uint32_t k = 0; k < r.ways(); ++k) {
                const glm::vec2 place = r.place({c, s, k});
                const Sector sector = r.sector(c, glm::length(place));
                const float turn = std::remainder(std::atan2(place.y, place.x) - sector.from - sector.span / 2,
                                                  2 * std::numbers::pi_v<float>);
                EXPECT_LE(std::abs(turn), sector.span / 2);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ArmsOf,
                         testing::Values(Shape2{1, 8}, Shape2{2, 8}, Shape2{4, 16}, Shape2{8, 1}, Shape2{16, 6},
                                         Shape2{64, 8}, Shape2{1, 64}, Shape2{8, 4, 2}, Shape2{16, 8, 8},
                                         Shape2{2, 8, 4}, Shape2{1, 4, 64}, Shape2{2, 8, 1, 8}, Shape2{4, 4, 2, 4},
                                         Shape2{512, 8}));

TEST(Arms, TierFollowsTheRoom) {
    EXPECT_EQ(tierFor(ringOf(30, 140, 2, 8).room()), Tier::glyphs);
    const LevelRing folded = ringOf(100, 300, 1024, 8);
    EXPECT_GT(folded.bands().size(), 1u);
    EXPECT_EQ(tierFor(folded.room()), Tier::cells);
    EXPECT_EQ(tierFor(ringOf(30, 60, 1024, 16).room()), Tier::cells);
}

/// Two declared arrays and some undeclared memory.
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

TEST(MemorySlots, DeclaredRegionsAreWholeAndInferredOnesTouched) {
    const sim::Trace trace = someTrace();
    const sim::MachineConfig machine = paper();
    const MemorySlots memorySlots(trace, 32);
    const RegionLooks looks(trace);
    ASSERT_EQ(memorySlots.spans().size(), 3u);
    EXPECT_EQ(memorySlots.spans()[0].count, 64u);
    EXPECT_EQ(memorySlots.spans()[1].count, 3u);
    EXPECT_EQ(memorySlots.spans()[2].count, 16u);
    EXPECT_EQ(memorySlots.of(sim::ByteAddress{0x1000 + 33}), 1u);
    EXPECT_EQ(memorySlots.of(sim::ByteAddress{0x90000 + 64 * 5 + 3}), 64u + 3u + 5u);
    EXPECT_EQ(memorySlots.of(sim::ByteAddress{0x90000 + 32}), MemorySlots::kNone);
    EXPECT_EQ(memorySlots.spanOf(66), 1u);
    EXPECT_EQ(memorySlots.spanOf(67), 2u);
}

TEST(MemorySlots, AnImmenseRegionShowsWhatIsTouched) {
    sim::TraceBuilder b("immense");
    b.addRegion({.name = "A", .base = sim::ByteAddress{0}, .size = std::uint64_t{1} << 50, .elementSize = 8});
    sim::Access access;
    access.address = sim::ByteAddress{std::uint64_t{1} << 40};
    b.add(access);
    const sim::Trace trace = b.finish();
    EXPECT_EQ(MemorySlots(trace, 64).count(), 1u);
}

TEST(MemoryRing, PlacesLieInTheirArcsAndApart) {
    const sim::Trace trace = someTrace();
    const sim::MachineConfig machine = paper();
    const MemorySlots memorySlots(trace, 32);
    const RegionLooks looks(trace);
    const MemoryRing ring = layMemory(200, 300, memorySlots, trace);
    std::vector<glm::vec2> places;
    for (std::uint32_t h = 0; h < memorySlots.count(); ++h) {
        places.push_back(ring.place(memorySlots.spanOf(h), h));
        EXPECT_EQ(ring.arcAt(std::atan2(places.back().y, places.back().x)), memorySlots.spanOf(h));
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        const float r = glm::length(places[i]);
        EXPECT_GT(r, 200);
        EXPECT_LT(r, 300);
        for (std::size_t j = i + 1; j < places.size(); ++j) {
            EXPECT_GT(glm::distance(places[i], places[j]), 0.9f * ring.room);
        }
    }
    for (std::size_t a = 1; a < ring.arcs.size(); ++a) EXPECT_GT(ring.arcs[a].from, ring.arcs[a - 1].to);
}

TEST(MemoryRing, RowsOfAnArrayLineUp) {
    const sim::Trace trace = someTrace();
    const sim::MachineConfig machine = paper();
    const MemorySlots memorySlots(trace, 32);
    const RegionLooks looks(trace);
    // A row of A is four blocks: the rows of the ring divide it or are divided by it.
    const std::uint32_t rows = layMemory(200, 300, memorySlots, trace).rows;
    EXPECT_TRUE(rows % 4 == 0 || 4 % rows == 0) << rows;
}

TEST(MemoryRing, ManyHomesShareAPlace) {
    sim::TraceBuilder b("large");
    b.addRegion({.name = "A", .base = sim::ByteAddress{0}, .size = 64 << 20, .elementSize = 8, .rows = 8 << 20});
    sim::Access access;
    b.add(access);
    const sim::Trace trace = b.finish();
    const MemorySlots memorySlots(trace, 64);
    EXPECT_EQ(memorySlots.count(), 1u << 20);
    const MemoryRing ring = layMemory(200, 300, memorySlots, trace);
    for (const float zoom : {1.0f, 4.0f, 16.0f}) {
        const std::uint32_t side = ring.sideFor(zoom, 3);
        EXPECT_GE(static_cast<float>(side) * ring.room * zoom, 3);
        const auto cells = ring.cells(side, {});
        EXPECT_LT(static_cast<float>(cells.size()), 40000 * zoom * zoom);
        std::vector<std::uint8_t> seen(memorySlots.count(), 0);
        for (const MemoryRing::Cell& cell : cells) ring.eachSlot(cell, side, [&](std::uint32_t slot) { ++seen[slot]; });
        EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(memorySlots.count()));
    }
}

TEST(RingLayout, RingsFollowOneAnotherOutward) {
    const sim::Trace trace = someTrace();
    const sim::MachineConfig machine = paper();
    const MemorySlots memorySlots(trace, 32);
    const RegionLooks looks(trace);
    for (const glm::vec2 size : {glm::vec2(1280, 720), glm::vec2(1920, 1080), glm::vec2(120, 90)}) {
        const RingLayout layout({trace, machine, memorySlots, looks}, ofSize(size));
        EXPECT_GT(layout.levels[0].inner(), layout.core);
        EXPECT_GT(layout.levels[1].inner(), layout.levels[0].outer());
        EXPECT_GT(layout.memory.inner, layout.levels[1].outer());
        // Where the text is large for the picture, the rings end where the names begin, and no earlier.
        const bool roomy = size.x > 200;
        const float whole = roomy ? 0.925f * layout.unit : layout.names - 0.68f * 0.18f * layout.unit;
        EXPECT_NEAR(layout.memory.outer, whole, 0.01f * layout.unit);
        EXPECT_LE(layout.names + (roomy ? 0.5f * layout.text : 0), layout.unit);
    }
}

TEST(RingLayout, ASetsOuterSetsLieBesideOneAnother) {
    const sim::Trace trace = someTrace();
    const sim::MachineConfig machine = paper();
    const MemorySlots memorySlots(trace, 32);
    const RegionLooks looks(trace);
    const RingLayout layout({trace, machine, memorySlots, looks}, ofSize({1280, 720}));
    // L1's sets 0 and 1 feed L2's sets {0, 2} and {1, 3}.
    EXPECT_EQ(layout.levels[1].spoke(), (std::vector<std::uint32_t>{0, 2, 1, 3}));
}

TEST(RingLayout, ScalesWithThePicture) {
    const sim::Trace trace = someTrace();
    const sim::MachineConfig machine = paper();
    const MemorySlots memorySlots(trace, 32);
    const RegionLooks looks(trace);
    const RingLayout small({trace, machine, memorySlots, looks}, ofSize({1280, 720}));
    const RingLayout large({trace, machine, memorySlots, looks}, ofSize({1920, 1080}));
    for (std::uint32_t k = 0; k < 8; ++k) {
        const glm::vec2 a = small.linePlace({0, 0, sim::SetIndex{1}}, static_cast<float>(k)) * 1.5f;
        const glm::vec2 b = large.linePlace({0, 0, sim::SetIndex{1}}, static_cast<float>(k));
        EXPECT_LT(glm::distance(a, b), 0.05f);
    }
}

}  // namespace
}  // namespace whorl::scene
