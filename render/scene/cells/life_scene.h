// The life of an object as a graph: a column for each function (or source line) that touched it, from left to right by
// when it did on average; a lane for each CPU; where they meet a box, as high as it has accesses, with when it had them
// in it; between the boxes the moves of blocks, as broad as they are frequent. Moves out of another CPU's cache have a
// colour of their own, and their cycles beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/cells/chart.h"
#include "sim/report/place_tables.h"

namespace whorl::scene {

struct LifeLook : ChartLook {
    std::optional<std::uint32_t> chosen;  ///< a code: its boxes are outlined
    Rgba chosenColour;                    ///< colour of that outline
    bool operator==(const LifeLook&) const = default;
};

/// A move as it is drawn.
struct LifePath {
    std::size_t edge = 0;  ///< index into the life's edges
    std::vector<glm::vec2> points;
    float width = 1;
    bool isTaken = false;  ///< blocks came out of another CPU's cache
};

/// Where everything is.
struct LifeFrame : ChartFrame {
    std::vector<std::uint32_t> lanes;  ///< the CPUs that touched the object
    ChartRows rows = {};               ///< the lanes
    float columnWidth = 1;
    std::vector<std::string> sentences;  ///< the object's beginning and end, in lines of text
    std::vector<std::string> sums;       ///< the sums, in lines of text
    int headTiers = 1;                   ///< lines of text over which the names of columns alternate
    std::vector<PixelBox> boxes;         ///< by node
    std::vector<LifePath> paths;         ///< the last ones are painted above
    float reach = 0;                     ///< how far from a move the pointer still finds it, in pixels
    std::uint64_t hidden = 0;            ///< kinds of moves that are not drawn: the rarest
    std::uint64_t hiddenMoves = 0;
};
LifeFrame lifeFrame(const sim::LifeWords& words, const LifeLook& look);

/// The picture; `frame` is that of the same life and look.
FlatScene lifeScene(const sim::LifeWords& words, const LifeLook& look, const LifeFrame& frame);

/// The node at a pixel, or else the move: the nearest one within the reach.
std::optional<std::uint32_t> lifeNodeAt(const LifeFrame& frame, glm::ivec2 at);
std::optional<std::size_t> lifeEdgeAt(const LifeFrame& frame, glm::ivec2 at);

}  // namespace whorl::scene
