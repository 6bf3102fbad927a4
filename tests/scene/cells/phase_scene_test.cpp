// The phases: their cells are all accesses, each once, and have the colours of the overview's sums.
#include "render/scene/cells/phase_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "render/scene/cells/cell_painting.h"
#include "render/scene/palette.h"
#include "sim/analysis/history_help.h"
#include "support/rounds.h"

namespace whorl::scene {
namespace {

struct Phases {
    explicit Phases(std::uint64_t seed) : random(seed, 100 + seed % 7 * 150), overview(random.run->overview()) {
        std::mt19937_64 dice(seed);
        accesses = built = random.run->trace().size();
        if (dice() % 4 == 0) built = dice() % accesses;
        look.size = {150 + static_cast<int>(dice() % 1200), 100 + static_cast<int>(dice() % 600)};
        look.ground = dice() % 2 == 0 ? Ground::dark : Ground::light;
        look.level = dice() % random.run->machine().levels.size();
        look.shows = dice() % 2 == 0 ? PhaseShows::missRate : PhaseShows::misses;
        if (dice() % 2 == 0) look.rowLength = 1 + dice() % 500;
    }
    PhaseSubject what() const { return {overview, random.run->machine(), accesses, built}; }

    sim::test::RandomRun random;
    sim::Overview overview;
    std::uint64_t accesses = 0;
    std::uint64_t built = 0;
    PhaseLook look;
};

PixelBox boxOf(const PhaseFrame& frame, std::uint64_t row, std::uint64_t column) {
    const glm::ivec2 low = frame.body.low + glm::ivec2(static_cast<int>(column) * frame.cellWidth,
                                                       static_cast<int>(row) * frame.rows.height);
    return {low, low + glm::ivec2(frame.cellWidth, frame.rows.height)};
}

/// For any length of a row and any number of cells in it.
TEST(PhaseScene, HasCellsThatPartitionEachRow) {
    std::mt19937_64 dice(1);
    for (std::uint64_t i = 0; i < testRounds(3000); ++i) {
        PhaseFrame frame{.end = ~std::uint64_t{0}};
        frame.rowLength = 1 + (dice() >> (24 + dice() % 40));
        if (i % 3 == 0) frame.rowLength = static_cast<std::uint64_t>(std::pow(10, i % 10));
        if (i % 3 == 1) frame.rowLength = std::uint64_t{1} << i % 40;
        frame.columns = std::min<std::uint64_t>(frame.rowLength, 1 + dice() % 600);
        const std::uint64_t row = dice() % 1000;
        ASSERT_EQ(frame.spanOf(row, 0).from, static_cast<double>(row * frame.rowLength));
        for (std::uint64_t c = 0; c + 1 < frame.columns; ++c) {
            ASSERT_EQ(frame.spanOf(row, c).to, frame.spanOf(row, c + 1).from);
            ASSERT_LT(frame.spanOf(row, c).from, frame.spanOf(row, c).to);
        }
        ASSERT_EQ(frame.spanOf(row, frame.columns - 1).to, static_cast<double>((row + 1) * frame.rowLength))
            << frame.rowLength << " in " << frame.columns;
    }
}

TEST(PhaseScene, FindsTheCellAtEachPixel) {
    for (std::uint64_t seed = 0; seed < testRounds(100); ++seed) {
        const Phases p(seed);
        const PhaseFrame frame = phaseFrame(p.what(), p.look);
        EXPECT_LE(static_cast<int>(frame.columns) * frame.cellWidth, std::max(frame.cellWidth, frame.body.width()));
        EXPECT_LE(static_cast<int>(frame.rows.count) * frame.rows.height,
                  std::max(frame.rows.height, frame.body.height()));
        for (std::uint64_t row = 0; row < frame.rows.count; ++row) {
            for (std::uint64_t column = 0; column < frame.columns; ++column) {
                const PixelBox box = boxOf(frame, row, column);
                const TimeSpan span = frame.spanOf(row, column);
                const bool isThere = span.from < static_cast<double>(p.accesses);
                for (const glm::ivec2 at : {box.low, box.high - 1}) {
                    ASSERT_EQ(phaseAt(p.what(), p.look, at), isThere ? std::optional(span) : std::nullopt)
                        << "seed " << seed;
                }
            }
        }
        EXPECT_EQ(phaseAt(p.what(), p.look, frame.body.low - 1), std::nullopt);
        EXPECT_EQ(phaseAt(p.what(), p.look, frame.body.high), std::nullopt);
    }
}

/// Without a chosen length, all accesses are seen.
TEST(PhaseScene, FitsTheTraceIfItMay) {
    for (std::uint64_t seed = 0; seed < testRounds(100); ++seed) {
        Phases p(seed);
        p.look.rowLength = 0;
        const PhaseFrame frame = phaseFrame(p.what(), p.look);
        EXPECT_GE(frame.rows.count * frame.rowLength, p.accesses) << "seed " << seed;
    }
}

/// A trace so long, in rows that fit, with loops of these lengths.
PhaseFrame framed(const Phases& p, std::uint64_t accesses, const std::vector<std::uint64_t>& loops) {
    PhaseSubject what = p.what();
    what.accesses = accesses;
    what.loops = loops;
    PhaseLook look = p.look;
    look.size = {1600, 900};
    look.rowLength = 0;
    return phaseFrame(what, look);
}

TEST(PhaseScene, HasRowsOfWholeLoops) {
    const Phases p(1);
    const PhaseFrame matmul = framed(p, 16 * 528, {33, 528});
    EXPECT_EQ(matmul.rowLength, 528u);
    EXPECT_EQ(matmul.loop, 528u);
    EXPECT_EQ(matmul.rows.count, 16u);
    EXPECT_GE(static_cast<int>(matmul.rows.count) * matmul.rows.height, 9 * matmul.body.height() / 10)
        << "they fill it";
    const PhaseFrame turns = framed(p, 10'000, {40, 9000});
    EXPECT_EQ(turns.loop, 40u) << "a loop of nearly everything is no row";
    EXPECT_EQ(turns.rowLength % 40, 0u);
    EXPECT_GE(turns.rows.count * turns.rowLength, 10'000u);
    const PhaseFrame large = framed(p, 1'000'000, {3, 7, 30'000});
    EXPECT_EQ(large.rowLength, 30'000u);
    EXPECT_EQ(large.rowLength % large.columns, 0u) << "cells of one length have no pattern of their own";
    EXPECT_EQ(framed(p, 1'000'000, {3, 7}).loop, 0u) << "loops that are not seen";
    EXPECT_EQ(framed(p, 1'000'000, {3, 7}).rowLength, framed(p, 1'000'000, {}).rowLength);
}

TEST(PhaseScene, SaysWhoseThePatternIs) {
    Phases p(1);
    p.look.size = {1600, 900};
    const auto saysIn = [&](std::uint64_t rowLength, const std::vector<std::uint64_t>& loops,
                            const std::string& words) {
        p.look.rowLength = rowLength;
        PhaseSubject what = p.what();
        what.loops = loops;
        const FlatScene scene = phaseScene(what, p.look, 0);
        return std::any_of(scene.labels.begin(), scene.labels.end(),
                           [&](const Label& l) { return l.text.find(words) != std::string::npos; });
    };
    const std::uint64_t eighth = p.accesses / 8;
    EXPECT_TRUE(saysIn(0, {eighth}, "(a loop)"));
    EXPECT_FALSE(saysIn(0, {eighth}, "stripes come from the rows"));
    EXPECT_TRUE(saysIn(0, {}, "stripes come from the rows"));
    EXPECT_FALSE(saysIn(100, {}, "stripes come from the rows")) << "who chose it knows";
}

TEST(PhaseScene, HasTheColoursOfTheOverview) {
    for (std::uint64_t seed = 0; seed < testRounds(100); ++seed) {
        const Phases p(seed);
        const PhaseFrame frame = phaseFrame(p.what(), p.look);
        const FlatScene scene = phaseScene(p.what(), p.look, -1e9);
        const auto valueOf = [&](const TimeSpan& span) -> std::optional<float> {
            const auto from = static_cast<std::uint64_t>(span.from);
            const std::uint64_t to = std::min(p.built, static_cast<std::uint64_t>(span.to));
            if (from >= to) return std::nullopt;
            const auto share = p.overview.share(p.look.level, from, to);
            const auto misses = static_cast<float>(share.requests - share.hits);
            if (share.requests == 0) return std::nullopt;
            return p.look.shows == PhaseShows::misses ? misses : misses / static_cast<float>(share.requests);
        };
        float most = 0;
        std::vector<std::pair<glm::ivec2, std::optional<float>>> cells;
        for (std::uint64_t row = 0; row < frame.rows.count; ++row) {
            for (std::uint64_t column = 0; column < frame.columns; ++column) {
                const TimeSpan span = frame.spanOf(row, column);
                if (span.from >= static_cast<double>(p.accesses)) continue;
                const auto value = valueOf(span);
                most = std::max(most, value.value_or(0.0f));
                cells.emplace_back(boxOf(frame, row, column).low + glm::ivec2(frame.cellWidth - 1, 0), value);
            }
        }
        const ColourTable table(p.look.ground, CellRamp::misses, most, false);
        // The playhead before the first access is in the first cell.
        for (std::size_t i = 2; i < cells.size(); ++i) {
            const auto& [at, value] = cells[i];
            const PixelBox first = boxOf(frame, 0, 0);
            if (PixelBox{first.low - 2, first.high + 2}.contains(at)) continue;
            const Rgba wanted = value ? table.of(*value) : paletteFor(p.look.ground).untouched;
            ASSERT_EQ(scene.raster.at(at), wanted) << "seed " << seed << ", cell " << i;
        }
    }
}

/// The playhead is in the cell whose accesses hold it.
TEST(PhaseScene, MarksTheCellOfThePlayhead) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        const Phases p(seed);
        const PhaseFrame frame = phaseFrame(p.what(), p.look);
        const Rgba mark = paletteFor(p.look.ground).text;
        std::mt19937_64 dice(seed);
        for (int i = 0; i < 20; ++i) {
            const double t = static_cast<double>(dice() % (4 * p.accesses)) / 4;
            const FlatScene scene = phaseScene(p.what(), p.look, t);
            for (std::uint64_t column = 0; column < frame.columns; ++column) {
                const auto row = static_cast<std::uint64_t>(t) / frame.rowLength;
                if (row >= frame.rows.count) continue;
                const TimeSpan span = frame.spanOf(row, column);
                const bool isIn = span.from <= t && t < span.to;
                const glm::ivec2 at = boxOf(frame, row, column).low;
                if (!isIn) continue;
                ASSERT_EQ(scene.raster.at(at), mark) << "seed " << seed << ", t " << t << ", column " << column;
                // Its frame is around it.
                const bool hasRoom = at.x > 0;
                ASSERT_TRUE(!hasRoom || scene.raster.at({at.x - 1, at.y}) == mark) << "seed " << seed << ", t " << t;
            }
        }
    }
}

TEST(PhaseScene, OfNothingAndInLittleRoomIsDrawn) {
    const Phases p(3);
    for (const std::uint64_t accesses : {std::uint64_t{0}, std::uint64_t{1}, p.accesses}) {
        for (const glm::ivec2 size : {glm::ivec2(1, 1), glm::ivec2(60, 40), glm::ivec2(40, 300), glm::ivec2(500, 9)}) {
            for (const std::uint64_t row : {0, 1, 1'000'000'000}) {
                PhaseLook look = p.look;
                look.size = size;
                look.rowLength = row;
                const PhaseSubject subject{p.overview, p.random.run->machine(), accesses, std::min(accesses, p.built)};
                EXPECT_EQ(phaseScene(subject, look, 0.5).raster.box().high, size);
                for (int x = -1; x <= size.x; ++x) phaseAt(subject, look, {x, size.y / 2});
            }
        }
    }
}

}  // namespace
}  // namespace whorl::scene
