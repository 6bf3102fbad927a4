// What is around a tile among others in the window: the bar with its title, by which it is moved, shown alone and
// closed, and the borders to the tiles beside it, by which it is sized. In pictures for an audience or a file there is
// none of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/panels/panel_context.h"
#include "render/scene/scene.h"

namespace whorl::app {

/// The bar. It shows the title that is among the labels of the picture, or else that of the view. To be drawn before
/// the picture's own item, which would take the mouse.
void drawTileBar(const PanelContext& c, const Tile& tile, const std::vector<scene::Label>& labels);
/// The labels of a picture; those in its bar are in its middle, and end before its buttons.
std::vector<scene::Label> labelsUnderBar(const PanelContext& c, const Tile& tile, std::vector<scene::Label> labels);
/// Where the title ends and buttons begin, in pixels from the left; the width of the tile if it has no bar.
float titleRoom(const PanelContext& c, const Tile& tile);

/// The line around a tile, brighter around the active one; a press in another one makes it active.
void drawTileFrame(const PanelContext& c, const Tile& tile);

/// The borders that are under the mouse, or held. To be drawn before the tiles.
void drawTileBorders(const PanelContext& c, std::span<const Tile> tiles, const gl::Rect& canvas);
/// While a tile is held by its title: where it goes. To be drawn after the tiles.
void dropTile(const PanelContext& c, std::span<const Tile> tiles);

/// Makes a view active, and shows it alone or all views again.
void showAlone(const PanelContext& c, const ViewId& view);

}  // namespace whorl::app
