// What was painted into a window, kept as a texture that other windows show smaller.
#pragma once

#include "render/gl/handles.h"

namespace whorl::gl {

class PaintedPicture {
  public:
    PaintedPicture();
    /// Takes what has been painted where painting goes now: into a window, if it is not yet shown.
    void take(int width, int height);
    /// Rows from the bottom. Contexts of other windows know it, too.
    GLuint texture() const { return texture_.id(); }

  private:
    Texture texture_;
};

}  // namespace whorl::gl
