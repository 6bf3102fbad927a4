#include "render/scene/cells/phase_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/scene/cells/cell_painting.h"
#include "render/scene/cells/chart.h"
#include "render/scene/palette.h"
#include "render/scene/text_width.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

constexpr int kCellWidth = 3;  ///< least width of a cell in a long row, pixels
constexpr int kFittingRow = 8;
constexpr int kMinPhaseRow = 3;
constexpr std::uint64_t kFewRows = 8;    ///< fewest rows, if a row is one turn of a loop
constexpr std::uint64_t kMaxTurns = 16;  ///< most turns of a loop in a row

/// The smallest of 1, 2, 5, 10, 20, … that is not less.
std::uint64_t roundedUp(double least) {
    double step = std::pow(10.0, std::floor(std::log10(std::max(1.0, least))));
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
        if (step * factor >= least) return static_cast<std::uint64_t>(step * factor);
    }
    return static_cast<std::uint64_t>(step * 10);
}

/// The value of a stretch: the miss rate, 0 to 1, or misses; nothing if the level was not requested.
std::optional<float> valueOf(const PhaseSubject& subject, const PhaseLook& look, const TimeSpan& span) {
    if (subject.machine.levels.empty()) return std::nullopt;
    const auto from = static_cast<std::uint64_t>(span.from);
    const auto to = std::min(subject.built, static_cast<std::uint64_t>(std::ceil(span.to)));
    if (from >= to) return std::nullopt;
    const sim::Overview::Share share = subject.overview.share(look.level, from, to);
    if (share.requests == 0) return std::nullopt;
    const auto misses = static_cast<float>(share.requests - share.hits);
    return look.shows == PhaseShows::misses ? misses : misses / static_cast<float>(share.requests);
}

/// The length of a row in turns of a loop, for the key; empty if it holds no whole turns.
std::string inLoops(const PhaseFrame& frame) {
    if (frame.loop == 0) return {};
    const std::uint64_t turns = frame.rowLength / frame.loop;
    return turns == 1 ? " (a loop)" : fmt::format(" ({} turns of a loop)", turns);
}

CellKey keyOf(const PhaseSubject& subject, const PhaseLook& look, const PhaseFrame& frame, float most) {
    CellKey key;
    key.scaling = CellScaling::misses;
    key.most = look.shows == PhaseShows::misses ? sim::grouped(static_cast<std::uint64_t>(most))
                                                : fmt::format("{:.1f} %", 100 * most);
    const double each = static_cast<double>(frame.rowLength) / static_cast<double>(frame.columns);
    const auto bucket = static_cast<double>(subject.overview.accessesPerBucket());
    key.note = fmt::format("a row is {} accesses{}, a cell {:g}", sim::grouped(frame.rowLength), inLoops(frame),
                           std::round(10 * std::max(1.0, each)) / 10);
    if (look.rowLength == 0 && frame.loop == 0) addNote(key, "no loop has this length: stripes come from the rows");
    if (bucket > each) addNote(key, fmt::format("resolution: {:g} accesses", bucket));
    if (look.common) addNote(key, commonScaleInWords(look.common->runs));
    return key;
}

std::string titleOf(const PhaseSubject& subject, const PhaseLook& look) {
    return fmt::format("Phases: {} {}", subject.machine.levelName(look.level),
                       look.shows == PhaseShows::misses ? "misses" : "miss rate");
}

/// Adds the first access of each row beside it.
void addNumbers(FlatScene& scene, const PhaseSubject& subject, const PhaseLook& look, const PhaseFrame& frame) {
    const auto number = [&](std::size_t row) {
        const std::uint64_t first = frame.first + row * frame.rowLength;
        return first < subject.accesses ? sim::grouped(first) : std::string();
    };
    const auto colour = [&](std::size_t) { return paletteFor(look.ground).muted; };
    addRowNames(scene, look, frame.rows, {.name = number, .colour = colour, .isNumber = true});
}

