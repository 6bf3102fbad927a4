#include "render/scene/space/block_view.h"

#include <algorithm>
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

}  // namespace whorl::scene
