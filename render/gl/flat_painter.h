// Paints a flat picture into the current framebuffer: its pixels, then its lines. What it paints depends on the scene
// alone; the pixels are kept on the graphics card until others are asked for. Owns its GL objects; the context that was
// current when it was created must be current whenever it is used and when it is destroyed.
#pragma once

#include <memory>

#include "render/gl/painter.h"
#include "render/scene/flat_scene.h"
#include "sim/base/error.h"

namespace whorl::gl {

class FlatPainter {
  public:
    /// Compiles the shaders. An error when the context is older than 3.3 or a shader does not compile (the driver's
    /// words are in the message).
    static sim::Expected<std::unique_ptr<FlatPainter>> create();
    virtual ~FlatPainter() = default;

    /// Paints into `where` of a framebuffer that is `framebufferHeight` pixels high, all but the labels; the scene is
    /// scaled to fill it. Leaves viewport, scissor, blending and bindings as ImGui's renderer may expect them:
    /// anything.
    virtual void paint(const scene::FlatScene& scene, Rect where, int framebufferHeight) = 0;
};

}  // namespace whorl::gl
