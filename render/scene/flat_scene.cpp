#include "render/scene/flat_scene.h"

#include <algorithm>
#include <cstdint>

namespace whorl::scene {

namespace {

std::uint8_t over(std::uint8_t below, std::uint8_t above, std::uint32_t alpha) {
    return static_cast<std::uint8_t>((below * (255 - alpha) + above * alpha + 127) / 255);
}

}  // namespace

PixelBox commonOf(const PixelBox& a, const PixelBox& b) {
    PixelBox out{{std::max(a.low.x, b.low.x), std::max(a.low.y, b.low.y)},
                 {std::min(a.high.x, b.high.x), std::min(a.high.y, b.high.y)}};
    return out.isEmpty() ? PixelBox{} : out;
}

Raster::Raster(glm::ivec2 size, Rgba colour) {
    if (size.x < 1 || size.y < 1) return;
    size_ = size;
    clip_ = box();
    pixels_.assign(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y), colour);
}

void Raster::fill(PixelBox where, Rgba colour) {
    where = commonOf(where, clip_);
    for (int y = where.low.y; y < where.high.y; ++y) {
        Rgba* const row = &pixels_[index({where.low.x, y})];
        std::fill(row, row + where.width(), colour);
    }
}

void Raster::fill(PixelBox where, const Ink& ink) {
    if (ink.texture == Texture::plain) {
        fill(where, ink.colour);
        return;
    }
    where = commonOf(where, clip_);
    for (glm::ivec2 p(where.low); p.y < where.high.y; ++p.y) {
        for (p.x = where.low.x; p.x < where.high.x; ++p.x) pixels_[index(p)] = ink.at(p);
    }
}

void Raster::blend(PixelBox where, Rgba colour) {
    if (colour.a == 255) {
        fill(where, colour);
        return;
    }
    where = commonOf(where, clip_);
    for (int y = where.low.y; y < where.high.y; ++y) {
        Rgba* const row = &pixels_[index({where.low.x, y})];
        for (Rgba* p = row; p != row + where.width(); ++p) {
            *p = {over(p->r, colour.r, colour.a), over(p->g, colour.g, colour.a), over(p->b, colour.b, colour.a), 255};
        }
    }
}

void Raster::frame(const PixelBox& where, int thick, Rgba colour) {
    if (where.isEmpty()) return;
    // Where the edges meet, or the box is narrower than two of them, no pixel is painted twice.
    const int top = std::min(where.low.y + thick, where.high.y);
    const int bottom = std::max(top, where.high.y - thick);
    const int left = std::min(where.low.x + thick, where.high.x);
    const int right = std::max(left, where.high.x - thick);
    blend({where.low, {where.high.x, top}}, colour);
    blend({{where.low.x, bottom}, where.high}, colour);
    blend({{where.low.x, top}, {left, bottom}}, colour);
    blend({{right, top}, {where.high.x, bottom}}, colour);
}

}  // namespace whorl::scene
