// A framebuffer to paint into and read back: for pictures that are saved, not shown. Owns its GL objects; the context
// that was current when it was made must be current whenever it is used and when it is destroyed.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/error.h"

namespace whorl::gl {

/// A framebuffer of a fixed size with a colour plane, 8 bits a channel.
class Frame {
  public:
    /// An error when a side is below 1 or beyond what the driver allows.
    static sim::Expected<std::unique_ptr<Frame>> create(int width, int height);
    ~Frame();
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    int width() const { return width_; }
    int height() const { return height_; }
    std::size_t bytes() const { return std::size_t(width_) * std::size_t(height_) * 4; }

    /// Makes the frame the target of all painting that follows.
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

/// The pixels of a part of the window, as it has been painted and is not yet shown: as Frame::read(). Its lower left
/// corner is at x, y from that of the window.
std::vector<std::byte> readWindow(int x, int y, int width, int height);

}  // namespace whorl::gl
