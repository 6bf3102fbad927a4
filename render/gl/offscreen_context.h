// OpenGL without a window or an X server: a context by EGL. A library of its own (whorl_egl), as only programs that
// draw without a window need EGL.
#pragma once

#include <memory>

#include "sim/base/error.h"

namespace whorl::gl {

/// An OpenGL 3.3 core context that belongs to no window. It is current in the thread that made it until it is
/// destroyed; then the previous context is current again.
class OffscreenContext {
  public:
    /// Tries Mesa's surfaceless platform, then devices, then the default display. The error contains the message of
    /// each.
    static sim::Expected<std::unique_ptr<OffscreenContext>> create();
    ~OffscreenContext();
    OffscreenContext(const OffscreenContext&) = delete;
    OffscreenContext& operator=(const OffscreenContext&) = delete;

  private:
    struct Handles;
    explicit OffscreenContext(std::unique_ptr<Handles> handles);
    std::unique_ptr<Handles> handles_;
};

}  // namespace whorl::gl
