// The tiles of a frame as elements of SVG.
#pragma once

#include <span>

#include "app/views/tile_scene.h"
#include "app/views/view_renderer.h"
#include "render/svg/document.h"

namespace whorl::app {

/// Draws the pictures of all tiles. Rings and flat views are drawn as shapes; views in space, where only pixels can
/// tell which surface hides which, and flat views of more boxes than a viewer can bear are embedded as images. Errors:
/// of OpenGL or of memory.
sim::Expected<void> draw(svg::Document& to, std::span<const Tile> tiles, const RunViews& runs, const Session& session,
                         float scale, ViewRenderer& renderer);

}  // namespace whorl::app
