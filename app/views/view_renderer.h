// Paints all views that are shown, each into its tile: the rings and those in space. Owns the painters;
// see gl::Painter for the context that they need.
#pragma once

#include <map>
#include <memory>
#include <span>

#include "app/views/run_views.h"
#include "app/views/tiles.h"
#include "render/gl/painter.h"
#include "render/gl/space_painter.h"

namespace whorl::app {

class ViewRenderer {
  public:
    /// An error as gl::Painter::create has it.
    static sim::Expected<std::unique_ptr<ViewRenderer>> create();

    /// Paints what is known of the tiles into the framebuffer that is bound, which has this height.
    void paint(std::span<const Tile> tiles, const RunViews& runs, const Session& session, float scale,
               int framebufferHeight);

  private:
    ViewRenderer() = default;

    // One for each view: a painter keeps its picture in buffers of the graphics card.
    std::map<ViewId, std::unique_ptr<gl::Painter>> rings_;
    std::map<ViewId, std::unique_ptr<gl::SpacePainter>> spaces_;
};

}  // namespace whorl::app
