// Owners of OpenGL objects, and the framebuffers and textures made of them: created by the constructor, deleted by the
// destructor, never copied. The context that was current when one was created must be current when it is destroyed.
#pragma once

#include <cstddef>
#include <utility>

#include "render/gl/api.h"

namespace whorl::gl {

template <class Kind>
class Handle {
  public:
    Handle() : id_(Kind::make()) {}
    ~Handle() {
        if (id_ != 0) Kind::free(id_);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    GLuint id() const { return id_; }

  private:
    GLuint id_;
};

struct VertexArrayKind {
    static GLuint make();
    static void free(GLuint id);
};
struct FramebufferKind {
    static GLuint make();
    static void free(GLuint id);
};
struct TextureKind {
    static GLuint make();
    static void free(GLuint id);
};
struct RenderbufferKind {
    static GLuint make();
    static void free(GLuint id);
};
struct BufferKind {
    static GLuint make();
    static void free(GLuint id);
};

using VertexArray = Handle<VertexArrayKind>;
using Framebuffer = Handle<FramebufferKind>;
using Texture = Handle<TextureKind>;
using Renderbuffer = Handle<RenderbufferKind>;

/// A buffer whose contents are replaced as a whole each time: the driver gives it new memory (orphaning), so that
/// nothing waits for what is still being drawn from the old.
class StreamBuffer {
  public:
    explicit StreamBuffer(GLenum target) : target_(target) {}
    void bind() const { glBindBuffer(target_, handle_.id()); }
    /// Binds the buffer and copies `bytes` bytes into it.
    void upload(const void* data, std::size_t bytes);

  private:
    Handle<BufferKind> handle_;
    GLenum target_;
};

// Framebuffers whose contents are kept from frame to frame.

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

// Keeps the picture painted into a window as a texture, which other windows show smaller.

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
