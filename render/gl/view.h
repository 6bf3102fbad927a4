// Where a scene lies in a framebuffer, and how its pixels become the framebuffer's. Plain data.
#pragma once

#include "render/gl/painter.h"

namespace whorl::gl {

/// The rectangle of a framebuffer that a scene fills, counted as OpenGL does: from the lower left corner.
struct View {
    int left = 0;
    int bottom = 0;
    int width = 0;
    int height = 0;
    float scale = 1;  ///< pixels of the framebuffer a pixel of the scene

    static View of(Rect where, int framebufferHeight, float scale) {
        return {where.x, framebufferHeight - where.y - where.height, where.width, where.height, scale};
    }
    /// The same picture in a framebuffer of its own.
    View atOrigin() const { return {0, 0, width, height, scale}; }
    bool operator==(const View&) const = default;
};

/// OpenGL drops a point whose centre lies outside the viewport. So the viewport is this much larger than the view on
/// each side, and the scissor keeps the rest clean: a glyph may be half outside. No point is larger than this.
inline constexpr int kGuard = 128;

/// Sets viewport and scissor for painting into the view.
void aim(const View& view);

}  // namespace whorl::gl
