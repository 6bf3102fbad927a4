// OpenGL without a window or an X server: a context by EGL, a framebuffer to paint into, and its pixels.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "sim/base/error.h"

namespace whorl::gl {

/// An OpenGL 3.3 core context that belongs to no window; current in the thread that made it until it goes.
class OffscreenContext {
  public:
    /// Tries Mesa's surfaceless platform, then devices, then the default display. The error names what each one said.
    static sim::Expected<std::unique_ptr<OffscreenContext>> create();
    ~OffscreenContext();
    OffscreenContext(const OffscreenContext&) = delete;
    OffscreenContext& operator=(const OffscreenContext&) = delete;

  private:
    struct Handles;
    explicit OffscreenContext(std::unique_ptr<Handles> handles);
    std::unique_ptr<Handles> handles_;
};

/// A framebuffer of a fixed size with a colour plane, 8 bits a channel.
class Frame {
  public:
    static sim::Expected<std::unique_ptr<Frame>> create(int width, int height);
    ~Frame();
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    int width() const { return width_; }
    int height() const { return height_; }
    std::size_t bytes() const { return std::size_t(width_) * std::size_t(height_) * 4; }

    /// What is painted from now on goes here.
    void bind();
    /// Copies the pixels out: RGBA, 4 bytes a pixel, rows from the top. `out` holds bytes() bytes. Alpha is always 255.
    void read(std::span<std::byte> out);

  private:
    Frame(int width, int height) : width_(width), height_(height) {}
    int width_;
    int height_;
    unsigned framebuffer_ = 0;
    unsigned colour_ = 0;
};

}  // namespace whorl::gl
