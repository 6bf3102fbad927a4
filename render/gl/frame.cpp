#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>

#include "render/gl/offscreen.h"

namespace whorl::gl {

sim::Expected<std::unique_ptr<Frame>> Frame::create(int width, int height) {
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (width < 1 || height < 1 || width > largest || height > largest) {
        return sim::fail({}, fmt::format("a frame of {} x {} pixels is not possible", width, height),
                         fmt::format("each side must be 1 to {} pixels here", largest));
    }
    std::unique_ptr<Frame> frame(new Frame(width, height));
    GLint before = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
    glGenRenderbuffers(1, &frame->colour_);
    glBindRenderbuffer(GL_RENDERBUFFER, frame->colour_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glGenFramebuffers(1, &frame->framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, frame->framebuffer_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, frame->colour_);
    const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before));
    if (status != GL_FRAMEBUFFER_COMPLETE) {
        return sim::fail({}, fmt::format("the driver refuses a frame of {} x {} pixels (status {:#x})", width, height,
                                         static_cast<unsigned>(status)));
    }
    return frame;
}

Frame::~Frame() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &colour_);
}

void Frame::bind() {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, width_, height_);
}

void Frame::read(std::span<std::byte> out) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, out.data());
    // OpenGL counts rows from the bottom.
    const std::size_t row = std::size_t(width_) * 4;
    for (std::size_t upper = 0, lower = std::size_t(height_) - 1; upper < lower; ++upper, --lower) {
        std::swap_ranges(out.data() + upper * row, out.data() + (upper + 1) * row, out.data() + lower * row);
    }
    for (std::size_t i = 3; i < bytes(); i += 4) out[i] = std::byte{255};
}

}  // namespace whorl::gl
