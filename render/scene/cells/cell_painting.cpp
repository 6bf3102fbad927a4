#include "render/scene/cells/cell_painting.h"

#include <algorithm>
#include <cmath>

namespace whorl::scene {

namespace {

/// Lines closer than this, in pixels, would hide the cells.
constexpr int kMinDistance = 12;

/// Strength of a halo, as a share of its cell's.
constexpr float kHaloStrength = 0.5f;

/// The cells [from, to) of a row of cells, as pixels.
PixelBox spanBox(const CellFlow& flow, const CellFlow::Run& run, std::uint32_t pixelRow, std::uint32_t from,
                 std::uint32_t to) {
    const glm::ivec2 cell = flow.cell();
    const int fold = flow.scale().fold;
    const glm::ivec2 low = run.at + glm::ivec2(from >> fold, pixelRow - run.firstRow) * cell;
    return {low, {run.at.x + (static_cast<int>((to - 1) >> fold) + 1) * cell.x, low.y + cell.y}};
}

}  // namespace

ColourTable::ColourTable(Ground ground, CellRamp ramp, float most, bool logarithmic, float least)
    : most_(std::max(most, least + 1e-9f)), logarithmic_(logarithmic), least_(least) {
    for (std::size_t i = 0; i < kSteps; ++i) {
        colours_[i] = rampColour(ground, ramp, static_cast<float>(i) / static_cast<float>(kSteps - 1));
    }
}

Rgba ColourTable::of(float value) const {
    const float share =
        logarithmic_ ? std::log1p(value - least_) / std::log1p(most_ - least_) : (value - least_) / (most_ - least_);
    // Something is never shown as nothing.
    const float step = std::ceil(std::clamp(share, 0.0f, 1.0f) * static_cast<float>(kSteps - 1));
    return colours_[static_cast<std::size_t>(step)];
}

namespace {

/// The cells of a run along a Hilbert curve that exist, each by itself: the group fills its squares in part only.
void paintAlongCurve(Raster& raster, const CellWindow& window, const CellFlow& flow, const CellFlow::Run& run,
                     const CellGroups& groups, Rgba colour) {
    const CellGroup& group = groups.groups[run.group];
    const CellScale scale = flow.scale();
    const std::uint32_t columns = groups.columns;
    const std::uint32_t side = std::min(1u << scale.fold, columns);
    // The cells of a pixel follow each other on the curve.
    const std::uint64_t together = std::uint64_t{side} * side;
    const std::uint64_t end = group.firstCell + group.cells;
    for (std::uint32_t row = run.firstRow; row < run.firstRow + run.rows; ++row) {
        const std::uint64_t cellRow = std::uint64_t{row} << scale.fold;
        for (std::uint32_t column = 0; column < columns; column += side) {
            const std::uint64_t square = cellRow / columns * columns * columns;
            const std::uint64_t index =
                square +
                hilbertIndex(columns, column, static_cast<std::uint32_t>(cellRow % columns)) / together * together;
            if (index >= end || index + together <= group.firstCell) continue;
            raster.fill(window.toPicture(spanBox(flow, run, row, column, column + 1)), colour);
        }
    }
}

}  // namespace

void paintUntouched(Raster& raster, const CellWindow& window, const CellFlow& flow, const CellGroups& groups,
                    MemoryCurve curve, Rgba colour) {
    const CellScale scale = flow.scale();
    const std::uint64_t columns = groups.columns;
    flow.forEachIn(window.content(), [&](const CellFlow::Run& run) {
        const CellGroup& group = groups.groups[run.group];
        const std::uint64_t end = group.firstCell + group.cells;
        const bool isWhole = group.firstCell == 0 && end == group.rows * columns;
        const PixelBox all = flow.boxOf(run);
        if (isWhole) {
            raster.fill(window.toPicture(all), colour);
            return;
        }
        if (curve == MemoryCurve::hilbert) {
            paintAlongCurve(raster, window, flow, run, groups, colour);
            return;
        }
        const std::uint32_t perPixel = 1u << scale.fold;
        for (std::uint32_t row = run.firstRow; row < run.firstRow + run.rows; ++row) {
            const std::uint64_t first = std::uint64_t{row} * perPixel * columns;
            const std::uint64_t last = std::min<std::uint64_t>(first + perPixel * columns, group.rows * columns);
            const std::uint64_t from = std::max(first, group.firstCell);
            const std::uint64_t to = std::min(last, end);
            if (from >= to) continue;
            // Several rows in one row of pixels: their union.
            const bool several = to - from >= columns || from / columns != (to - 1) / columns;
            const auto left = several ? 0 : static_cast<std::uint32_t>(from % columns);
            const auto right = several ? groups.columns : static_cast<std::uint32_t>((to - 1) % columns) + 1;
            raster.fill(window.toPicture(spanBox(flow, run, row, left, right)), colour);
        }
    });
}

namespace {

/// Calls f(PixelBox, Entry) for the cells with a value that may be seen; boxes are in pixels of the picture.
template <class F>
void forEachEntry(const CellWindow& window, const CellFlow& flow, const CellValues& values, F&& f) {
    const glm::ivec2 cell = flow.cell();
    const PixelBox seen = window.content();
    flow.forEachIn(seen, [&](const CellFlow::Run& run) {
        const PixelBox all = flow.boxOf(run);
        const int above = std::max(0, (seen.low.y - all.low.y) / cell.y);
        const int below = std::clamp((seen.high.y - all.low.y + cell.y - 1) / cell.y, 0, static_cast<int>(run.rows));
        const std::uint32_t from = run.firstRow + static_cast<std::uint32_t>(above);
        const std::uint32_t to = run.firstRow + static_cast<std::uint32_t>(below);
        for (const CellValues::Entry& e : values.rows(run.group, from, std::max(from, to))) {
            const glm::ivec2 at = run.at + glm::ivec2(e.column, e.row - run.firstRow) * cell;
            f(window.toPicture(PixelBox{at, at + cell}), e);
        }
    });
}

}  // namespace

void paintValues(Raster& raster, const CellWindow& window, const CellFlow& flow, const CellValues& values,
                 const EntryColour& colourOf) {
    // Where there is room, a gap separates a cell from its neighbours.
    const glm::ivec2 gap(flow.cell().x >= 6 ? 1 : 0, flow.cell().y >= 6 ? 1 : 0);
    forEachEntry(window, flow, values, [&](const PixelBox& box, const CellValues::Entry& e) {
        raster.fill({box.low, box.high - gap}, colourOf(e));
    });
}

void paintHalos(Raster& raster, const CellWindow& window, const CellFlow& flow, const CellValues& values,
                const EntryColour& colourOf) {
    forEachEntry(window, flow, values, [&](const PixelBox& box, CellValues::Entry e) {
        e.value *= kHaloStrength;
        e.other *= kHaloStrength;
        raster.fill({box.low - 1, box.high + 1}, colourOf(e));
    });
}

bool hasBoundaries(const CellFlow& flow, const MemoryShape& shape, std::uint64_t bytes) {
    if (shape.curve != MemoryCurve::linear || flow.scale().fold > 0 || bytes < shape.cell) return false;
    const bool across = bytes < shape.row();
    const std::uint64_t distance = bytes / (across ? shape.cell : shape.row());
    return distance * static_cast<std::uint64_t>(across ? flow.cell().x : flow.cell().y) >= kMinDistance;
}

void paintBoundaries(Raster& raster, const CellWindow& window, const CellFlow& flow, const MemoryCells& cells,
                     std::uint64_t bytes, int thick, Rgba colour) {
    const MemoryShape& shape = cells.shape();
    if (!hasBoundaries(flow, shape, bytes)) return;
    const std::uint64_t every = bytes / shape.cell;
    flow.forEachIn(window.content(), [&](const CellFlow::Run& run) {
        const CellGroup& group = cells.groups().groups[run.group];
        const std::uint64_t origin = cells.originOf(run.group);
        // Rows that begin anywhere have boundaries within them.
        const bool across = every < shape.columns || origin % shape.columns != 0;
        for (std::uint32_t i = 0; i < run.rows; ++i) {
            // The cells of the row that exist.
            const std::uint64_t row = run.firstRow + i;
            const std::uint64_t start = row * shape.columns;
            const std::uint64_t begin = std::max(start, group.firstCell) - start;
            const std::uint64_t end = std::min(start + shape.columns, group.firstCell + group.cells) - start;
            if (begin >= end || end > shape.columns) continue;
            const PixelBox box = spanBox(flow, run, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(begin),
                                         static_cast<std::uint32_t>(end));
            const auto line = [&](int x, int y, glm::ivec2 size) {
                raster.blend(window.toPicture(PixelBox{{x, y}, {x + size.x, y + size.y}}), colour);
            };
            for (std::uint64_t column = begin; across && column <= end; ++column) {
                if ((origin + start + column) % every != 0) continue;
                const int x = run.at.x + static_cast<int>(column) * flow.cell().x - (column == run.firstColumn ? 0 : 1);
                line(x, box.low.y, {thick, box.height()});
            }
            const auto isAt = [&](std::uint64_t r) {
                return origin % shape.columns == 0 &&
                       (every < shape.columns || (origin + r * shape.columns) % every == 0);
            };
            if (isAt(row)) line(box.low.x, box.low.y - (i == 0 ? 0 : 1), {box.width(), thick});
            if (i + 1 == run.rows && isAt(row + 1)) line(box.low.x, box.high.y - 1, {box.width(), thick});
        }
    });
}

std::vector<PixelBox> paintOutline(Raster& raster, const CellWindow& window, const CellFlow& flow,
                                   const MemoryCells& cells, sim::ByteAddress first, sim::ByteAddress last, int thick,
                                   Rgba colour) {
    std::vector<PixelBox> rows;
    const MemoryShape& shape = cells.shape();
    if (shape.curve != MemoryCurve::linear) return rows;
    const std::uint64_t columns = shape.columns;
    const int perPixelRow = 1 << flow.scale().fold;
    flow.forEachIn(window.content(), [&](const CellFlow::Run& run) {
        const std::uint64_t origin = cells.originOf(run.group);
        if (cells.lastOf(run.group) < first || cells.firstOf(run.group) > last) return;
        const std::uint64_t from = std::max(first, cells.firstOf(run.group)).value / shape.cell - origin;
        const std::uint64_t to = std::min(last, cells.lastOf(run.group)).value / shape.cell - origin;
        const std::uint32_t begin = std::max(
            run.firstRow, static_cast<std::uint32_t>(from / columns / static_cast<std::uint64_t>(perPixelRow)));
        const std::uint32_t end =
            std::min(run.firstRow + run.rows,
                     static_cast<std::uint32_t>(to / columns / static_cast<std::uint64_t>(perPixelRow)) + 1);
        const auto spanOf = [&](std::uint32_t row) {
            const std::uint64_t low = std::uint64_t{row} * static_cast<std::uint64_t>(perPixelRow) * columns;
            const std::uint64_t high = low + static_cast<std::uint64_t>(perPixelRow) * columns;
            const bool several = perPixelRow > 1;
            const auto left = low >= from || several ? 0 : static_cast<std::uint32_t>(from % columns);
            const auto right = high <= to + 1 || several ? static_cast<std::uint32_t>(columns)
                                                         : static_cast<std::uint32_t>(to % columns) + 1;
            return spanBox(flow, run, row, left, right);
        };
        for (std::uint32_t row = begin; row < end; ++row) {
            const PixelBox box = spanOf(row);
            rows.push_back(window.toPicture(box));
            const auto line = [&](PixelBox part) { raster.blend(window.toPicture(part), colour); };
            line({box.low, {box.low.x + thick, box.high.y}});
            line({{box.high.x - thick, box.low.y}, box.high});
            // Above and below, the outline runs only where the range has no cells in the neighbouring row.
            const auto edge = [&](int y, bool hasOther, std::uint32_t otherRow) {
                const PixelBox other = hasOther ? spanOf(otherRow) : PixelBox{{box.high.x, 0}, {box.high.x, 0}};
                if (other.low.x > box.low.x) line({{box.low.x, y}, {std::min(other.low.x, box.high.x), y + thick}});
                if (other.high.x < box.high.x) line({{std::max(other.high.x, box.low.x), y}, {box.high.x, y + thick}});
            };
            edge(box.low.y, row > begin, row - 1);
            edge(box.high.y - thick, row + 1 < end, row + 1);
        }
    });
    return rows;
}

}  // namespace whorl::scene
