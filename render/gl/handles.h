// Owners of OpenGL objects: created by the constructor, deleted by the destructor, never copied. The context that was
// current when one was created must be current when it is destroyed.
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

}  // namespace whorl::gl
