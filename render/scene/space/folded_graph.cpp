#include "render/scene/space/folded_graph.h"

#include <algorithm>
#include <cmath>

namespace whorl::scene {

namespace {

/// The largest d with d (d + 1) / 2 <= rank.
std::size_t diagonalOf(std::size_t rank) {
    auto d = static_cast<std::size_t>((std::sqrt(8.0 * static_cast<double>(rank) + 1) - 1) / 2);
    while (d * (d + 1) / 2 > rank) --d;
    while ((d + 1) * (d + 2) / 2 <= rank) ++d;
    return d;
}

std::vector<std::uint32_t> sorted(std::span<const sim::CostNode> nodes, NodeOrder order, sim::Cycles lookUp) {
    struct Key {
        std::uint64_t value;
        std::uint32_t node;
    };
    std::vector<Key> keys(nodes.size());
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        keys[i] = {order == NodeOrder::cost ? nodes[i].waited(lookUp) : nodes[i].address.value, i};
    }
    std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
        if (a.value != b.value) return a.value > b.value;
        return order == NodeOrder::cost ? a.node < b.node : a.node > b.node;
    });
    std::vector<std::uint32_t> out(keys.size());
    std::transform(keys.begin(), keys.end(), out.begin(), [](const Key& k) { return k.node; });
    return out;
}

}  // namespace

std::uint32_t foldedSide(std::size_t nodes) {
    auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(nodes)));
    while (side * side < nodes) ++side;
    while (side > 0 && (side - 1) * (side - 1) >= nodes) --side;
    return static_cast<std::uint32_t>(side);
}

Cell foldedCell(std::size_t rank, std::uint32_t side) {
    const std::size_t cells = std::size_t{side} * side;
    const bool beyond = rank >= std::size_t{side} * (side + std::size_t{1}) / 2;
    // The second half is the first, turned about the middle.
    const std::size_t mirrored = beyond ? cells - 1 - rank : rank;
    const std::size_t diagonal = diagonalOf(mirrored);
    const auto column = static_cast<std::uint32_t>(mirrored - diagonal * (diagonal + 1) / 2);
    const auto row = static_cast<std::uint32_t>(diagonal) - column;
    return beyond ? Cell{side - 1 - row, side - 1 - column} : Cell{row, column};
}

std::size_t foldedRank(Cell cell, std::uint32_t side) {
    const std::size_t diagonal = std::size_t{cell.row} + cell.column;
    if (diagonal < side) return diagonal * (diagonal + 1) / 2 + cell.column;
    return std::size_t{side} * side - 1 - foldedRank({side - 1 - cell.row, side - 1 - cell.column}, side);
}

FoldedGraph::FoldedGraph(std::span<const sim::CostNode> nodes, NodeOrder order, sim::Cycles lookUp)
    : nodes_(nodes.size()),
      side_(foldedSide(nodes.size())),
      order_(order),
      shares_(std::size_t{side_} * side_, -1.0F),
      nodeAt_(std::size_t{side_} * side_, kNone),
      cellOf_(nodes.size()) {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        const sim::Cycles cost = nodes[i].waited(lookUp);
        const auto isLess = [&](const Peak& p) { return p.cycles < cost; };
        if (peaks_.size() > kPeaks && !isLess(peaks_.back())) continue;
        if (peaks_.size() > kPeaks) peaks_.pop_back();
        peaks_.insert(std::find_if(peaks_.begin(), peaks_.end(), isLess), {i, cost});
    }
    if (!peaks_.empty()) peak_ = peaks_.front().cycles;
    // Nodes of equal cost are all peaks or none; only the first node is always one.
    if (peaks_.size() > kPeaks) {
        const sim::Cycles next = peaks_.back().cycles;
        while (peaks_.size() > 1 && peaks_.back().cycles == next) peaks_.pop_back();
    }
    const double unit = peak_ == 0 ? 0 : 1 / static_cast<double>(peak_);
    std::size_t rank = 0;
    for (const std::uint32_t node : sorted(nodes, order, lookUp)) {
        const Cell cell = foldedCell(rank++, side_);
        const std::uint32_t at = cell.row * side_ + cell.column;
        nodeAt_[at] = node;
        cellOf_[node] = at;
        shares_[at] = static_cast<float>(static_cast<double>(nodes[node].waited(lookUp)) * unit);
    }
}

}  // namespace whorl::scene
