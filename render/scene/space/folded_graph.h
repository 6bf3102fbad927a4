// A folded graph: things that cost cycles, sorted and laid along consecutive diagonals of a square, so that thousands
// of them are seen at once as a surface whose height is what each cost.
//
// Source: H. A. Goosen et al., "Chiron: Interactive 3D visualization of parallel program memory performance".
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/scene/space/space_look.h"
#include "render/scene/space/space_scene.h"
#include "sim/analysis/history.h"

namespace whorl::scene {

enum class NodeOrder : std::uint8_t {
    cost,     ///< falling, then by index
    address,  ///< falling, then by falling index: lines, which have no address, from the last to the first
};

/// A cell of the square.
struct Cell {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    bool operator==(const Cell&) const = default;
};

/// The smallest square that holds so many nodes: the length of its side.
std::uint32_t foldedSide(std::size_t nodes);
/// Where the node of a rank lies in a square: rank 0 in the corner (0, 0), each diagonal from its first column on.
Cell foldedCell(std::size_t rank, std::uint32_t side);
/// The other way round.
std::size_t foldedRank(Cell cell, std::uint32_t side);

/// Which node lies where, and how high. Never changes; the nodes that it was made from are not kept.
class FoldedGraph {
  public:
    FoldedGraph() = default;
    FoldedGraph(std::span<const sim::CostNode> nodes, NodeOrder order);

    static constexpr std::uint32_t kNone = SpaceSurface::kNone;
    static constexpr std::size_t kPeaks = 4;
    struct Peak {
        std::uint32_t node;
        sim::Cycles cycles;
    };

    std::size_t size() const { return nodes_; }
    std::uint32_t side() const { return side_; }
    NodeOrder order() const { return order_; }
    sim::Cycles peak() const { return peak_; }  ///< what the most expensive node cost
    /// The most expensive nodes, at most kPeaks, that no other node equals: falling, then by index; the first always.
    /// Empty when there are no nodes.
    std::span<const Peak> peaks() const { return peaks_; }
    /// The node in a cell, kNone where there is none.
    std::uint32_t nodeAt(Cell cell) const { return nodeAt_[std::size_t{cell.row} * side_ + cell.column]; }
    std::uint32_t nodeOfRank(std::size_t rank) const { return nodeAt(foldedCell(rank, side_)); }
    Cell cellOf(std::uint32_t node) const { return {cellOf_[node] / side_, cellOf_[node] % side_}; }
    std::size_t rankOf(std::uint32_t node) const { return foldedRank(cellOf(node), side_); }
    /// What the node in a cell cost, as a share of the peak; -1 where there is none.
    float shareAt(Cell cell) const { return shares_[std::size_t{cell.row} * side_ + cell.column]; }

    std::span<const float> shares() const { return shares_; }
    std::span<const std::uint32_t> nodesByCell() const { return nodeAt_; }

  private:
    std::size_t nodes_ = 0;
    std::uint32_t side_ = 0;
    NodeOrder order_ = NodeOrder::cost;
    sim::Cycles peak_ = 0;
    std::vector<Peak> peaks_;
    std::vector<float> shares_;          ///< row by row; -1 where there is no node
    std::vector<std::uint32_t> nodeAt_;  ///< row by row
    std::vector<std::uint32_t> cellOf_;  ///< by node: row * side + column
};

/// How a folded graph is looked at.
struct FoldedLook : SpaceLook {
    /// Nodes that stand out, in one colour.
    struct Highlight {
        std::vector<std::uint32_t> nodes;
        Rgba colour;
    };

    float height = 1;  ///< the highest is half as high as the square is wide, times this
    /// What costs so much would be the highest, if no node costs more: to compare it with another graph.
    sim::Cycles full = 0;
    std::shared_ptr<const std::vector<Rgba>> colours;  ///< by node; none, or transparent: the colour of nodes
    std::vector<Highlight> highlights;                 ///< later ones lie over earlier ones
    std::optional<std::uint32_t> picked;
    Rgba pickedColour;  ///< SpacePalette's source or object
    /// What a node is called, for the peaks. None: they are not called.
    std::function<std::string(std::uint32_t)> nameOf;
};

/// The world's box around a folded graph: a square of side 1 around the origin, and the height of the highest.
Extent extentOf(const FoldedGraph& graph, const FoldedLook& look);
/// How high the peak is in the world.
float heightOfPeak(const FoldedGraph& graph, const FoldedLook& look);
/// The default camera, with the whole graph in the picture.
SpaceCamera homeCamera(const FoldedGraph& graph, const FoldedLook& look, SpaceCamera from = foldedCamera());
/// The picture. Nodes smaller than about three pixels are gathered into tiles: each is as high as the highest of its
/// nodes, which lends it its colour unless one of them is picked or stands out. A function of its arguments alone.
SpaceScene foldedScene(const FoldedGraph& graph, const FoldedLook& look);
/// The node under a pixel: of a tile the one that it shows. None beside the surface, or where no node is.
std::optional<std::uint32_t> pickNode(const SpaceScene& scene, glm::vec2 pixel);

}  // namespace whorl::scene
