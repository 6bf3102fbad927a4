// Painted cells, boundaries and outlines against rules that ask each pixel what it should be.
#include "render/scene/cells/cell_painting.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "scene/cells/random_memory.h"
#include "support/rounds.h"

namespace whorl::scene {
namespace {

constexpr Rgba kGround = hex(0x010203);
constexpr Rgba kPaint = hex(0xA0B0C0);

/// A random picture of random memory.
class Painted {
  public:
    explicit Painted(std::uint64_t seed, std::optional<MemoryCurve> curve = MemoryCurve::linear)
        : dice(seed), trace(test::randomMemory(seed)), cells(*trace, shapeOf(seed, curve)) {
        CellScale scale{8, 0};
        for (std::uint64_t i = dice() % 12; i > 0; --i) scale = scale.smaller();
        for (std::uint64_t i = dice() % 5; i > 0; --i) scale = scale.larger();
        const glm::ivec2 size(20 + static_cast<int>(dice() % 130), 20 + static_cast<int>(dice() % 130));
        window.area = {{3, 5}, size - 4};
        FlowLook look{.room = {window.area.width(), window.area.height()}};
        look.fit = {scale, 0, 1 + static_cast<int>(dice() % 2), static_cast<std::uint32_t>(dice() % 3)};
        flow.emplace(cells.groups(), std::vector<std::uint32_t>{}, scale, look);
        const glm::ivec2 room(std::max(1, flow->size().x), std::max(1, flow->size().y));
        window.scroll = {static_cast<int>(dice() % static_cast<std::uint64_t>(room.x)),
                         static_cast<int>(dice() % static_cast<std::uint64_t>(room.y))};
        if (dice() % 2 == 0) window.scroll = {0, 0};
        raster = Raster(size, kGround);
        raster.setClip(window.area);
    }

    /// Asks the rule for each pixel of the area whether it is painted; outside nothing is. The rule gets the pixel of
    /// the content.
    template <class F>
    void expect(F&& isPainted, const std::string& what) const {
        for (int y = 0; y < raster.height(); ++y) {
            for (int x = 0; x < raster.width(); ++x) {
                const glm::ivec2 p(x, y);
                const bool wanted = window.area.contains(p) && isPainted(window.toContent(p));
                ASSERT_EQ(raster.at(p) == kPaint, wanted) << what << " at " << x << ", " << y;
            }
        }
    }
    int fold() const { return flow->scale().fold; }
    bool exists(const CellPlace& place) const { return cells.addressAt(place).has_value(); }
    /// Whether any of the cells that a pixel's place stands for exists.
    bool anyExists(const CellPlace& place) const {
        for (std::uint32_t r = 0; r < 1u << fold(); ++r) {
            for (std::uint32_t c = 0; c < 1u << fold(); ++c) {
                if (exists({place.group, place.row + r, place.column + c})) return true;
            }
        }
        return false;
    }

    std::mt19937_64 dice;
    std::shared_ptr<const sim::Trace> trace;
    MemoryCells cells;
    std::optional<CellFlow> flow;
    CellWindow window;
    Raster raster;

