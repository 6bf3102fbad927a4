// A flat picture as plain data: pixels, lines over them, and texts. The views of cells, of histories and of collisions
// are made of it; gl::FlatPainter paints it. Places are in pixels from the upper left corner, y down.
#pragma once

#include <cstddef>
#include <glm/vec2.hpp>
#include <string>
#include <utility>
#include <vector>

#include "render/scene/colour.h"
#include "render/scene/scene.h"

namespace whorl::scene {

// A picture in pixels, painted without OpenGL: cells are rectangles along the axes, so that what is painted is exact,
// and the same everywhere. Rows from the top, x to the right.

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

/// Painted in the order of the members.
struct FlatScene {
    Ground ground = Ground::dark;
    Rgba background;
    Raster raster;                ///< as large as the picture
    std::vector<Stroke> strokes;  ///< inside `clip` only
    PixelBox clip;
    std::vector<Label> labels;  ///< painted by whoever has a font: plain and corner ones only
};

/// A text without an outline, with its upper left corner at `at`.
inline Label cornerLabel(std::string text, glm::ivec2 at, float size, Rgba colour) {
    Label label;
    label.kind = Label::Kind::corner;
    label.text = std::move(text);
    label.at = at;
    label.size = size;
    label.colour = colour;
    label.isBare = true;
    return label;
}

}  // namespace whorl::scene
