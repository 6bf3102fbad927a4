// Paints all shown views, each into its tile: the rings and the views in space. Owns the painters; see gl::Painter for
// the context they need.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>

#include "app/views/run_views.h"
#include "app/views/tiles.h"
#include "render/gl/flat_painter.h"
#include "render/gl/painter.h"
#include "render/gl/space_painter.h"

namespace whorl::app {

class ViewRenderer {
  public:
    /// Errors as for gl::Painter::create.
    static sim::Expected<std::unique_ptr<ViewRenderer>> create();

    /// Paints the available contents of the tiles into the bound framebuffer, which has this height.
    /// `ground`: what is behind the pictures; none: their own.
    void paint(std::span<const Tile> tiles, const RunViews& runs, const Session& session, float scale,
               int framebufferHeight, std::optional<scene::Rgba> ground = {});

  private:
    ViewRenderer() = default;
    // One per view, because a painter keeps its picture in GPU buffers.
    std::map<ViewId, std::unique_ptr<gl::Painter>> rings_;
    std::map<ViewId, std::unique_ptr<gl::SpacePainter>> spaces_;
    std::map<ViewId, std::unique_ptr<gl::FlatPainter>> flats_;
};

}  // namespace whorl::app