  private:
    static MemoryShape shapeOf(std::uint64_t seed, std::optional<MemoryCurve> curve) {
        MemoryShape shape = test::randomShape(seed);
        if (curve) shape.curve = *curve;
        return shape;
    }
};

TEST(CellPainting, ShowsEveryCellThatExists) {
    std::uint64_t folded = 0;
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        Painted p(seed);
        folded += p.fold() > 0 ? 1 : 0;
        paintUntouched(p.raster, p.window, *p.flow, p.cells.groups(), MemoryCurve::linear, kPaint);
        if (p.fold() == 0) {
            p.expect(
                [&](glm::ivec2 at) {
                    const auto place = p.flow->at(at);
                    return place && p.exists(*place);
                },
                "seed " + std::to_string(seed));
        } else {
            // A row of pixels that stands for several rows is painted over all of their width.
            for (int y = p.window.area.low.y; y < p.window.area.high.y; ++y) {
                for (int x = p.window.area.low.x; x < p.window.area.high.x; ++x) {
                    const auto place = p.flow->at(p.window.toContent({x, y}));
                    if (!place) {
                        ASSERT_EQ(p.raster.at({x, y}), kGround) << "seed " << seed;
                    } else if (p.anyExists(*place)) {
                        ASSERT_EQ(p.raster.at({x, y}), kPaint) << "seed " << seed;
                    }
                }
            }
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(folded, testRounds(5));
}

TEST(CellPainting, ShowsEveryValueInItsCell) {
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        Painted p(seed, std::nullopt);
        CellValues values(p.cells.groups().groups.size());
        std::set<CellPlace> shown;
        test::forEachCell(p.cells, [&](const CellPlace& place, sim::ByteAddress) {
            if (p.dice() % 3 != 0) return;
            values.add(place, 1);
            const std::uint32_t fold = static_cast<std::uint32_t>(p.fold());
            shown.insert({place.group, place.row >> fold << fold, place.column >> fold << fold});
        });
        values.finish();
        FoldedValues folded(std::move(values));
        paintValues(p.raster, p.window, *p.flow, folded.at(p.fold()), [](const CellValues::Entry&) { return kPaint; });
        const int pixels = p.flow->scale().pixels;
        p.expect(
            [&](glm::ivec2 at) {
                const auto place = p.flow->at(at);
                if (!place || !shown.contains(*place)) return false;
                // Large cells are kept apart.
                const glm::ivec2 corner = p.flow->boxOf(*place)->high - 1;
                return pixels < 6 || (at.x < corner.x && at.y < corner.y);
            },
            "seed " + std::to_string(seed));
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(CellPainting, ColoursACellByItsValue) {
    Painted p(1);
    CellValues values(p.cells.groups().groups.size());
    float next = 1;
    test::forEachCell(p.cells, [&](const CellPlace& place, sim::ByteAddress) { values.add(place, next++); });
    values.finish();
    const auto colourOf = [](const CellValues::Entry& e) {
        return hex(0x800000 + static_cast<std::uint32_t>(e.value));
    };
    FoldedValues folded(std::move(values));
    const CellValues& seen = folded.at(p.fold());
    paintValues(p.raster, p.window, *p.flow, seen, colourOf);
    std::uint64_t compared = 0;
    for (const CellFlow::Run& run : p.flow->runs()) {
        for (const auto& e : seen.rows(run.group, run.firstRow, run.firstRow + run.rows)) {
            const auto fold = static_cast<std::uint32_t>(p.fold());
            const auto box = p.flow->boxOf(CellPlace{run.group, e.row << fold, e.column << fold});
            const glm::ivec2 at = p.window.toPicture(box->low);
            if (!p.window.area.contains(at)) continue;
            ASSERT_EQ(p.raster.at(at), colourOf(e));
            ++compared;
        }
    }
    EXPECT_GT(compared, testRounds(5));
}

/// A line is the last pixel before the boundary, at the beginning of what is drawn the first after it; only beside
/// cells that exist.
TEST(CellPainting, DrawsBoundariesWhereAddressesAreMultiples) {
    std::uint64_t drawn = 0;
    for (std::uint64_t seed = 0; seed < testRounds(400); ++seed) {
        Painted p(seed);
        const MemoryShape& shape = p.cells.shape();
        const std::uint64_t bytes = shape.cell << p.dice() % 10;
        const int pixels = p.flow->scale().pixels;
        const bool hasRoom =
            p.fold() == 0 &&
            (bytes < shape.row() ? bytes / shape.cell : bytes / shape.row()) * static_cast<std::uint64_t>(pixels) >= 12;
        const bool done = hasBoundaries(*p.flow, shape, bytes);
        paintBoundaries(p.raster, p.window, *p.flow, p.cells, bytes, 1, kPaint);
        ASSERT_EQ(done, hasRoom) << "seed " << seed;
        drawn += done ? 1 : 0;
        p.expect(
            [&](glm::ivec2 at) {
                const auto place = p.flow->at(at);
                if (!done || !place) return false;
                const PixelBox box = *p.flow->boxOf(*place);
                const std::uint64_t base = p.cells.originOf(place->group) * shape.cell;
                const bool isLoose = base % shape.row() != 0;  // a row that begins anywhere
                const std::uint64_t row = base + place->row * shape.row();
                const std::uint64_t address = row + place->column * shape.cell;
                const auto isMultiple = [&](std::uint64_t a) { return a % bytes == 0; };
                const auto neighbour = [&](int rows, int columns) {
                    return CellPlace{place->group, place->row + static_cast<std::uint32_t>(rows),
                                     place->column + static_cast<std::uint32_t>(columns)};
                };
                const bool isFirstRow = p.flow->at({at.x, box.low.y - 1}) != std::optional(neighbour(-1, 0));
                const bool isFirstColumn = p.flow->at({box.low.x - 1, at.y}) != std::optional(neighbour(0, -1));
                const bool isLastRow = p.flow->at({at.x, box.high.y}) != std::optional(neighbour(1, 0));
                if (!isLoose && at.y == box.low.y && isFirstRow && isMultiple(row) && p.exists(*place)) return true;
                const bool above = p.exists(isLastRow ? *place : neighbour(1, 0));
                if (!isLoose && at.y == box.high.y - 1 && isMultiple(row + shape.row()) && above) return true;
                if (bytes >= shape.row() && !isLoose) return false;
                if (at.x == box.low.x && isFirstColumn && isMultiple(address) && p.exists(*place)) return true;
                const bool beside =
                    p.exists(*place) || (place->column + 1 < shape.columns && p.exists(neighbour(0, 1)));
                return at.x == box.high.x - 1 && isMultiple(address + shape.cell) && beside;
            },
            "seed " + std::to_string(seed));
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(drawn, testRounds(20));
}

/// The edges of the cells that a range touches, where no other such cell of the same rows lies beyond the edge.
TEST(CellPainting, OutlinesTheCellsThatARangeTouches) {
    std::uint64_t drawn = 0;
    for (std::uint64_t seed = 0; seed < testRounds(500); ++seed) {
        Painted p(seed);
        if (p.fold() > 0 || p.cells.groups().groups.empty()) continue;
        const auto group = static_cast<std::uint32_t>(p.dice() % p.cells.groups().groups.size());
        const std::uint64_t from = p.cells.firstOf(group).value;
        const std::uint64_t length = p.cells.lastOf(group).value - from;
        const std::uint64_t near = from + (length == 0 ? 0 : p.dice() % length);
        const std::uint64_t start = near - std::min(near, p.dice() % 200);
        const sim::ByteAddress first{start};
        const sim::ByteAddress last{start +
                                    std::min(~std::uint64_t{0} - start, p.dice() % (p.dice() % 4 == 0 ? 9000 : 300))};
        const auto rows = paintOutline(p.raster, p.window, *p.flow, p.cells, first, last, 1, kPaint);
        drawn += rows.empty() ? 0 : 1;
        const auto isIn = [&](const std::optional<CellPlace>& place) {
            const auto a = place ? p.cells.addressAt(*place) : std::nullopt;
            return a && a->value <= last.value && a->value + (p.cells.shape().cell - 1) >= first.value;
        };
        const auto isOther = [&](const CellPlace& place, glm::ivec2 beyond) {
            const auto other = p.flow->at(beyond);
            const bool isBeside =
                other && other->group == place.group && (other->row == place.row || other->column == place.column);
            return !isBeside || !isIn(other);
        };
        p.expect(
            [&](glm::ivec2 at) {
                const auto place = p.flow->at(at);
                if (!isIn(place)) return false;
                const PixelBox box = *p.flow->boxOf(*place);
                return (at.x == box.low.x && isOther(*place, {at.x - 1, at.y})) ||
                       (at.x == box.high.x - 1 && isOther(*place, {at.x + 1, at.y})) ||
                       (at.y == box.low.y && isOther(*place, {at.x, at.y - 1})) ||
                       (at.y == box.high.y - 1 && isOther(*place, {at.x, at.y + 1}));
            },
            "seed " + std::to_string(seed));
        // A name has room in the rows that are given.
        for (const PixelBox& row : rows) {
            for (int x = row.low.x; x < row.high.x; ++x) {
                ASSERT_TRUE(isIn(p.flow->at(p.window.toContent({x, row.low.y})))) << "seed " << seed;
            }
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(drawn, testRounds(50));
}

}  // namespace
}  // namespace whorl::scene
