// How the views share the canvas: as tiles of one size, in rows.
#pragma once

#include <span>
#include <vector>

#include "app/session/session.h"
#include "render/gl/painter.h"

namespace whorl::app {

struct Tile {
    ViewId view;
    gl::Rect where;  ///< pixels of the window
};

/// In the order of the views. The number of columns is that which leaves each tile the largest square; the last row's
/// tiles share its whole width. `gap` pixels between two.
std::vector<Tile> tilesOf(std::span<const ViewId> views, const gl::Rect& canvas, int gap);

/// The tiles of a window whose canvas this is: the views that are shown, each of every run that is compared, with the
/// open run's last.
std::vector<Tile> tilesOn(const Session& session, const gl::Rect& canvas, float scale);

/// Where the rings of a run are; if they are not shown, nowhere, but with the canvas' size.
gl::Rect ringsOf(std::span<const Tile> tiles, const gl::Rect& canvas, std::size_t run = 0);

}  // namespace whorl::app