PixelBox boxOf(const PhaseFrame& frame, std::uint64_t row, std::uint64_t column) {
    PixelBox box = frame.rows.boxOf(row);
    box.low.x += static_cast<int>(column) * frame.cellWidth;
    box.high.x = box.low.x + frame.cellWidth;
    return box;
}

/// The box of the cell at a time; none if its row is not in the picture.
std::optional<PixelBox> boxAt(const PhaseFrame& frame, double t) {
    const auto tick = static_cast<std::uint64_t>(std::max(0.0, t));
    if (tick < frame.first) return std::nullopt;
    const std::uint64_t row = (tick - frame.first) / frame.rowLength;
    if (row >= frame.rows.count) return std::nullopt;
    std::uint64_t low = 0;  // the last column that begins at or before the tick
    for (std::uint64_t high = frame.columns; high - low > 1;) {
        const std::uint64_t middle = (low + high) / 2;
        (frame.spanOf(row, middle).from <= static_cast<double>(tick) ? low : high) = middle;
    }
    return boxOf(frame, row, low);
}

}  // namespace

TimeSpan PhaseFrame::spanOf(std::uint64_t row, std::uint64_t column) const {
    // In whole numbers, so that nothing is between two cells.
    const auto before = [&](std::uint64_t c) {
        const std::uint64_t at =
            first + row * rowLength + c * (rowLength / columns) + c * (rowLength % columns) / columns;
        return static_cast<double>(at);
    };
    const double from = before(column);
    return {from, std::max(from, std::min(before(column + 1), static_cast<double>(end)))};
}

namespace {

/// The shortest loop that fills a row, else some turns of the longest that is shorter; or a round number.
void chooseRow(PhaseFrame& frame, std::span<const std::uint64_t> loops, double fitting, std::uint64_t accesses) {
    for (const std::uint64_t loop : loops) {
        const auto turns =
            std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(fitting / static_cast<double>(loop))));
        if (turns > kMaxTurns || (turns == 1 && loop * kFewRows > accesses)) continue;
        frame.loop = loop;
        frame.rowLength = turns * loop;
        if (turns == 1) return;
    }
    if (frame.loop == 0) frame.rowLength = roundedUp(fitting);
}

/// The number of cells of a row, at most `most`: one per access if that fits, else if possible a divisor of the row's
/// length above `most` / 2, so that all cells have one length.
std::uint64_t columnsOf(std::uint64_t rowLength, std::uint64_t most) {
    if (rowLength <= most) return rowLength;
    for (std::uint64_t columns = most; 2 * columns > most; --columns) {
        if (rowLength % columns == 0) return columns;
    }
    return most;
}

/// The frame above a key of this height, pixels.
PhaseFrame frameAbove(int key, const PhaseSubject& subject, const PhaseLook& look) {
    PhaseFrame frame{chartFrame(look, key)};
    const auto longest = std::max({std::uint64_t{1}, subject.accesses, look.longest});
    frame.end = longest;
    if (look.seen) {
        frame.first = static_cast<std::uint64_t>(std::max(0.0, std::floor(look.seen->from)));
        frame.end = std::max(frame.first + 1, static_cast<std::uint64_t>(std::ceil(look.seen->to)));
    }
    const std::uint64_t accesses = frame.end - frame.first;
    frame.end = std::min(frame.end, subject.accesses);  // a longer run beside it has more rows
    frame.body.low.x += static_cast<int>(widthOf(sim::grouped(longest), look.text)) + look.margin();
    const int height = frame.body.height();
    const double fitting = static_cast<double>(accesses) / std::max(1, height / kFittingRow);
    frame.rowLength = look.rowLength;
    if (look.rowLength == 0) chooseRow(frame, subject.loops, fitting, accesses);
    const std::uint64_t all = (accesses + frame.rowLength - 1) / frame.rowLength;
    const int each = std::max(static_cast<int>(height / static_cast<double>(all)), kMinPhaseRow);
    frame.rows = {
        .box = frame.body,
        .height = each,
        .gap = each > 4 ? 1 : 0,
        .count = static_cast<std::size_t>(std::min<std::uint64_t>(all, static_cast<std::uint64_t>(height / each)))};
    const auto most = static_cast<std::uint64_t>(std::max(1, frame.body.width() / kCellWidth));
    frame.columns = columnsOf(frame.rowLength, most);
    frame.cellWidth = std::max(1, frame.body.width() / static_cast<int>(frame.columns));
    return frame;
}

}  // namespace

