// Paints scenes into memory for tests, without their texts.
#pragma once

#include <memory>
#include <utility>

#include "app/views/golden.h"
#include "render/gl/frame.h"
#include "render/gl/offscreen_context.h"
#include "render/gl/painter.h"

namespace whorl::app {

/// A picture of a fixed size that a gl::Painter or gl::SpacePainter fills.
template <class Painter>
class TestCanvas {
  public:
    TestCanvas(int width, int height)
        : width_(width),
          height_(height),
          context_(std::move(gl::OffscreenContext::create().value())),
          frame_(std::move(gl::Frame::create(width, height).value())),
          painter_(std::move(Painter::create().value())),
          pixels_(frame_->bytes()) {}

    template <class Scene>
    const Pixels& paint(const Scene& scene) {
        frame_->bind();
        gl::clear(scene.background, width_, height_);
        painter_->paint(scene, {0, 0, width_, height_}, height_);
        frame_->read(pixels_);
        return pixels_;
    }

  private:
    int width_;
    int height_;
    std::unique_ptr<gl::OffscreenContext> context_;
    std::unique_ptr<gl::Frame> frame_;
    std::unique_ptr<Painter> painter_;
    Pixels pixels_;
};

}  // namespace whorl::app
