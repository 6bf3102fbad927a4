// Paints a picture in space into the current framebuffer, which needs no depth: it is painted into a surface of its own
// that has one, kept there until another picture is asked for, and copied. What it paints depends on the scene alone.
// Owns its GL objects; the context that was current when it was created must be current whenever it is used and when it
// is destroyed. Pictures side by side should have a painter each, so that each is kept.
#pragma once

#include <memory>

#include "render/gl/painter.h"
#include "render/scene/space/space_scene.h"
#include "sim/base/error.h"

namespace whorl::gl {

class SpacePainter {
  public:
    /// Compiles the shaders. An error when the context is older than 3.3 or a shader does not compile (the driver's
    /// words are in the message).
    static sim::Expected<std::unique_ptr<SpacePainter>> create();
    virtual ~SpacePainter() = default;

    /// Paints into `where` of a framebuffer that is `framebufferHeight` pixels high, all but the labels; the scene is
    /// scaled to fill it. Leaves viewport, scissor, blending and bindings as ImGui's renderer may expect them:
    /// anything.
    virtual void paint(const scene::SpaceScene& scene, Rect where, int framebufferHeight) = 0;
};

}  // namespace whorl::gl
