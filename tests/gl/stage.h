// Shared by the tests of the painter: a context, a painter, a frame, and its pixels.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

#include "render/gl/frame.h"
#include "render/gl/offscreen_context.h"
#include "render/gl/painter.h"

namespace whorl::gl {

using Pixels = std::vector<std::byte>;

inline constexpr scene::Rgba kGround = scene::hex(0x0B0E14);
inline constexpr scene::Rgba kRed = scene::hex(0xFF0000);
inline constexpr scene::Rgba kGreen = scene::hex(0x00FF00);
inline constexpr scene::Rgba kBlue = scene::hex(0x0000FF);

/// An empty scene with a ground.
inline scene::Scene emptyScene(int width, int height, scene::Rgba background = kGround) {
    scene::Scene s;
    s.size = {width, height};
    s.centre = s.size / 2.0F;
    s.background = background;
    return s;
}

/// Paints scenes of one size, and reads single pixels.
class Stage {
  public:
    Stage(int width, int height) {
        auto context = OffscreenContext::create();
        if (!context) throw std::runtime_error(context.error().sentence());
        context_ = std::move(*context);
        auto frame = Frame::create(width, height);
        if (!frame) throw std::runtime_error(frame.error().sentence());
        frame_ = std::move(*frame);
        renew();
    }

    /// Switches to a new painter, which has painted nothing yet.
    void renew() {
        auto painter = Painter::create();
        if (!painter) throw std::runtime_error(painter.error().sentence());
        painter_ = std::move(*painter);
    }

    const Pixels& paint(const scene::Scene& scene) { return paint(scene, {0, 0, frame_->width(), frame_->height()}); }
    const Pixels& paint(const scene::Scene& scene, Rect where) {
        frame_->bind();
        painter_->paint(scene, where, frame_->height());
        return read();
    }
    const Pixels& read() {
        pixels_.resize(frame_->bytes());
        frame_->read(pixels_);
        return pixels_;
    }
    /// The pixel in column x and row y, counted from the upper left.
    scene::Rgba at(int x, int y) const {
        const std::size_t i = (std::size_t(y) * std::size_t(frame_->width()) + std::size_t(x)) * 4;
        const auto channel = [&](std::size_t k) { return std::to_integer<std::uint8_t>(pixels_[i + k]); };
        return {channel(0), channel(1), channel(2), channel(3)};
    }
    Frame& frame() { return *frame_; }

  private:
    std::unique_ptr<OffscreenContext> context_;  // first: the others need it in their destructors
    std::unique_ptr<Frame> frame_;
    std::unique_ptr<Painter> painter_;
    Pixels pixels_;
};

/// The largest difference in any channel.
inline int apart(scene::Rgba a, scene::Rgba b) {
    return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

/// `over` composited on `ground` with straight alpha.
inline scene::Rgba laidOver(scene::Rgba over, scene::Rgba ground) {
    const auto mix = [&](int o, int g) {
        return static_cast<std::uint8_t>(std::lround((o * over.a + g * (255 - over.a)) / 255.0));
    };
    return {mix(over.r, ground.r), mix(over.g, ground.g), mix(over.b, ground.b), 255};
}

inline ::testing::AssertionResult near(scene::Rgba is, scene::Rgba wanted, int tolerance) {
    if (apart(is, wanted) <= tolerance) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << fmt::format("({}, {}, {}) is not near ({}, {}, {})", is.r, is.g, is.b,
                                                        wanted.r, wanted.g, wanted.b);
}

}  // namespace whorl::gl
