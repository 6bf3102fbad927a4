// How the pictures share the canvas: as tiles of one size, in rows.
#pragma once

#include <span>
#include <vector>

#include "app/session/view_id.h"
#include "render/gl/painter.h"

namespace whorl::app {

struct Tile {
    ViewId view;
    gl::Rect where;  ///< pixels of the window
};

/// In the order of the views. The number of columns is that which leaves each tile the largest square; the last row's
/// tiles share its whole width. `gap` pixels between two.
std::vector<Tile> tilesOf(std::span<const ViewId> views, const gl::Rect& canvas, int gap);

}  // namespace whorl::app
