#include "render/gl/handles.h"

namespace whorl::gl {

GLuint VertexArrayKind::make() {
    GLuint id = 0;
    glGenVertexArrays(1, &id);
    return id;
}
void VertexArrayKind::free(GLuint id) {
    glDeleteVertexArrays(1, &id);
}

GLuint FramebufferKind::make() {
    GLuint id = 0;
    glGenFramebuffers(1, &id);
    return id;
}
void FramebufferKind::free(GLuint id) {
    glDeleteFramebuffers(1, &id);
}

GLuint TextureKind::make() {
    GLuint id = 0;
    glGenTextures(1, &id);
    return id;
}
void TextureKind::free(GLuint id) {
    glDeleteTextures(1, &id);
}

GLuint RenderbufferKind::make() {
    GLuint id = 0;
    glGenRenderbuffers(1, &id);
    return id;
}
void RenderbufferKind::free(GLuint id) {
    glDeleteRenderbuffers(1, &id);
}

GLuint BufferKind::make() {
    GLuint id = 0;
    glGenBuffers(1, &id);
    return id;
}
void BufferKind::free(GLuint id) {
    glDeleteBuffers(1, &id);
}

void StreamBuffer::upload(const void* data, std::size_t bytes) {
    bind();
    glBufferData(target_, static_cast<GLsizeiptr>(bytes), data, GL_STREAM_DRAW);
}

Surface::Surface() {
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void Surface::resize(int width, int height) {
    if (width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    glActiveTexture(GL_TEXTURE0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glBindTexture(GL_TEXTURE_2D, 0);
    bind();
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_.id(), 0);
}

void DepthSurface::resize(int width, int height) {
    if (width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    glBindRenderbuffer(GL_RENDERBUFFER, colour_.id());
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, depth_.id());
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.id());
}

PaintedPicture::PaintedPicture() {
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    // Thin lines must not drop out where it is shown smaller.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void PaintedPicture::take(int width, int height) {
    GLint painted = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &painted);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(painted));
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 0, 0, width, height, 0);
    glGenerateMipmap(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, 0);
}

}  // namespace whorl::gl
