// The rectangle of a framebuffer that a scene fills.
#pragma once

namespace whorl::gl {

/// A rectangle of the framebuffer, pixels, y down from the upper edge.
struct Rect {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
};

/// Pixels are counted as OpenGL does, from the lower left corner.
struct Viewport {
    int left = 0;
    int bottom = 0;
    int width = 0;
    int height = 0;
    float scale = 1;  ///< pixels of the framebuffer a pixel of the scene

    static Viewport of(Rect where, int framebufferHeight, float scale) {
        return {where.x, framebufferHeight - where.y - where.height, where.width, where.height, scale};
    }
    /// The viewport of the same picture in a framebuffer that has its size.
    Viewport atOrigin() const { return {0, 0, width, height, scale}; }
    bool operator==(const Viewport&) const = default;
};

}  // namespace whorl::gl
