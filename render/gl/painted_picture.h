// Keeps the picture painted into a window as a texture, which other windows show smaller.
#pragma once

#include "render/gl/handles.h"

namespace whorl::gl {

class PaintedPicture {
  public:
    PaintedPicture();
    /// Copies the picture from the current framebuffer: that of a window, if it is not yet shown.
    void take(int width, int height);
    /// Rows from the bottom. The contexts of other windows share it.
    GLuint texture() const { return texture_.id(); }

  private:
    Texture texture_;
};

}  // namespace whorl::gl
