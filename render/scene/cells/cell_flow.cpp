#include "render/scene/cells/cell_flow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace whorl::scene {

namespace {

constexpr std::array kPixels{1,  2,  3,  4,  5,  6,  8,  10,  12,  16,  20,  24,  28,
                             32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256};
static_assert(kPixels.back() == CellScale::kMaxPixels);

constexpr int kMinGutter = 3;
constexpr int kMaxHeight = INT32_MAX / 2;

std::uint32_t folded(std::uint32_t rows, int fold) {
    return (rows + (1u << fold) - 1) >> fold;
}

}  // namespace

CellScale CellScale::larger() const {
    if (fold > 0) return {1, fold - 1};
    const auto next = std::upper_bound(kPixels.begin(), kPixels.end(), pixels);
    return {next == kPixels.end() ? kMaxPixels : *next, 0};
}

CellScale CellScale::smaller() const {
    if (fold > 0 || pixels <= 1) return {1, std::min(fold + 1, kMaxFold)};
    return {*std::prev(std::lower_bound(kPixels.begin(), kPixels.end(), pixels)), 0};
}

double CellScale::size() const {
    return pixels / std::exp2(fold);
}

CellFlow::CellFlow(const CellGroups& groups, std::vector<std::uint32_t> order, CellScale scale, const FlowLook& look)
    : scale_(scale), columns_(groups.columns), firstRun_(groups.groups.size(), ~std::uint32_t{0}) {
    const int width = rowWidth();
    // Narrow columns of what is folded would leave most of the picture empty.
    const int gutter = scale.fold == 0 ? look.gutter : std::min(look.gutter, std::max(kMinGutter, width / 4));
    if (look.stack > 0 || 2 * width + gutter <= look.room.x) {
        stride_ = width + gutter;
        columnHeight_ = std::max(look.room.y, look.title + scale.pixels);
    }
    if (look.stack > 0) {
        int highest = 1;
        for (const CellGroup& g : groups.groups) highest = std::max(highest, heightOf(g, look));
        const std::int64_t all = std::int64_t{look.stack} * (highest + look.gap) - look.gap;
        columnHeight_ = static_cast<int>(std::min<std::int64_t>(all, kMaxHeight));
    }
    isInOrder_ = order.empty();
    Pen pen;
    const std::size_t count = order.empty() ? groups.groups.size() : order.size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto group = order.empty() ? static_cast<std::uint32_t>(i) : order[i];
        place(group, groups.groups[group], look, pen);
    }
    size_ = {stride_ == 0 ? width : pen.column * stride_ + width,
             stride_ == 0 || pen.column == 0 ? pen.y : columnHeight_};
}

/// Height of a group with its title, without the gap above, pixels.
int CellFlow::heightOf(const CellGroup& g, const FlowLook& look) const {
    const std::int64_t rows = std::int64_t{folded(g.rows, scale_.fold)} * scale_.pixels;
    return static_cast<int>(std::min<std::int64_t>(rows, kMaxHeight)) + (g.title.empty() ? 0 : look.title);
}

void CellFlow::place(std::uint32_t group, const CellGroup& g, const FlowLook& look, Pen& pen) {
    const bool isFirst = pen.y == 0;
    // Groups without titles that lie next to each other in memory do so in the picture.
    const bool isJoined = isInOrder_ && g.title.empty() && !g.isAfterGap;
    const int gap = isFirst || isJoined ? 0 : look.gap;
    const int above = gap + (g.title.empty() ? 0 : look.title);
    const std::uint32_t rows = folded(g.rows, scale_.fold);
    const auto roomBelow = [&] { return stride_ == 0 ? kMaxHeight : columnHeight_ - pen.y; };
    const auto nextColumn = [&] {
        ++pen.column;
        pen.y = 0;
    };
    // A group that fits into a column is not cut.
    const std::int64_t height = std::int64_t{rows} * scale_.pixels + above;
    const bool isCut = height > roomBelow();
    if (!isFirst && isCut && (height <= columnHeight_ || above + scale_.pixels > roomBelow())) nextColumn();
    const int start = pen.y;
    if (pen.y > 0) pen.y += gap;
    const int titleY = g.title.empty() ? -1 : pen.y;
    if (titleY >= 0) pen.y += look.title;
    firstRun_[group] = static_cast<std::uint32_t>(runs_.size());
    for (std::uint32_t row = 0; row < rows;) {
        const auto most = static_cast<std::uint32_t>(std::max(0, roomBelow() / scale_.pixels));
        if (most == 0) {
            nextColumn();
            continue;
        }
        const std::uint32_t take = std::min(rows - row, most);
        runs_.push_back({.group = group,
                         .firstRow = row,
                         .rows = take,
                         .at = {pen.column * stride_, pen.y},
                         .titleY = row == 0 ? titleY : -1,
                         .isGap = row == 0 && g.isAfterGap && start > 0 && isInOrder_});
        row += take;
        pen.y += static_cast<int>(take) * scale_.pixels;
        if (row < rows) nextColumn();
    }
}

