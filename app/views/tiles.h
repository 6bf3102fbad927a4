// Divides the canvas among the views: tiles of equal size, in rows, or as they have been arranged.
#pragma once

#include <span>
#include <vector>

#include "app/session/session.h"
#include "render/gl/painter.h"

namespace whorl::app {

struct Tile {
    ViewId view;
    gl::Rect where;   ///< in pixels of the window
    int heading = 0;  ///< the height of the strip above it, with the title of its run
    /// The height of the bar with the title of the view, by which the mouse takes hold of the tile: above the rings,
    /// and at the top of other pictures, where their title stands. 0: none.
    int bar = 0;

    /// The tile with its heading and its bar; the bar alone.
    gl::Rect whole() const;
    gl::Rect barRect() const;
};

/// In the order of the views. The number of columns maximises the square that fits into each tile; the tiles of the
/// last row fill its whole width. `gap` is in pixels. So many that follow each other belong together: they share a row,
/// or have rows of their own.
std::vector<Tile> tilesOf(std::span<const ViewId> views, const gl::Rect& canvas, int gap, int together = 1);

/// Whether views are shown for several runs.
bool isCompared(const Session& session);
/// Whether a caption describes all compared runs, so that no strip is needed.
bool captionCompares(const Session& session);
/// Whether headings omit counts: two pictures are large enough to show them on their rings.
bool hasTitleAlone(const Session& session);
/// The height of a strip of words, in pixels: of two lines; of one on the stage, where counts give way to the picture.
int headingHeight(const Session& session, float scale);
/// The height of a row of small controls, in pixels.
int controlRowHeight(float scale);
/// The part of the canvas for the tiles. If runs are beside each other, a strip below the tiles describes all of them,
/// unless a caption does, and in the window has the controls of the comparison.
gl::Rect underHeadings(const Session& session, const gl::Rect& canvas, float scale);

/// The room between tiles, in pixels.
int tileGap(float scale);
/// The tiles of a window with this canvas: the shown views, each once per compared run, under its heading. Tiles that
/// have been arranged are divided among the runs.
std::vector<Tile> tilesOn(const Session& session, const gl::Rect& canvas, float scale);

/// The borders between tiles that can be moved, with their numbers in commands. Where runs stand beside each other, not
/// those of the automatic arrangement that would cross a tile.
struct MovableBorder : TileBorder {
    std::size_t number = 0;
};
std::vector<MovableBorder> bordersOn(const Session& session, std::span<const Tile> tiles, const gl::Rect& canvas,
                                     float scale);

/// The tile of a run's rings; the whole canvas if they are not shown.
gl::Rect ringsOf(std::span<const Tile> tiles, const gl::Rect& canvas, std::size_t run = 0);

}  // namespace whorl::app
