#include "render/scene/space/block_view.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace whorl::scene {

namespace {

constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

std::size_t allStays(const sim::HistoryLevel& level, std::size_t block) {
    return level.staysEnd(block) - level.blocks[block].firstStay;
}

std::size_t staysDuring(const sim::HistoryLevel& level, std::size_t block, const Interval& during) {
    std::size_t count = 0;
    for (std::size_t i = level.blocks[block].firstStay; i < level.staysEnd(block); ++i) {
        const sim::Stay& s = level.stays[i];
        count += static_cast<double>(s.to) >= during.from && static_cast<double>(s.from) < during.to ? 1 : 0;
    }
    return count;
}

/// All blocks of a level, as indices into HistoryLevel::blocks.
std::vector<std::uint32_t> blocksOf(const sim::HistoryLevel& level) {
    std::vector<std::uint32_t> blocks(level.blocks.size());
    std::iota(blocks.begin(), blocks.end(), 0U);
    return blocks;
}

/// The members of `blocks` that get rows, from the bottom; staysIn(block) is the number of stays of a block.
template <class StaysIn>
std::vector<std::uint32_t> chosen(const sim::HistoryLevel& level, std::vector<std::uint32_t> blocks, BlockOrder order,
                                  std::size_t mostStays, const StaysIn& staysIn) {
    std::sort(blocks.begin(), blocks.end(), [&](std::uint32_t a, std::uint32_t b) {
        const sim::Cycles costA = level.blocks[a].cost;
        const sim::Cycles costB = level.blocks[b].cost;
        return costA != costB ? costA > costB : a > b;
    });
    std::size_t stays = 0;
    std::size_t count = 0;
    for (; count < blocks.size(); ++count) {
        stays += staysIn(blocks[count]);
        if (stays > mostStays && count >= BlockView::kFewestBlocks) break;
    }
    blocks.resize(count);
    if (order == BlockOrder::address) {
        std::sort(blocks.begin(), blocks.end());
    } else {
        std::reverse(blocks.begin(), blocks.end());
    }
    return blocks;
}

/// The blocks in ascending order, each once.
std::vector<std::uint32_t> ordered(std::vector<std::uint32_t> blocks) {
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
}

}  // namespace

BlockView::Chosen BlockView::of(const sim::HistoryLevel& level, std::vector<std::uint32_t> blocks, BlockOrder order,
                                std::size_t mostStays) {
    return {chosen(level, std::move(blocks), order, mostStays,
                   [&](std::uint32_t block) { return allStays(level, block); })};
}

BlockView::Chosen BlockView::during(const sim::HistoryLevel& level, BlockOrder order, const Interval& during,
                                    std::size_t mostStays) {
    std::vector<std::size_t> stays(level.blocks.size());
    for (std::size_t b = 0; b < stays.size(); ++b) stays[b] = staysDuring(level, b, during);
    std::vector<std::uint32_t> blocks = blocksOf(level);
    std::erase_if(blocks, [&](std::uint32_t b) { return stays[b] == 0; });
    return {chosen(level, std::move(blocks), order, mostStays, [&](std::uint32_t b) { return stays[b]; })};
}

BlockView::BlockView(const sim::HistoryLevel& level, sim::Cycles begin, sim::Cycles end, BlockOrder order,
                     std::size_t mostStays)
    : BlockView(level, begin, end, order, of(level, blocksOf(level), order, mostStays)) {}

BlockView::BlockView(const sim::HistoryLevel& level, sim::Cycles begin, sim::Cycles end, BlockOrder order,
                     const Interval& seen, std::size_t mostStays)
    : BlockView(level, begin, end, order, during(level, order, seen, mostStays)) {}

BlockView::BlockView(const sim::HistoryLevel& level, sim::Cycles begin, sim::Cycles end, BlockOrder order,
                     std::vector<std::uint32_t> blocks, std::size_t mostStays)
    : BlockView(level, begin, end, order, of(level, ordered(std::move(blocks)), order, mostStays)) {}

BlockView::BlockView(const sim::HistoryLevel& level, sim::Cycles begin, sim::Cycles end, BlockOrder order,
                     Chosen blocks)
    : level_(&level),
      begin_(begin),
      end_(std::max(end, begin + 1)),
      order_(order),
      blocks_(std::move(blocks.blocks)),
      rowOf_(level.blocks.size(), kNoRow) {
    firstStay_.reserve(blocks_.size() * level.caches);
    lastStay_.reserve(blocks_.size() * level.caches);
    for (std::uint32_t row = 0; row < rows(); ++row) {
        const std::uint32_t block = blocks_[row];
        rowOf_[block] = row;
        auto stay = level.blocks[block].firstStay;
        const auto blockEnd = static_cast<std::uint32_t>(level.staysEnd(block));
        for (std::uint32_t cache = 0; cache < level.caches; ++cache) {
            while (stay < blockEnd && level.stays[stay].cache < cache) ++stay;
            firstStay_.push_back(stay);
            while (stay < blockEnd && level.stays[stay].cache == cache) ++stay;
            lastStay_.push_back(stay);
        }
    }
}

std::optional<std::uint32_t> BlockView::rowOf(std::uint32_t block) const {
    if (block >= rowOf_.size() || rowOf_[block] == kNoRow) return std::nullopt;
    return rowOf_[block];
}

