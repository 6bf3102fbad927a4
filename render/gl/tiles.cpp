#include "render/gl/tiles.h"

#include <algorithm>
#include <cmath>

namespace whorl::gl {

namespace {

/// A little more on each side than what is painted, against rounding.
constexpr float kMargin = 0.1F;

}  // namespace

float extentOf(const scene::Glyph& glyph, float scale) {
    const float radius = std::max(glyph.radius * scale, 1.0F);
    constexpr float kReach = 1.25F;  // distance of corners from the centre, in radii; as in glyph.vert
    const float body = radius * (glyph.shape == scene::Shape::disc ? 1.0F : kReach) + 0.55F;
    return glyph.glow > 0 ? std::max(body, 2 * radius) : body;
}

Box boxOf(const scene::Glyph& glyph, const Viewport& view) {
    const float x = glyph.at.x * view.scale;
    const float y = static_cast<float>(view.height) - glyph.at.y * view.scale;
    const float reach = extentOf(glyph, view.scale) + kMargin;
    return {x - reach, y - reach, x + reach, y + reach};
}

Box boxOf(const scene::Stroke& stroke, const Viewport& view) {
    const glm::vec2 a = stroke.a * view.scale;
    const glm::vec2 b = stroke.b * view.scale;
    const float height = static_cast<float>(view.height);
    // Half the width, the pixel in which it fades out, and how much broader the shader makes thin ones.
    const float reach = std::max(stroke.width * view.scale, 1.0F) / 2 + 0.5F + 0.5F + kMargin;
    return {std::min(a.x, b.x) - reach, height - std::max(a.y, b.y) - reach, std::max(a.x, b.x) + reach,
            height - std::min(a.y, b.y) + reach};
}

void Tiles::reset(int width, int height) {
    width_ = width;
    height_ = height;
    columns_ = (width + kSide - 1) / kSide;
    rows_ = (height + kSide - 1) / kSide;
    marked_ = 0;
    marks_.assign(std::size_t(columns_) * std::size_t(rows_), 0);
}

void Tiles::mark(const Box& box) {
    const Range r = tilesUnder(box);
    for (int y = r.bottom; y <= r.top; ++y) {
        for (int x = r.left; x <= r.right; ++x) {
            std::uint8_t& here = marks_[std::size_t(y) * std::size_t(columns_) + std::size_t(x)];
            marked_ += here == 0 ? 1 : 0;
            here = 1;
        }
    }
}

void Tiles::markAll() {
    std::fill(marks_.begin(), marks_.end(), std::uint8_t{1});
    marked_ = marks_.size();
}

const std::vector<TileRun>& Tiles::findRuns() {
    runs_.clear();
    runAt_.assign(marks_.size(), -1);
    for (int y = 0; y < rows_; ++y) {
        bool open = false;
        for (int x = 0; x < columns_; ++x) {
            const std::size_t tile = std::size_t(y) * std::size_t(columns_) + std::size_t(x);
            if (marks_[tile] != 0) {
                const int right = std::min((x + 1) * kSide, width_);
                if (!open) runs_.push_back({x * kSide, y * kSide, 0, std::min(kSide, height_ - y * kSide)});
                runs_.back().width = right - runs_.back().x;
                runAt_[tile] = static_cast<std::int32_t>(runs_.size() - 1);
            }
            open = marks_[tile] != 0;
        }
    }
    return runs_;
}

}  // namespace whorl::gl
