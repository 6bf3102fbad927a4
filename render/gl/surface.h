// A picture kept from frame to frame: a texture that can be painted into. Owns the texture.
#pragma once

#include "render/gl/handles.h"

namespace whorl::gl {

class Surface {
  public:
    Surface();
    /// Gives it this size; what it showed is lost when that is a new one.
    void resize(int width, int height);
    /// What is painted from now on goes here.
    void bind() const { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id()); }
    GLuint texture() const { return texture_.id(); }
    GLuint framebuffer() const { return framebuffer_.id(); }

  private:
    Texture texture_;
    Framebuffer framebuffer_;
    int width_ = 0;
    int height_ = 0;
};

}  // namespace whorl::gl