namespace {

constexpr float kDepth = 1.1F;  ///< greatest depth of all planes together
constexpr float kWidestSpacing = 0.2F;
constexpr float kThickest = 0.035F;     ///< greatest half thickness of a stay seen from aside
constexpr float kTurned = 0.3F;         ///< radians away from face on, where lanes have grown together
constexpr float kOfRow = 0.9F;          ///< share of a row's height for its lanes
constexpr float kOfLane = 0.84F;        ///< share of a lane's height for its stays
constexpr float kThinnestLane = 3;      ///< pixels
constexpr float kUsualNames = 8;        ///< usual width of the names of blocks, in heights of the text
constexpr float kBesideNames = 6.5F;    ///< room left and right beside those names, in heights of the text
constexpr float kAboveAndBelow = 6.5F;  ///< room above and below, in heights of the text

/// The height of a picture whose time axis is kLength long, so that it fills its room.
float heightFor(const BlockLook& look) {
    const float names = look.namesWidth > 0 ? look.namesWidth : kUsualNames * look.textSize;
    const float beside = BlockFrame::isNarrow(look) ? 2 : kBesideNames;
    const float wide = std::max(look.size.x - names - beside * look.textSize, 0.25F * look.size.x);
    const float high = std::max(look.size.y - kAboveAndBelow * look.textSize, 0.25F * look.size.y);
    return std::clamp(BlockFrame::kLength * high / wide, 0.25F, 6.0F);
}

/// 1 for an eye that looks straight along x, 0 for one kTurned away from that.
float flatnessFor(const SpaceCamera& camera) {
    if (camera.isFacing(Plane::yz)) return 1;
    const float turned = std::acos(std::min(std::abs(camera.toEye().x), 1.0F));
    const float share = std::clamp(1 - turned / kTurned, 0.0F, 1.0F);
    return std::min(share * share * (3 - 2 * share), 0.999F);
}

Interval rangeOf(const BlockView& view, const BlockLook& look) {
    Interval range = look.range.value_or(Interval{static_cast<double>(view.begin()), static_cast<double>(view.end())});
    range.to = std::max(range.to, range.from + 1);
    return range;
}

float mixed(float a, float b, float share) {
    return a + (b - a) * share;
}

}  // namespace

BlockFrame::BlockFrame(const BlockView& view, const BlockLook& look)
    : look_(&look),
      range_(rangeOf(view, look)),
      whole_(static_cast<double>(view.end() - view.begin())),
      planes_(std::max(view.planes(), 1U)),
      perCycle_(double{kLength} / range_.length()),
      height_(heightFor(look)),
      spacing_(std::min(kWidestSpacing, kDepth / static_cast<float>(planes_))),
      flatness_(flatnessFor(look.camera)) {
    divideRows(view);
}

void BlockFrame::divideRows(const BlockView& view) {
    const std::uint32_t all = view.rows();
    const RowSpan span = look_->rows.value_or(RowSpan{});
    const auto rows = static_cast<double>(all);
    // Rounding errors must not add a row.
    const auto first = static_cast<std::uint32_t>(std::clamp(std::floor(span.from * rows + 1e-6), 0.0, rows));
    const auto last = static_cast<std::uint32_t>(std::clamp(std::ceil(span.to * rows - 1e-6), 0.0, rows));
    endRow_ = all - std::min(first, all > 0 ? all - 1 : 0);
    firstRow_ = std::min(all - std::max(last, first), endRow_ > 0 ? endRow_ - 1 : 0);
    rowHeight_ = height_ / static_cast<float>(std::max(rowsShown(), 1U));
    half_ = std::min({0.4F * rowHeight_, 0.3F * spacing_, kThickest});

    std::uint32_t shown = 0;
    for (std::uint32_t cache = 0; cache < planes_; ++cache) shown += showsCache(cache) ? 1 : 0;
    lanes_ = std::max(shown, 1U);
    const float pixels = look_->camera.pixelsPerUnit(look_->size);
    merges_ = isFlat() && lanes_ > 1 && kOfRow * rowHeight_ * pixels < kThinnestLane * static_cast<float>(lanes_);
    if (merges_) lanes_ = 1;
    laneHeight_ = kOfRow * rowHeight_ / static_cast<float>(lanes_);
    // A row of one lane has room for the lane alone.
    halfHigh_ = mixed(half_, kOfLane * laneHeight_ / 2, flatness_);
}

float BlockFrame::laneOf(std::uint32_t cache) const {
    if (merges_ || flatness_ == 0) return 0;
    const auto before = static_cast<float>(cache < 64 ? std::popcount(look_->caches & ((std::uint64_t{1} << cache) - 1))
                                                      : static_cast<int>(cache));
    return flatness_ * laneHeight_ * ((static_cast<float>(lanes_) - 1) / 2 - before);
}

Extent BlockFrame::extent() const {
    const float depth = static_cast<float>(planes_ - 1) * spacing_ / 2 + half_;
    return {{-depth, -height_ / 2, -kLength / 2}, {depth, height_ / 2, kLength / 2}};
}

Extent BlockFrame::around() const {
    Extent around = extent();
    around.low -= glm::vec3(0.1F);
    around.high += glm::vec3(0.1F);
    return around;
}

bool BlockFrame::shows(const sim::Stay& stay) const {
    const auto from = static_cast<double>(stay.from);
    const auto to = static_cast<double>(stay.to);
    if (to < range_.from || from > range_.to) return false;
    // A stay that only touches the range from outside does not overlap it.
    if ((to == range_.from && from < to) || (from == range_.to && to > from)) return false;
    switch (stay.leaving) {
        case sim::Leaving::invalidated:
            return look_->coherence;
        case sim::Leaving::replaced:
            return look_->replacement;
        default:
            return look_->other;
    }
}

Interval BlockFrame::partOf(const sim::Stay& stay) const {
    const double from = std::clamp(static_cast<double>(stay.from), range_.from, range_.to);
    return {from, std::clamp(static_cast<double>(stay.to), from, range_.to)};
}

}  // namespace whorl::scene
