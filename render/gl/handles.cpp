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

}  // namespace whorl::gl
