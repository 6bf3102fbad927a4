// Framebuffers whose contents are kept from frame to frame.
#pragma once

#include "render/gl/handles.h"

namespace whorl::gl {

/// A texture that can be painted into. Owns it.
class Surface {
  public:
    Surface();
    /// Gives it this size; the contents are lost when that is a new one.
    void resize(int width, int height);
    /// Makes the surface the target of all painting that follows.
    void bind() const { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id()); }
    GLuint texture() const { return texture_.id(); }
    GLuint framebuffer() const { return framebuffer_.id(); }

  private:
    Texture texture_;
    Framebuffer framebuffer_;
    int width_ = 0;
    int height_ = 0;
};

/// A framebuffer with colour and depth. Owns both.
class DepthSurface {
  public:
    /// Gives it this size; the contents are lost when that is a new one.
    void resize(int width, int height);
    GLuint framebuffer() const { return framebuffer_.id(); }

  private:
    Renderbuffer colour_;
    Renderbuffer depth_;
    Framebuffer framebuffer_;
    int width_ = 0;
    int height_ = 0;
};

}  // namespace whorl::gl
