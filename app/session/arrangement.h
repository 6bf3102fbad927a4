// How the views stand in the window: automatically, or as a tree of rows and columns. Values and pure functions of
// them; lengths are in pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/view_id.h"
#include "render/scene/flat_scene.h"
#include "sim/base/error.h"

namespace whorl::app {

/// A view, or several parts beside or below each other.
struct TileTree {
    ViewId view = {};                  ///< of a leaf, without the run
    bool isRow = false;                ///< the parts are beside each other
    std::uint32_t share = 1;           ///< the room of this part, relative to the shares of the parts beside it
    std::vector<TileTree> parts = {};  ///< none: a leaf

    bool isLeaf() const { return parts.empty(); }
    bool operator==(const TileTree&) const = default;
};

/// None: automatic, tiles of equal size in rows.
using Arrangement = std::optional<TileTree>;

/// In normal form, what a tree shows has one way to be written: no split has a single part or a part that is split in
/// the same direction, and shares have no common factor. All functions below give trees in this form, and expect it.
TileTree normalTree(TileTree tree);

/// The views, in reading order.
std::vector<ViewId> viewsIn(const TileTree& tree);

/// The columns of the automatic arrangement: those that maximise the square that fits into each tile. So many tiles
/// that follow each other belong together: they share a row, or have rows of their own.
int automaticColumns(int count, glm::ivec2 size, int gap, int together = 1);
/// The automatic arrangement as a tree; there must be a view.
TileTree automaticTree(std::span<const ViewId> views, glm::ivec2 size, int together = 1);
/// The tree with these views and no others; none where all of its views are left out. Those that it lacks are put into
/// its largest tile, which is split along its longer side.
TileTree withViews(const TileTree& tree, std::span<const ViewId> views, glm::ivec2 size);

/// A place beside a tile, or the tile itself.
enum class TileSide : std::uint8_t { left, right, above, below, swap };
/// A view is moved beside another one, which gives half of its room, or changes places with it. Nothing happens if one
/// of them is not in the tree.
TileTree withMoved(const TileTree& tree, const ViewId& view, TileSide side, const ViewId& target);

struct PlacedView {
    ViewId view;
    scene::PixelBox where;
};
/// The views in a canvas, in reading order, with gaps between them. They fill it, unless it is smaller than a pixel for
/// each.
std::vector<PlacedView> placedViews(const TileTree& tree, const scene::PixelBox& canvas, int gap);

/// A border between two parts beside each other.
struct TileBorder {
    bool isUpright = false;  ///< between parts of a row
    scene::PixelBox where;   ///< the gap
    scene::PixelBox both;    ///< both parts and the gap
};
/// In the order of their numbers in commands.
std::vector<TileBorder> bordersOf(const TileTree& tree, const scene::PixelBox& canvas, int gap);
/// The first of the two parts at a border gets this share of their room, from 0 to 1.
TileTree withBorder(const TileTree& tree, std::size_t border, double share);

/// What a command or a file says of the tiles: which views are shown, and how.
struct Tiling {
    std::vector<ViewId> shown;  ///< in the order of ViewId; empty: as they are
    Arrangement arrangement;
    bool operator==(const Tiling&) const = default;
};
/// "row(rings*3,column(memory,block:0)*2)", or "auto(rings,memory)"; "auto" where no views are named.
std::string textOf(const Tiling& tiling);
/// Parts may also be separated by blanks.
sim::Expected<Tiling> tilingFrom(std::string_view text);

}  // namespace whorl::app