PhaseFrame phaseFrame(const PhaseSubject& subject, const PhaseLook& look) {
    const PhaseFrame frame = frameAbove(look.em(1.5f), subject, look);
    // In a narrow picture the key takes several lines.
    const float wide = look.shows == PhaseShows::misses ? 1e6f : 1;  // a number as wide as any at the end of the ramp
    const CellKey key = keyOf(subject, look, frame, wide);
    return frameAbove(keyHeight(key, static_cast<int>(look.widthInside()), look.text), subject, look);
}

float phaseMost(const PhaseSubject& subject, const PhaseLook& look) {
    const PhaseFrame frame = phaseFrame(subject, look);
    float most = 0;
    for (std::uint64_t row = 0; row < frame.rows.count; ++row) {
        for (std::uint64_t column = 0; column < frame.columns; ++column) {
            most = std::max(most, valueOf(subject, look, frame.spanOf(row, column)).value_or(0.0f));
        }
    }
    return most;
}

FlatScene phaseScene(const PhaseSubject& subject, const PhaseLook& look, double t) {
    const PhaseFrame frame = phaseFrame(subject, look);
    const Palette& palette = paletteFor(look.ground);
    FlatScene scene = chartScene(look, frame.body);
    const float most = look.common ? static_cast<float>(look.common->most) : phaseMost(subject, look);
    const ColourTable table(look.ground, CellRamp::misses, most, false);
    for (std::uint64_t row = 0; row < frame.rows.count; ++row) {
        for (std::uint64_t column = 0; column < frame.columns; ++column) {
            const TimeSpan span = frame.spanOf(row, column);
            if (span.from >= static_cast<double>(frame.end)) break;
            const auto value = valueOf(subject, look, span);
            Rgba colour = value ? table.of(*value) : palette.untouched;
            const bool isOutside = look.chosen && (span.to <= look.chosen->from || span.from >= look.chosen->to);
            if (isOutside) colour = mixed(colour, palette.ground, 0.65f);
            scene.raster.fill(boxOf(frame, row, column), colour);
        }
    }
    if (const auto box = boxAt(frame, t)) {
        const Rgba text = paletteFor(look.ground).text;
        scene.raster.frame({box->low - 1, box->high + 1}, 1, text);
        scene.raster.fill({{box->low.x, box->low.y}, {box->low.x + 1, box->high.y}}, text);
    }
    addNumbers(scene, subject, look, frame);
    addTitle(scene, look, titleOf(subject, look));
    paintKey(scene, keyOf(subject, look, frame, most), frame.key, look.text);
    return scene;
}

std::optional<TimeSpan> phaseAt(const PhaseSubject& subject, const PhaseLook& look, glm::ivec2 at) {
    const PhaseFrame frame = phaseFrame(subject, look);
    const auto row = frame.rows.rowAt(at);
    if (!row) return std::nullopt;
    const auto column = static_cast<std::uint64_t>((at.x - frame.body.low.x) / frame.cellWidth);
    if (column >= frame.columns) return std::nullopt;
    const TimeSpan span = frame.spanOf(*row, column);
    if (span.from >= static_cast<double>(frame.end)) return std::nullopt;
    return span;
}

}  // namespace whorl::scene
