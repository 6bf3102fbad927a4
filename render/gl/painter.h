// Paints a scene of the rings into the current framebuffer. What it paints depends on the scene alone: what is kept
// from frame to frame never shows. Owns its GL objects; the context that was current when it was created
// must be current whenever it is used and when it is destroyed.
#pragma once

#include <memory>

#include "render/gl/viewport.h"
#include "render/scene/scene.h"
#include "sim/base/error.h"

namespace whorl::gl {

class Painter {
  public:
    /// Compiles the shaders. An error when the context is older than 3.3 or a shader does not compile (the driver's
    /// words are in the message).
    static sim::Expected<std::unique_ptr<Painter>> create();
    virtual ~Painter() = default;

    /// Paints into `where` of a framebuffer that is `framebufferHeight` pixels high; the scene is scaled to fill it.
    /// Leaves viewport, scissor, blending and bindings as ImGui's renderer may expect them: anything.
    virtual void paint(const scene::Scene& scene, Rect where, int framebufferHeight) = 0;
};

/// Fills the whole framebuffer with one colour.
void clear(scene::Rgba colour, int width, int height);
/// Fills a part of the framebuffer with one colour. Leaves the scissor test on, restricted to that part.
void clear(scene::Rgba colour, Rect where, int framebufferHeight);

/// The lines that every shader begins with, the language's version first: for ImGui's renderer too.
const char* shaderHeader();

/// The renderer's name as the driver gives it ("llvmpipe (LLVM 15.0.6, 256 bits)").
std::string rendererName();

}  // namespace whorl::gl
