#include "render/scene/cells/cell_flow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <iterator>
#include <numeric>

#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

constexpr std::array kPixels{1,  2,  3,  4,  5,  6,  8,  10,  12,  16,  20,  24,  28,
                             32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256};
static_assert(kPixels.back() == CellScale::kMaxPixels);

constexpr int kMinGutter = 3;

std::uint32_t folded(std::uint64_t n, int fold) {
    return static_cast<std::uint32_t>((n + (std::uint64_t{1} << fold) - 1) >> fold);
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

glm::ivec2 CellFit::cellAt(const CellScale& other) const {
    if (other.fold > 0 || width == 0 || scale.fold > 0) return glm::ivec2(other.pixels);
    return {std::max(1, (2 * other.pixels * width + scale.pixels) / (2 * scale.pixels)), other.pixels};
}

double CellFit::area() const {
    const glm::ivec2 cell = cellAt(scale);
    return cell.x * cell.y / std::exp2(2 * scale.fold);
}

struct CellFlow::Chain {
    struct Part {
        std::uint32_t group = 0;
        std::uint32_t rows = 0;  ///< of pixels, as all here
        std::uint32_t firstColumn = 0;
        std::uint32_t columns = 0;
        bool isGap = false;
        int gap = 0;  ///< before it
    };
    const std::string* title = nullptr;
    std::vector<Part> parts;
    std::uint32_t rows = 0;
    int width = 0;         ///< of all parts beside each other
    bool isWords = false;  ///< all of less than a row, beside each other
};

CellFlow::CellFlow(const CellGroups& groups, std::vector<std::uint32_t> order, CellScale scale, const FlowLook& look)
    : scale_(scale),
      cell_(look.fit.cellAt(scale)),
      columns_(std::max(1u, groups.columns >> scale.fold)),
      isInOrder_(order.empty()),
      firstRun_(groups.groups.size(), ~std::uint32_t{0}) {
    const int row = static_cast<int>(columns_) * cell_.x;
    // Narrow strips of what is folded would leave most of the picture empty.
    gutter_ = scale.fold == 0 ? look.gutter : std::min(look.gutter, std::max(kMinGutter, row / 4));
    // Between the pixels of what is folded there is no room.
    between_ = scale.fold > 0 ? 0 : std::clamp(cell_.y, std::min(1, look.gap), std::max(2, look.gap));
    strips_ = std::max({1, look.fit.strips, (look.room.x + gutter_) / (row + gutter_)});
    wide_ = std::max(look.room.x, look.fit.strips * (row + gutter_) - gutter_);
    if (isInOrder_) {
        order.resize(groups.groups.size());
        std::iota(order.begin(), order.end(), 0u);
    }
    Pen pen;
    for (std::size_t i = 0; i < order.size();) {
        const Chain chain = chainFrom(groups, order, i);
        place(chain, look, pen);
        i += chain.parts.size();
    }
}

CellFlow::Chain CellFlow::chainFrom(const CellGroups& groups, const std::vector<std::uint32_t>& order,
                                    std::size_t first) const {
    Chain chain;
    chain.title = &groups.groups[order[first]].title;
    std::uint64_t cells = 0;
    bool isGathered = true;
    for (std::size_t i = first; i < order.size(); ++i) {
        const CellGroup& g = groups.groups[order[i]];
        if (i > first && !g.title.empty()) break;
        const bool isNarrow = g.rows == 1 && g.firstCell + g.cells <= groups.columns;
        const auto left = isNarrow ? static_cast<std::uint32_t>(g.firstCell >> scale_.fold) : 0;
        const auto right = isNarrow ? std::min(columns_, folded(g.firstCell + g.cells, scale_.fold)) : columns_;
        const std::uint32_t begin = std::min(left, right - 1);
        const bool isApart = i > first && (!isInOrder_ || g.isAfterGap || g.isGathered);
        chain.parts.push_back({.group = order[i],
                               .rows = folded(g.rows, scale_.fold),
                               .firstColumn = begin,
                               .columns = right - begin,
                               .isGap = i > first && g.isAfterGap && isInOrder_,
                               .gap = isApart ? between_ : 0});
        chain.rows += chain.parts.back().rows;
        chain.width += chain.parts.back().gap + static_cast<int>(chain.parts.back().columns) * cell_.x;
        cells += isNarrow ? g.cells : std::uint64_t{groups.columns} + 1;
        isGathered = isGathered && g.isGathered && isNarrow;
    }
    chain.isWords = isGathered || cells < groups.columns;
    return chain;
}

/// Puts a chain beside the one before it if it has room there, else into the next line.
void CellFlow::place(const Chain& chain, const FlowLook& look, Pen& pen) {
    const int stride = static_cast<int>(columns_) * cell_.x + gutter_;
    const std::uint32_t cut = chain.isWords || look.fit.cut == 0 ? chain.rows : look.fit.cut;
    const int strips = std::min(static_cast<int>((chain.rows - 1) / cut) + 1, strips_);
    const int cells = chain.isWords ? chain.width : strips * stride - gutter_;
    const auto text = static_cast<int>(std::ceil(look.text > 0 ? widthOf(*chain.title, look.text) : 0));
    const int width = std::min(std::max(cells, text), std::max(wide_, 1));
    // What is below each other is in the same columns.
    int x = chain.isWords ? pen.x : (pen.x + stride - 1) / stride * stride;
    if (x > 0 && x + width > wide_) {
        pen.y = pen.bottom + look.gap;
        x = 0;
    }
    const std::size_t first = runs_.size();
    const int title = chain.title->empty() ? 0 : look.title;
    const glm::ivec2 at(x, pen.y + title);
    if (chain.isWords) {
        putWords(chain, at);
    } else {
        putStrips(chain, strips, at);
    }
    if (title > 0) {
        runs_[first].titleY = pen.y;
        runs_[first].titleWidth = width;
        size_ = glm::max(size_, glm::ivec2(x + width, at.y));
    }
    for (std::size_t r = first; r < runs_.size(); ++r) size_ = glm::max(size_, boxOf(runs_[r]).high);
    for (std::size_t r = first; r < runs_.size(); ++r) pen.bottom = std::max(pen.bottom, boxOf(runs_[r]).high.y);
    pen.x = x + width + gutter_;
}

void CellFlow::put(const Run& run) {
    if (run.firstRow == 0) firstRun_[run.group] = static_cast<std::uint32_t>(runs_.size());
    runs_.push_back(run);
}

/// The groups of a chain beside each other, in as many lines as they need.
void CellFlow::putWords(const Chain& chain, glm::ivec2 at) {
    glm::ivec2 pen = at;
    for (const Chain::Part& part : chain.parts) {
        const int width = static_cast<int>(part.columns) * cell_.x;
        if (pen.x > at.x && pen.x + part.gap + width > wide_) {
            pen = {at.x, pen.y + cell_.y + between_};
        } else {
            pen.x += part.gap;
        }
        put({.group = part.group,
             .rows = part.rows,
             .firstColumn = part.firstColumn,
             .columns = part.columns,
             .at = {pen.x - static_cast<int>(part.firstColumn) * cell_.x, pen.y},
             .isGap = part.isGap});
        pen.x += width;
    }
}

/// The rows of a chain below each other, in strips of as many rows: the same ones at any size of the cells.
void CellFlow::putStrips(const Chain& chain, int strips, glm::ivec2 at) {
    const auto most = static_cast<std::uint32_t>(INT32_MAX / 2 / cell_.y);
    const auto across = static_cast<std::uint32_t>(strips);
    const std::uint32_t each = std::min(most, (chain.rows + across - 1) / across);
    std::uint32_t room = each;
    glm::ivec2 pen = at;
    for (const Chain::Part& part : chain.parts) {
        for (std::uint32_t row = 0; row < part.rows;) {
            if (room == 0) {
                pen = {pen.x + static_cast<int>(columns_) * cell_.x + gutter_, at.y};
                room = each;
            }
            const int gap = row == 0 && pen.y > at.y ? part.gap : 0;
            // The title stands above column 0.
            const std::uint32_t left = pen == at ? 0 : part.firstColumn;
            const std::uint32_t take = std::min(part.rows - row, room);
            pen.y += gap;
            put({.group = part.group,
                 .firstRow = row,
                 .rows = take,
                 .firstColumn = left,
                 .columns = part.firstColumn + part.columns - left,
                 .at = pen,
                 .isGap = part.isGap && gap > 0});
            row += take;
            room -= take;
            pen.y += static_cast<int>(take) * cell_.y;
        }
    }
}

PixelBox CellFlow::boxOf(const Run& run) const {
    const glm::ivec2 low = run.at + glm::ivec2(static_cast<int>(run.firstColumn) * cell_.x, 0);
    return {low, low + glm::ivec2(run.columns, run.rows) * cell_};
}

std::optional<PixelBox> CellFlow::boxOf(const CellPlace& place) const {
    if (place.group >= firstRun_.size() || firstRun_[place.group] == ~std::uint32_t{0}) return std::nullopt;
    const std::uint32_t row = place.row >> scale_.fold;
    for (std::size_t r = firstRun_[place.group]; r < runs_.size() && runs_[r].group == place.group; ++r) {
        const Run& run = runs_[r];
        if (row < run.firstRow || row >= run.firstRow + run.rows) continue;
        const glm::ivec2 at = run.at + glm::ivec2(place.column >> scale_.fold, row - run.firstRow) * cell_;
        return PixelBox{at, at + cell_};
    }
    return std::nullopt;
}

std::optional<CellPlace> CellFlow::at(glm::ivec2 p) const {
    for (const Run& run : runs_) {
        if (!boxOf(run).contains(p)) continue;
        const glm::uvec2 cell((p - run.at) / cell_);
        return CellPlace{run.group, (run.firstRow + cell.y) << scale_.fold, cell.x << scale_.fold};
    }
    return std::nullopt;
}

namespace {

class Fitting {
  public:
    Fitting(const CellGroups& groups, const FlowLook& look, int mostPixels, int widest)
        : groups_(groups), look_(look), most_(mostPixels), widest_(widest) {}

    CellFit best() {
        const double room = static_cast<double>(look_.room.x) * look_.room.y;
        CellFit best{{1, 1}};
        for (int strips = 1;; ++strips) {
            const int width = std::min(most_, ((look_.room.x + look_.gutter) / strips - look_.gutter) / columns());
            if (width < 1 || (best.scale.fold == 0 && width <= best.scale.pixels)) break;
            const int least = (width + widest_ - 1) / widest_;
            // Without room for the cells alone, there is none with their titles.
            if (width > 1 && cells() * width * least > room) continue;
            for (const std::uint32_t cut : kCuts) {
                const int across = (look_.room.x + look_.gutter) / (width * columns() + look_.gutter);
                const CellFit fit = highest({{1, 0}, width, std::max(strips, across), cut});
                if (fit.scale.fold == 0 && (best.scale.fold > 0 || fit.scale.pixels > best.scale.pixels)) best = fit;
                if (fit.scale.fold == 0 && fit.scale.pixels >= least) return fit;
                if (strips == 1) break;
            }
        }
        return best.scale.fold == 0 ? best : smallest();
    }

  private:
    /// Rows of pixels from which groups are cut into strips.
    static constexpr std::array<std::uint32_t, 6> kCuts{0, 64, 24, 12, 6, 3};

    int columns() const { return static_cast<int>(groups_.columns); }

    double cells() const {
        double sum = 0;
        for (const CellGroup& g : groups_.groups) {
            sum += static_cast<double>(g.rows == 1 ? g.cells : std::uint64_t{g.rows} * groups_.columns);
        }
        return sum;
    }

    bool fits(const CellFit& fit) const {
        FlowLook look = look_;
        look.fit = fit;
        const glm::ivec2 size = CellFlow(groups_, {}, fit.scale, look).size();
        return size.x <= look.room.x && size.y <= look.room.y;
    }

    /// With the highest cells that fit; folded if there are none.
    CellFit highest(CellFit fit) const {
        if (!fits(fit)) return {{1, 1}};
        int most = fit.width;
        while (fit.scale.pixels < most) {
            const int middle = (fit.scale.pixels + most + 1) / 2;
            CellFit next = fit;
            next.scale.pixels = middle;
            if (fits(next)) {
                fit = next;
            } else {
                most = middle - 1;
            }
        }
        return fit;
    }

    CellFit smallest() const {
        CellFit fit{{1, 1}, 0, 1, 0};
        for (;; fit.scale = fit.scale.smaller()) {
            for (const std::uint32_t cut : kCuts) {
                fit.cut = cut;
                if (fits(fit)) return fit;
            }
            if (fit.scale.smaller() == fit.scale) return fit;
        }
    }

    const CellGroups& groups_;
    const FlowLook& look_;
    int most_;
    int widest_;
};

}  // namespace

CellFit fitOf(const CellGroups& groups, const FlowLook& look, int mostPixels, int widest) {
    return Fitting(groups, look, mostPixels, widest).best();
}

}  // namespace whorl::scene