int CellFlow::rowWidth() const {
    return static_cast<int>(std::max(1u, columns_ >> scale_.fold)) * scale_.pixels;
}

PixelBox CellFlow::boxOf(const Run& run) const {
    return {run.at, run.at + glm::ivec2(rowWidth(), static_cast<int>(run.rows) * scale_.pixels)};
}

std::optional<PixelBox> CellFlow::boxOf(const CellPlace& place) const {
    if (place.group >= firstRun_.size() || firstRun_[place.group] == ~std::uint32_t{0}) return std::nullopt;
    const std::uint32_t row = place.row >> scale_.fold;
    for (std::size_t r = firstRun_[place.group]; r < runs_.size() && runs_[r].group == place.group; ++r) {
        const Run& run = runs_[r];
        if (row < run.firstRow || row >= run.firstRow + run.rows) continue;
        const glm::ivec2 at =
            run.at + glm::ivec2(static_cast<int>(place.column >> scale_.fold), static_cast<int>(row - run.firstRow)) *
                         scale_.pixels;
        return PixelBox{at, at + scale_.pixels};
    }
    return std::nullopt;
}

std::optional<CellPlace> CellFlow::at(glm::ivec2 p) const {
    for (const Run& run : runs_) {
        if (!boxOf(run).contains(p)) continue;
        const glm::ivec2 cell = (p - run.at) / scale_.pixels;
        return CellPlace{run.group, (run.firstRow + static_cast<std::uint32_t>(cell.y)) << scale_.fold,
                         static_cast<std::uint32_t>(cell.x) << scale_.fold};
    }
    return std::nullopt;
}

CellFit fitOf(const CellGroups& groups, const FlowLook& look, int mostPixels) {
    const auto fits = [&](const CellFit& fit) {
        FlowLook wanted = look;
        wanted.stack = fit.stack;
        const glm::ivec2 size = CellFlow(groups, {}, fit.scale, wanted).size();
        return size.x <= look.room.x && size.y <= look.room.y;
    };
    const auto fitting = [&](int stack) {
        CellFit fit{{mostPixels, 0}, stack};
        while (!fits(fit) && fit.scale.smaller() != fit.scale) fit.scale = fit.scale.smaller();
        if (fit.scale.fold > 0) return fit;
        // The best size may lie between two steps of the zoom.
        while (fit.scale.pixels < mostPixels && fits({{fit.scale.pixels + 1, 0}, stack})) ++fit.scale.pixels;
        return fit;
    };
    constexpr std::size_t kMaxWhole = 64;  // groups
    const CellFit cut = fitting(0);
    if (groups.groups.size() > kMaxWhole) return cut;
    constexpr double kLarger = 1.25;
    CellFit whole = fitting(1);
    double last = whole.scale.size();
    for (int stack = 2; stack <= static_cast<int>(groups.groups.size()); ++stack) {
        const CellFit next = fitting(stack);
        if (next.scale.size() < last) break;  // more breadth no longer makes up for the lost height
        last = next.scale.size();
        if (last >= kLarger * whole.scale.size()) whole = next;
    }
    return 3 * whole.scale.size() >= 2 * cut.scale.size() ? whole : cut;
}

}  // namespace whorl::scene
