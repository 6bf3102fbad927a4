// A viewport cut into square tiles, each marked or not: where to paint again, or where there is anything. Plain data,
// no GL. Pixels are counted as OpenGL does, from the lower left corner of the viewport.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "render/gl/viewport.h"
#include "render/scene/scene.h"

namespace whorl::gl {

/// A box in pixels, edges included.
struct Box {
    float left;
    float bottom;
    float right;
    float top;
};

/// How far from its centre a glyph can change a pixel, pixels of the framebuffer.
float extentOf(const scene::Glyph& glyph, float scale);
/// The pixels that a glyph or a stroke can change.
Box boxOf(const scene::Glyph& glyph, const Viewport& view);
Box boxOf(const scene::Stroke& stroke, const Viewport& view);

/// Marked tiles side by side, in one row.
struct TileRun {
    int x;
    int y;
    int width;
    int height;
};

class Tiles {
  public:
    static constexpr int kSide = 16;

    /// Cuts a viewport of this size; no tile is marked.
    void reset(int width, int height);
    void mark(const Box& box);
    void markAll();

    std::size_t marked() const { return marked_; }
    std::size_t count() const { return marks_.size(); }

    /// The marked tiles as runs, in pixels, row by row from the bottom; those at the edges end with the viewport.
    const std::vector<TileRun>& findRuns();
    /// Calls `use(i)` for each run i of the last `findRuns` that the box touches.
    template <class Use>
    void forRunsUnder(const Box& box, Use use) const;

  private:
    struct Range {
        int left;
        int bottom;
        int right;
        int top;
    };
    Range tilesUnder(const Box& box) const {
        return {std::max(tileOf(box.left, columns_), 0), std::max(tileOf(box.bottom, rows_), 0),
                std::min(tileOf(box.right, columns_), columns_ - 1), std::min(tileOf(box.top, rows_), rows_ - 1)};
    }
    /// The tile in which a pixel lies, -1 before the first and `tiles` after the last. Values far outside, and NaN,
    /// must not overflow.
    static int tileOf(float pixel, int tiles) {
        const float tile = std::min(std::max(-1.0F, pixel / kSide), static_cast<float>(tiles));
        return static_cast<int>(tile + 1) - 1;
    }

    int width_ = 0;
    int height_ = 0;
    int columns_ = 0;
    int rows_ = 0;
    std::size_t marked_ = 0;
    std::vector<std::uint8_t> marks_;
    std::vector<std::int32_t> runAt_;  ///< for each tile the run it belongs to, or -1
    std::vector<TileRun> runs_;
};

template <class Use>
void Tiles::forRunsUnder(const Box& box, Use use) const {
    const Range r = tilesUnder(box);
    for (int y = r.bottom; y <= r.top; ++y) {
        std::int32_t last = -1;
        for (int x = r.left; x <= r.right; ++x) {
            const std::int32_t run = runAt_[std::size_t(y) * std::size_t(columns_) + std::size_t(x)];
            if (run != last && run >= 0) use(static_cast<std::size_t>(run));
            last = run;
        }
    }
}

// Finds the changes between two lists of elements, so that only these are painted again. Plain data, no GL.
//
// Elements are compared by their places in the lists: a scene keeps its resting elements in the same order as long as
// its view stays the same, and when the view changes, nearly all of them do.

// Memory is compared, not values: what is the same to the bit is painted the same. That the opposite is not always true
// does no harm. NOLINTBEGIN(bugprone-suspicious-memory-comparison)

/// Whether two elements are the same to the bit in all that is painted; the padding at the end is not compared.
inline bool same(const scene::Glyph& a, const scene::Glyph& b) {
    return std::memcmp(&a, &b, offsetof(scene::Glyph, texture) + sizeof(scene::Texture)) == 0;
}
inline bool same(const scene::Stroke& a, const scene::Stroke& b) {
    return std::memcmp(&a, &b, offsetof(scene::Stroke, colourB) + sizeof(scene::Rgba)) == 0;
}

// NOLINTEND(bugprone-suspicious-memory-comparison)

/// Calls `changed` with both the old and the new one of every two elements that differ. Gives up, and returns false,
/// when more than `limit` places differ, or when one list is longer than the other.
template <class T, class Changed>
bool compare(std::span<const T> before, std::span<const T> after, std::size_t limit, Changed changed) {
    if (before.size() != after.size()) return false;
    std::size_t found = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (same(before[i], after[i])) continue;
        if (++found > limit) return false;
        changed(before[i]);
        changed(after[i]);
    }
    return true;
}

}  // namespace whorl::gl
