#include "render/scene/space/block_view.h"

#include <algorithm>
#include <numeric>

namespace whorl::scene {

namespace {

constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

std::size_t staysIn(const sim::HistoryLevel& level, std::size_t block) {
    return level.staysEnd(block) - level.blocks[block].firstStay;
}

/// The blocks that have rows, from the bottom.
std::vector<std::uint32_t> chosen(const sim::HistoryLevel& level, BlockOrder order, std::size_t mostStays) {
    std::vector<std::uint32_t> blocks(level.blocks.size());
    std::iota(blocks.begin(), blocks.end(), 0U);
    std::sort(blocks.begin(), blocks.end(), [&](std::uint32_t a, std::uint32_t b) {
        const sim::Cycles costA = level.blocks[a].cost;
        const sim::Cycles costB = level.blocks[b].cost;
        return costA != costB ? costA > costB : a > b;
    });
    std::size_t stays = 0;
    std::size_t count = 0;
    for (; count < blocks.size(); ++count) {
        stays += staysIn(level, blocks[count]);
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

}  // namespace

BlockView::BlockView(const sim::HistoryLevel& level, sim::Cycles begin, sim::Cycles end, BlockOrder order,
                     std::size_t mostStays)
    : level_(&level),
      begin_(begin),
      end_(std::max(end, begin + 1)),
      order_(order),
      blocks_(chosen(level, order, mostStays)),
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

std::pair<std::uint32_t, std::uint32_t> BlockView::changesOf(std::uint32_t stay) const {
    const std::vector<sim::Change>& changes = level_->changes;
    const auto before = [](const sim::Change& c, std::uint32_t s) { return c.stay < s; };
    const auto first = std::lower_bound(changes.begin(), changes.end(), stay, before);
    auto last = first;
    while (last != changes.end() && last->stay == stay) ++last;
    return {static_cast<std::uint32_t>(first - changes.begin()), static_cast<std::uint32_t>(last - changes.begin())};
}

}  // namespace whorl::scene
