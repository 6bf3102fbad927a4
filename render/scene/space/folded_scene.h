// The picture of a folded graph: a surface over a square, the scale and the names of the peaks.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/space/folded_graph.h"
#include "render/scene/space/space_scene.h"

namespace whorl::scene {

/// How a folded graph is looked at.
struct FoldedLook : SpaceLook {
    /// Nodes that are highlighted in one colour.
    struct Highlight {
        std::vector<std::uint32_t> nodes;
        Rgba colour;
    };

    std::string key;  ///< beside the title, where there is room: what the height is
    /// What the colours mean, under the title: pieces of text, each in its colour.
    struct Piece {
        std::string words;
        Rgba colour;
    };
    std::vector<Piece> colourKey;
    float height = 1;  ///< at 1 the peak is half as high as the square is wide
    /// The cost that has the full height, if no node costs more: for graphs that are compared.
    std::uint64_t full = 0;
    std::shared_ptr<const std::vector<Rgba>> colours;  ///< by node; none, or transparent: Palette::node
    std::vector<Highlight> highlights;                 ///< later ones lie over earlier ones
    std::optional<std::uint32_t> picked;
    Rgba pickedColour;  ///< Palette's source or object
    /// The name of a node, for the peaks. None: they have no names.
    std::function<std::string(std::uint32_t)> nameOf;
    /// The cost of a node in words, with its unit. None: in cycles.
    std::function<std::string(std::uint32_t)> costOf;
    /// The names of the corners where the nodes that are ordered by cost begin and end.
    std::array<const char*, 2> ends{"most expensive", "cheapest"};
};

/// The box around a folded graph in the world: a square of side 1 around the origin, as high as the full height.
Extent extentOf(const FoldedGraph& graph, const FoldedLook& look);
/// How high the peak is in the world.
float heightOfPeak(const FoldedGraph& graph, const FoldedLook& look);
/// The default camera, with the whole graph in the picture.
SpaceCamera homeCamera(const FoldedGraph& graph, const FoldedLook& look, SpaceCamera from = foldedCamera());
/// The picture: a pure function of its arguments. Nodes smaller than about three pixels are gathered into tiles; a tile
/// has the height and colour of its highest node, unless one of its nodes is picked or highlighted.
SpaceScene foldedScene(const FoldedGraph& graph, const FoldedLook& look);

}  // namespace whorl::scene
