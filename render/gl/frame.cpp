#include "render/gl/frame.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "render/gl/api.h"

namespace whorl::gl {

namespace {

/// Copies pixels of four bytes with their alpha set to 255; in words, as compilers make vectors of those. From a place
/// to the same place is allowed.
void copyOpaque(const std::byte* from, std::byte* to, std::size_t bytes) {
    constexpr std::array<std::byte, 4> kAlpha{std::byte{0}, std::byte{0}, std::byte{0}, std::byte{255}};
    const auto opaque = std::bit_cast<std::uint32_t>(kAlpha);
    for (std::size_t i = 0; i < bytes; i += 4) {
        std::uint32_t pixel = 0;
        std::memcpy(&pixel, from + i, 4);
        pixel |= opaque;
        std::memcpy(to + i, &pixel, 4);
    }
}

/// Makes rows from the bottom, as OpenGL counts them, rows from the top, and all pixels opaque.
void turnOver(std::span<std::byte> pixels, int width, int height) {
    const std::size_t row = std::size_t(width) * 4;
    std::vector<std::byte> kept(row);
    for (std::size_t upper = 0, lower = std::size_t(height) - 1; upper <= lower; ++upper, --lower) {
        std::byte* const above = pixels.data() + upper * row;
        std::byte* const below = pixels.data() + lower * row;
        std::memcpy(kept.data(), above, row);
        copyOpaque(below, above, row);
        copyOpaque(kept.data(), below, row);
        if (lower == 0) break;
    }
}

}  // namespace

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
    turnOver(out, width_, height_);
}

std::vector<std::byte> readWindow(int x, int y, int width, int height) {
    std::vector<std::byte> pixels(std::size_t(width) * std::size_t(height) * 4);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glReadBuffer(GL_BACK);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glReadPixels(x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    turnOver(pixels, width, height);
    return pixels;
}

}  // namespace whorl::gl
