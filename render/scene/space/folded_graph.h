// A folded graph: things that CPUs waited for, sorted and laid along consecutive diagonals of a square, so that
// thousands of them are seen at once as a surface whose height is what each cost, in cycles or any other unit. Here:
// what lies where; how it is drawn: folded_scene.h.
//
// Source: H. A. Goosen et al., "Chiron: Interactive 3D visualization of parallel program memory performance".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "render/scene/space/space_scene.h"
#include "sim/analysis/history.h"

namespace whorl::scene {

enum class NodeOrder : std::uint8_t {
    cost,     ///< descending by what the height is, then by index
    address,  ///< descending, then by descending index: source lines, which have no address, from the last to the first
};

/// A cell of the square.
struct Cell {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    bool operator==(const Cell&) const = default;
};

/// The side of the smallest square that holds `nodes` cells.
std::uint32_t foldedSide(std::size_t nodes);
/// Where the node of a rank lies in a square: rank 0 in the corner (0, 0), each diagonal from its first column on.
Cell foldedCell(std::size_t rank, std::uint32_t side);
/// The rank of the node in a cell: the inverse of foldedCell.
std::size_t foldedRank(Cell cell, std::uint32_t side);

/// Which node lies where, and how high. Immutable; the nodes that it was made from are not kept.
class FoldedGraph {
  public:
    FoldedGraph() = default;
    /// `lookUp`: the cycles that each access takes at least. They are no cost: only the wait for blocks is.
    FoldedGraph(std::span<const sim::CostNode> nodes, NodeOrder order, sim::Cycles lookUp = 0);
    /// The cost of each node is its value: a number of any unit.
    FoldedGraph(std::span<const sim::CostNode> nodes, NodeOrder order, std::span<const std::uint64_t> values);

    static constexpr std::uint32_t kNone = SpaceSurface::kNone;
    static constexpr std::size_t kPeaks = 4;
    struct Peak {
        std::uint32_t node;
        std::uint64_t cost;
    };

    std::size_t size() const { return nodes_; }
    std::uint32_t side() const { return side_; }
    NodeOrder order() const { return order_; }
    std::uint64_t peak() const { return peak_; }  ///< the cost of the most expensive node
    /// The most expensive nodes, at most kPeaks, down to where several would cost the same and not all have room;
    /// descending, then by index. At least one, unless there are no nodes.
    std::span<const Peak> peaks() const { return peaks_; }
    /// The node in a cell, kNone where there is none.
    std::uint32_t nodeAt(Cell cell) const { return nodeAt_[std::size_t{cell.row} * side_ + cell.column]; }
    std::uint32_t nodeOfRank(std::size_t rank) const { return nodeAt(foldedCell(rank, side_)); }
    Cell cellOf(std::uint32_t node) const { return {cellOf_[node] / side_, cellOf_[node] % side_}; }
    std::size_t rankOf(std::uint32_t node) const { return foldedRank(cellOf(node), side_); }
    /// The cost of the node in a cell, as a share of the peak; -1 where there is none.
    float shareAt(Cell cell) const { return shares_[std::size_t{cell.row} * side_ + cell.column]; }

    std::span<const float> shares() const { return shares_; }
    std::span<const std::uint32_t> nodesByCell() const { return nodeAt_; }

  private:
    std::size_t nodes_ = 0;
    std::uint32_t side_ = 0;
    NodeOrder order_ = NodeOrder::cost;
    std::uint64_t peak_ = 0;
    std::vector<Peak> peaks_;
    std::vector<float> shares_;          ///< row by row; -1 where there is no node
    std::vector<std::uint32_t> nodeAt_;  ///< row by row
    std::vector<std::uint32_t> cellOf_;  ///< by node: row * side + column
};

// Finds the part of a surface, such as that of a folded graph, under a pixel.

/// The node of the tile under a pixel (SpaceSurface::nodes). None beside the surface, or where there is no node.
std::optional<std::uint32_t> pickTile(const SpaceScene& scene, glm::vec2 pixel);
/// The node under a pixel: that whose name stands there, else that of the tile.
std::optional<std::uint32_t> pickNode(const SpaceScene& scene, glm::vec2 pixel);

}  // namespace whorl::scene
