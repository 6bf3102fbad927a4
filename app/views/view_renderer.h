// Paints all pictures that stand on the window, each into its tile: the rings and those in space. Owns the painters;
// see gl::Painter for the context that they need.
#pragma once

#include <map>
#include <memory>
#include <span>

#include "app/views/rings/frame_composer.h"
#include "app/views/space/history_views.h"
#include "app/views/tiles.h"
#include "render/gl/painter.h"
#include "render/gl/space_painter.h"

namespace whorl::app {

/// What is to be painted: null where it is not known yet.
struct Pictures {
    const Picture* rings = nullptr;
    HistoryViews* historyViews = nullptr;
    const Picture* baselineRings = nullptr;  ///< of the run that it is compared with
    HistoryViews* baselineHistoryViews = nullptr;
};

class ViewRenderer {
  public:
    /// An error as gl::Painter::create has it.
    static sim::Expected<std::unique_ptr<ViewRenderer>> create();

    /// Paints what is known of the tiles into the framebuffer that is bound, which has this height.
    void paint(std::span<const Tile> tiles, const Pictures& pictures, const Session& session, float scale,
               int framebufferHeight);

  private:
    ViewRenderer() = default;

    // One each, for a painter keeps its picture.
    std::map<ViewId, std::unique_ptr<gl::Painter>> rings_;
    std::map<ViewId, std::unique_ptr<gl::SpacePainter>> spaces_;
};

/// The tiles of a window whose canvas this is.
std::vector<Tile> tilesOn(const Session& session, const gl::Rect& canvas, float scale);

/// Where the rings are; if they are not shown, nowhere, but with the canvas' size.
gl::Rect ringsOf(std::span<const Tile> tiles, const gl::Rect& canvas, bool first = false);

}  // namespace whorl::app
