#include "render/scene/space/stay_fold.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "render/scene/palette.h"

namespace whorl::scene {

namespace {

constexpr float kRowPitch = 2;  ///< pixels; with rows closer than this stays would hide each other

/// Two significant digits, upward: lengths that differ by a rounding error give the same grid.
double rounded(double step) {
    const double unit = std::max(1.0, std::pow(10, std::floor(std::log10(step)) - 1));
    return std::ceil(step / unit * (1 - 1e-9)) * unit;
}

}  // namespace

std::int64_t FoldGrid::cellAt(double cycle) const {
    return static_cast<std::int64_t>(std::floor(cycle / step));
}

FoldGrid foldGrid(const BlockLook& look, const BlockFrame& frame) {
    if (look.draw != BlockLook::Draw::automatic) return {};
    const double pixels = look.camera.pixelsPerUnit(look.size);
    FoldGrid grid;
    const double step = double{FoldGrid::kPixels} / (pixels * frame.zPerCycle());
    const double pitch = double{frame.rowHeight()} * pixels;
    grid.events = pitch < kRowPitch && !frame.isZoomed();
    // Of single cycles nothing needs to be folded.
    grid.step = step > 1 || grid.events ? rounded(step) : 0;
    if (grid.events) grid.rows = static_cast<std::uint32_t>(std::ceil(double{FoldGrid::kPixels} / pitch));
    return grid;
}

void FoldedRow::add(const FoldGrid& grid, double from, double to, Rgba colour, bool dimmed) {
    const Cell cell{grid.cellAt((from + to) / 2), 1, from, to, colour, dimmed};
    if (!cells_.empty() && cells_.back().at == cell.at && !isSplit_) {
        join(cells_.back(), cell);
    } else {
        cells_.push_back(cell);
    }
    isSplit_ = false;
}

void FoldedRow::join(Cell& into, const Cell& other) {
    into.count += other.count;
    into.from = std::min(into.from, other.from);
    into.to = std::max(into.to, other.to);
    into.dimmed = into.dimmed || other.dimmed;
    if (into.colour == other.colour) return;
    into.colour = mixed(into.colour, other.colour, static_cast<float>(other.count) / static_cast<float>(into.count));
}

std::vector<FoldedRow::Cell> FoldedRow::take() {
    isSplit_ = false;
    if (std::is_sorted(cells_.begin(), cells_.end())) return std::exchange(cells_, {});
    std::stable_sort(cells_.begin(), cells_.end());
    std::vector<Cell> joined;
    for (const Cell& cell : std::exchange(cells_, {})) {
        if (!joined.empty() && joined.back().at == cell.at) {
            join(joined.back(), cell);
        } else {
            joined.push_back(cell);
        }
    }
    return joined;
}

Rgba FoldedColours::of(Rgba colour, std::uint32_t count, bool dimmed) {
    // One, two, up to four, eight, sixteen, thirty-two, and more: towards the ground (below 0) or the ink (above 0).
    constexpr std::array<float, kSteps> kShares = {-0.25F, -0.1F, 0, 0.15F, 0.3F, 0.45F, 0.6F};
    constexpr std::size_t kPlain = 2;
    const auto doublings = static_cast<std::size_t>(std::bit_width(std::max(count, 1U) - 1));
    const std::size_t step = std::min(doublings, dimmed ? kPlain : kSteps - 1);
    if (!(colour == colour_)) {
        colour_ = colour;
        steps_.fill(std::nullopt);
    }
    if (!steps_[step]) {
        const Rgba ink = ground_ == Ground::dark ? hex(0xFFFFFF) : hex(0);
        const float share = kShares[step];
        steps_[step] = mixed(colour, share < 0 ? paletteFor(ground_).ground : ink, std::abs(share));
    }
    return *steps_[step];
}

}  // namespace whorl::scene
