#include "render/scene/space/stay_fold.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
#include <utility>

#include "render/scene/palette.h"

namespace whorl::scene {

namespace {

constexpr float kRowPitch = 2;      ///< pixels; stays in rows closer than this would hide each other
constexpr float kFlatRowPitch = 3;  ///< pixels, face on; stays in rows closer than this would be invisible

std::uint32_t packedOf(Rgba c) {
    return std::uint32_t{c.r} << 24 | std::uint32_t{c.g} << 16 | std::uint32_t{c.b} << 8 | c.a;
}

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
    grid.events = pitch < (frame.isFlat() ? kFlatRowPitch : kRowPitch) && !frame.isZoomed();
    // With a cycle per cell or less there is nothing to fold.
    grid.step = step > 1 || grid.events ? rounded(step) : 0;
    if (grid.events) grid.rows = static_cast<std::uint32_t>(std::ceil(double{FoldGrid::kPixels} / pitch));
    return grid;
}

void FoldedRow::add(const FoldGrid& grid, double from, double to, Rgba colour, Rgba several, bool dimmed) {
    const Cell cell{grid.cellAt((from + to) / 2), 1, from, to, colour, several, dimmed, part_};
    const bool joins = !cells_.empty() && cells_.back().at == cell.at && cells_.back().part == part_;
    if (joins && cells_.back().colour == colour) {
        join(cells_.back(), cell);
    } else {
        isMixed_ = isMixed_ || joins || (!cells_.empty() && cells_.back().at > cell.at);
        if (isMixed_ && cells_.size() >= most_) gather();
        cells_.push_back(cell);
    }
}

/// Sorts the cells, and joins those of one colour at one place: otherwise a million stays with alternating colours
/// would need a cell each.
void FoldedRow::gather() {
    const auto keyOf = [](const Cell& c) { return std::tuple(c.at, c.part, packedOf(c.colour)); };
    std::sort(cells_.begin(), cells_.end(), [&](const Cell& a, const Cell& b) { return keyOf(a) < keyOf(b); });
    std::size_t count = 0;
    for (const Cell& cell : cells_) {
        if (count > 0 && keyOf(cells_[count - 1]) == keyOf(cell)) {
            join(cells_[count - 1], cell);
        } else {
            cells_[count++] = cell;
        }
    }
    cells_.resize(count);
    most_ = std::max(kMinGathered, 2 * count);
}

void FoldedRow::join(Cell& into, const Cell& other) {
    into.count += other.count;
    into.from = std::min(into.from, other.from);
    into.to = std::max(into.to, other.to);
    into.dimmed = into.dimmed || other.dimmed;
}

/// Joins several cells at one place, each of another colour, into one.
FoldedRow::Cell FoldedRow::whole(std::vector<Cell>::const_iterator from, std::vector<Cell>::const_iterator to) {
    Cell all = *from;
    auto most = from;
    for (auto cell = from + 1; cell != to; ++cell) {
        if (cell->count > most->count) most = cell;
        join(all, *cell);
    }
    all.colour = 2 * most->count > all.count ? most->colour : most->several;
    return all;
}

std::vector<FoldedRow::Cell> FoldedRow::take() {
    part_ = 0;
    most_ = kMinGathered;
    if (!std::exchange(isMixed_, false)) return std::exchange(cells_, {});
    gather();
    std::vector<Cell> joined;
    const std::vector<Cell> cells = std::exchange(cells_, {});
    for (auto from = cells.cbegin(); from != cells.cend();) {
        auto to = from + 1;
        while (to != cells.cend() && to->at == from->at && to->part == from->part) ++to;
        joined.push_back(whole(from, to));
        from = to;
    }
    return joined;
}

Rgba FoldedColours::of(Rgba colour, std::uint32_t count, bool dimmed) {
    // One, two, up to four, eight, sixteen, thirty-two, and more: towards the ground (below 0) or the ink (above 0).
    constexpr std::array<float, kSteps> kShares = {-0.4F, -0.28F, -0.16F, -0.05F, 0.08F, 0.2F, 0.32F};
    constexpr std::size_t kPlain = 3;
    const auto doublings = static_cast<std::size_t>(std::bit_width(std::max(count, 1U) - 1));
    const std::size_t step = std::min(doublings, dimmed ? kPlain : kSteps - 1);
    if (!(colour == colour_)) {
        colour_ = colour;
        steps_.fill(std::nullopt);
    }
    if (!steps_[step]) {
        const Rgba ink = paletteFor(ground_).strongest;
        const float share = kShares[step];
        steps_[step] = mixed(colour, share < 0 ? paletteFor(ground_).ground : ink, std::abs(share));
    }
    return *steps_[step];
}

/// Puts the parts in the order in which they begin.
void LaneMerge::begin() {
    colours_.clear();
    for (const Part& part : parts_) {
        const bool isKnown = std::find(colours_.begin(), colours_.end(), part.colour) != colours_.end();
        if (!isKnown) colours_.push_back(part.colour);
    }
    std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.from < b.from; });
    here_.clear();
    next_ = 0;
    if (!parts_.empty()) now_ = parts_.front().from;
}

/// The stretch from `now_` until any part begins or ends. False when there is none left.
bool LaneMerge::advance(Span& next) {
    std::erase_if(here_, [&](std::size_t i) { return parts_[i].to <= now_; });
    if (here_.empty()) {
        if (next_ == parts_.size()) return false;
        now_ = parts_[next_].from;
    }
    for (; next_ < parts_.size() && parts_[next_].from <= now_; ++next_) here_.push_back(next_);
    next.from = now_;
    next.to = next_ < parts_.size() ? parts_[next_].from : parts_[here_.front()].to;
    for (const std::size_t i : here_) next.to = std::min(next.to, parts_[i].to);
    next.stay = here_.size() == 1 ? parts_[here_.front()].stay : sim::Stay::kNone;
    next.colours.clear();
    for (const Rgba colour : colours_) {
        const auto has = [&](std::size_t i) { return parts_[i].colour == colour; };
        if (std::any_of(here_.begin(), here_.end(), has)) next.colours.push_back(colour);
    }
    now_ = next.to;
    return true;
}

}  // namespace whorl::scene
