// A picture in pixels, painted without OpenGL: cells are rectangles along the axes, so that what is painted is exact,
// and the same everywhere. Rows from the top, x to the right.
#pragma once

#include <cstddef>
#include <glm/vec2.hpp>
#include <vector>

#include "render/scene/colour.h"
#include "render/scene/texture.h"

namespace whorl::scene {

/// The pixels [low.x, high.x) × [low.y, high.y).
struct PixelBox {
    glm::ivec2 low{0};
    glm::ivec2 high{0};

    int width() const { return high.x - low.x; }
    int height() const { return high.y - low.y; }
    bool isEmpty() const { return width() <= 0 || height() <= 0; }
    bool contains(glm::ivec2 p) const { return p.x >= low.x && p.y >= low.y && p.x < high.x && p.y < high.y; }
    bool operator==(const PixelBox&) const = default;
};

/// The common part of two boxes; empty if they do not overlap.
PixelBox commonOf(const PixelBox& a, const PixelBox& b);

class Raster {
  public:
    Raster() = default;
    /// An opaque picture of one colour; no pixels if a side is not positive.
    Raster(glm::ivec2 size, Rgba colour);

    int width() const { return size_.x; }
    int height() const { return size_.y; }
    PixelBox box() const { return {{0, 0}, size_}; }
    bool isEmpty() const { return pixels_.empty(); }
    /// Row by row, from the top.
    const std::vector<Rgba>& pixels() const { return pixels_; }
    Rgba at(glm::ivec2 p) const { return pixels_[index(p)]; }

    /// Pixels outside of the clip are not painted; the initial clip is the whole picture.
    void setClip(const PixelBox& clip) { clip_ = commonOf(clip, box()); }
    const PixelBox& clip() const { return clip_; }

    /// Replaces the pixels of a box; the colour must be opaque.
    void fill(PixelBox where, Rgba colour);
    void fill(PixelBox where, const Ink& ink);
    /// Blends a colour over the pixels of a box, by its alpha (in sRGB, as everywhere in the picture).
    void blend(PixelBox where, Rgba colour);
    /// The edge of a box, inside it.
    void frame(const PixelBox& where, int thick, Rgba colour);

    bool operator==(const Raster& other) const { return size_ == other.size_ && pixels_ == other.pixels_; }

  private:
    std::size_t index(glm::ivec2 p) const {
        return static_cast<std::size_t>(p.y) * static_cast<std::size_t>(size_.x) + static_cast<std::size_t>(p.x);
    }
    glm::ivec2 size_{0};
    PixelBox clip_;
    std::vector<Rgba> pixels_;
};

}  // namespace whorl::scene
