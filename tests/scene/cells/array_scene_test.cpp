// Arrays in rows and columns: each element has one box, which leads back to it, in the colour of its level.
#include "render/scene/cells/array_scene.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "render/scene/palette.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/changed_trace.h"
#include "support/rounds.h"
#include "support/runs.h"
#include "support/traces.h"

namespace whorl::scene {
namespace {

using sim::ArrayMoment;
using sim::ArrayShape;
using sim::test::ageIn;

/// An array that a random program walks, in one of several layouts, and what is needed to draw it.
struct Drawn {
    std::shared_ptr<sim::Run> run;
    ArrayShape shape;
    ArrayLook look;

    ArraySubject subject() const { return {shape, run->machine()}; }
};

Drawn randomArray(std::uint64_t seed) {
    std::mt19937_64 dice(seed);
    const bool isLarge = dice() % 5 == 0;
    const std::uint64_t rows = 1 + dice() % (isLarge ? 3000 : 30);
    const std::uint64_t columns = dice() % 4 == 0 ? 0 : 1 + dice() % (isLarge ? 3000 : 30);
    sim::TraceBuilder builder("array");
    sim::Region b = sim::test::region("B", 0x1008, rows * std::max<std::uint64_t>(1, columns) * 8);
    b.elementSize = 8;
    b.rows = rows;
    b.columns = columns;
    builder.addRegion(b);
    for (int i = 0; i < 60; ++i) {
        builder.add(sim::test::access(dice() % 3 == 0 ? sim::Op::write : sim::Op::read,
                                      b.base.value + 8 * (dice() % (b.size / 8)), 8));
    }
    auto trace = sim::test::shared(builder);
    const std::array<std::vector<std::string>, 4> layouts = {
        {{}, {"transpose:B"}, {"block:B:4"}, {fmt::format("spread:B:{}:{}", columns * 8 + 64, columns * 8)}}};
    if (auto changed = sim::test::changed(trace, columns > 0 ? layouts[seed % layouts.size()] : layouts[0])) {
        trace = sim::test::shared(*std::move(changed));
    }
    auto run = sim::test::built(trace, *sim::loadMachine("1K/2/32, 4K/4/64"));
    const ArrayShape shape = *ArrayShape::of(run->trace(), 0);
    ArrayLook look;
    look.size = {200 + static_cast<int>(dice() % 1400), 160 + static_cast<int>(dice() % 800)};
    look.ground = dice() % 2 == 0 ? Ground::dark : Ground::light;
    look.latest = dice() % shape.elements();
    return {std::move(run), shape, look};
}

TEST(ArrayScene, EachElementHasABoxThatLeadsBackToIt) {
    std::size_t joined = 0;
    for (std::uint64_t seed = 0; seed < testRounds(150); ++seed) {
        const Drawn drawn = randomArray(seed);
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const ArraySubject subject = drawn.subject();
        const ArrayFrame frame = arrayFrame(subject, drawn.look);
        const sim::ArrayGrid& grid = frame.grid;
        joined += grid.isJoined() ? 1 : 0;
        std::mt19937_64 dice(seed);
        for (int i = 0; i < 200; ++i) {
            const std::uint64_t e = dice() % drawn.shape.elements();
            const PixelBox box = frame.boxOf(e);
            ASSERT_FALSE(box.isEmpty());
            ASSERT_EQ(commonOf(box, frame.cells), box);
            const auto under = arrayUnder(subject, frame, (box.low + box.high) / 2);
            ASSERT_TRUE(under);
            ASSERT_EQ(under->box, box);
            // The cell that is found holds the element, and as many as it says.
            ASSERT_LE(grid.rowOf(under->element), grid.rowOf(e));
            ASSERT_LT(grid.rowOf(e), grid.rowOf(under->element) + under->rows);
            ASSERT_LE(grid.columnOf(under->element), grid.columnOf(e));
            ASSERT_LT(grid.columnOf(e), grid.columnOf(under->element) + under->columns);
            ASSERT_TRUE(grid.isJoined() || under->element == e);
        }
        ASSERT_LE(frame.strip.high.y, drawn.look.size.y);
        ASSERT_TRUE(frame.strip.isEmpty() || frame.strip.low.y >= frame.cells.high.y);
    }
    EXPECT_GT(joined, testRounds(150) / 50);
}

TEST(ArrayScene, TheStripHasTheElementsInTheOrderOfMemory) {
    std::size_t strips = 0;
    for (std::uint64_t seed = 0; seed < testRounds(150); ++seed) {
        const Drawn drawn = randomArray(seed);
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const ArrayFrame frame = arrayFrame(drawn.subject(), drawn.look);
        ASSERT_EQ(frame.slots.empty(), frame.strip.isEmpty());
        if (frame.strip.isEmpty()) continue;
        ++strips;
        bool isShown = false;
        for (std::size_t s = 0; s < frame.slots.size(); ++s) {
            const auto& [element, box] = frame.slots[s];
            isShown |= element == *drawn.look.latest;
            const std::uint64_t at = drawn.shape.addressOf(element).value;
            ASSERT_GE(at + 8, frame.from.value);
            ASSERT_LT(at, frame.from.value + frame.bytes);
            if (s > 0) {
                ASSERT_LT(drawn.shape.addressOf(frame.slots[s - 1].element).value, at);
                ASSERT_LE(frame.slots[s - 1].box.high.x, box.low.x);
            }
            const auto under = arrayUnder(drawn.subject(), frame, {(box.low.x + box.high.x) / 2, box.low.y});
            ASSERT_TRUE(under);
            ASSERT_EQ(under->element, element);
        }
        ASSERT_TRUE(isShown) << "what was accessed last is in the strip";
    }
    EXPECT_GT(strips, testRounds(150) / 2);
}

TEST(ArrayScene, ElementsHaveTheColourOfTheirLevelAndTextsAreRead) {
    std::size_t cells = 0;
    std::size_t texts = 0;
    for (std::uint64_t seed = 0; seed < testRounds(80); ++seed) {
        Drawn drawn = randomArray(seed);
        drawn.look.hasValues = true;
        const ArraySubject subject = drawn.subject();
        const ArrayFrame frame = arrayFrame(subject, drawn.look);
        sim::SnapshotReader reader(drawn.run);
        const sim::Snapshot& snapshot = reader.at(41.5, {.steps = 3});
        const ArrayMoment moment = sim::arrayAt(snapshot, drawn.shape, frame.grid, frame.inStrip(), ageIn(snapshot));
        const FlatScene scene = arrayScene(subject, drawn.look, frame, moment, [](std::uint64_t e) {
            return e % 3 == 0 ? std::nullopt : std::optional(static_cast<double>(e) - 1.5);
        });
        const std::size_t levels = drawn.run->machine().levels.size();
        const auto colourOf = [&](std::size_t level) {
            return level < levels ? servedColour(drawn.look.ground, level, levels)
                                  : paletteFor(drawn.look.ground).untouched;
        };
        // Outlines lie at the edges of the cells.
        if (std::min(frame.pitch.x, frame.pitch.y) >= 16) {
            for (std::uint64_t e = 0; e < drawn.shape.elements(); ++e) {
                const PixelBox box = frame.boxOf(e);
                const std::size_t level = sim::nearestLevel(snapshot.now.hierarchy(), drawn.shape, e);
                ASSERT_EQ(scene.raster.at((box.low + box.high) / 2), colourOf(level)) << "seed " << seed << ", " << e;
                ++cells;
            }
        }
        for (const Label& label : scene.labels) {
            const glm::ivec2 at(label.at);
            if (!scene.raster.box().contains(at)) continue;
            const auto under = arrayUnder(subject, frame, at);
            if (!under || label.kind != Label::Kind::plain) continue;
            const std::size_t level = sim::nearestLevel(snapshot.now.hierarchy(), drawn.shape, under->element);
            EXPECT_GE(contrast(label.colour, colourOf(level)), 4.5f);
            EXPECT_LT(label.size, static_cast<float>(under->box.height()) + 1);
            ++texts;
        }
    }
    EXPECT_GT(cells, 10 * testRounds(80));
    EXPECT_GT(texts, 5 * testRounds(80));
}

TEST(ArrayScene, OneRowIsFoldedIntoWholeBlocks) {
    for (const std::uint64_t size : {4u, 8u, 24u}) {
        sim::TraceBuilder builder("row");
        sim::Region a = sim::test::region("a", 0x1010, 300 * size);
        a.elementSize = static_cast<std::uint32_t>(size);
        a.rows = 300;
        builder.addRegion(a);
        builder.add(sim::test::access(sim::Op::read, 0x1010, 4));
        const auto run = sim::test::built(builder, *sim::loadMachine("1K/2/32"));
        const ArrayShape shape = *ArrayShape::of(run->trace(), 0);
        ArrayLook look;
        look.size = {800, 500};
        const ArrayFrame frame = arrayFrame({shape, run->machine()}, look);
        EXPECT_EQ(frame.grid.columns * size % 32, 0u);
        EXPECT_GT(frame.grid.rows, 1u);
        for (std::uint64_t e = 0; e < 300 && 32 % size == 0; ++e) {
            EXPECT_EQ(frame.grid.columnOf(e) == 0, shape.addressOf(e).value % (frame.grid.columns * size) ==
                                                       (0x1010 / 32 * 32) % (frame.grid.columns * size))
                << "rows begin where blocks do";
        }
    }
}

/// Twelve thousand rows and columns are drawn in the time of a frame.
TEST(ArrayScene, AHugeArrayIsJoinedIntoCells) {
    sim::TraceBuilder builder("huge");
    sim::Region b = sim::test::region("B", 0x10000, std::uint64_t{12'000} * 12'000 * 8);
    b.elementSize = 8;
    b.rows = b.columns = 12'000;
    builder.addRegion(b);
    for (std::uint64_t i = 0; i < 3000; ++i) builder.add(sim::test::access(sim::Op::read, 0x10000 + i * 12'000 * 8, 8));
    const auto run = sim::test::built(builder, *sim::loadMachine("desktop"));
    const ArrayShape shape = *ArrayShape::of(run->trace(), 0);
    ArrayLook look;
    look.size = {1280, 720};
    const ArrayFrame frame = arrayFrame({shape, run->machine()}, look);
    EXPECT_EQ(frame.grid.rowsOfCell, (12'000 - 1) / frame.cells.height() + 1);
    sim::SnapshotReader reader(run);
    const sim::Snapshot& snapshot = reader.at(3000, {.steps = 3});
    const ArrayMoment moment = sim::arrayAt(snapshot, shape, frame.grid, frame.inStrip(), ageIn(snapshot));
    // A column of the array is a line of cells, those that are still cached.
    std::size_t cached = 0;
    for (const std::uint8_t level : moment.levels) cached += level < run->machine().levels.size() ? 1 : 0;
    EXPECT_GT(cached, 100u);
    EXPECT_LE(cached, 2 * frame.grid.cellRows());
    ASSERT_EQ(moment.touched, (ArrayShape::Span{2999 * 12'000, 2999 * 12'000}));
    EXPECT_EQ(moment.together.size(), 8u);
}

}  // namespace
}  // namespace whorl::scene
