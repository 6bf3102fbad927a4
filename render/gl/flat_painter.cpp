#include "render/gl/flat_painter.h"

#include <cmath>
#include <utility>

#include "render/gl/api.h"
#include "render/gl/handles.h"
#include "render/gl/passes.h"

namespace whorl::gl {

namespace {

class FlatScenePainter final : public FlatPainter {
  public:
    explicit FlatScenePainter(StrokePass strokes) : strokes_(std::move(strokes)) {}

    void paint(const scene::FlatScene& scene, Rect where, int framebufferHeight) override;

  private:
    void keep(const scene::Raster& raster);
    void paintStrokes(const scene::FlatScene& scene, const Viewport& view);

    StrokePass strokes_;
    Surface surface_;
    scene::Raster shown_;
};

/// Sets all state that others may have left such that nothing, or only a part, would be painted.
void resetFlatState() {
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    resetDesktopState();
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

void FlatScenePainter::paint(const scene::FlatScene& scene, Rect where, int framebufferHeight) {
    if (where.width < 1 || where.height < 1 || scene.raster.isEmpty()) return;
    const float scale = static_cast<float>(where.width) / static_cast<float>(scene.raster.width());
    const Viewport view = Viewport::of(where, framebufferHeight, scale);
    GLint target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    resetFlatState();
    if (!(scene.raster == shown_)) keep(scene.raster);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, surface_.framebuffer());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(target));
    // The raster's rows run downward.
    glBlitFramebuffer(0, scene.raster.height(), scene.raster.width(), 0, view.left, view.bottom, view.left + view.width,
                      view.bottom + view.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(target));
    paintStrokes(scene, view);
    glBindVertexArray(0);
    glUseProgram(0);
    glDisable(GL_SCISSOR_TEST);
}

void FlatScenePainter::keep(const scene::Raster& raster) {
    surface_.resize(raster.width(), raster.height());
    glActiveTexture(GL_TEXTURE0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glBindTexture(GL_TEXTURE_2D, surface_.texture());
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, raster.width(), raster.height(), GL_RGBA, GL_UNSIGNED_BYTE,
                    raster.pixels().data());
    glBindTexture(GL_TEXTURE_2D, 0);
    shown_ = raster;
}

void FlatScenePainter::paintStrokes(const scene::FlatScene& scene, const Viewport& view) {
    if (scene.strokes.empty() || scene.clip.isEmpty()) return;
    setViewport(view);
    const auto scaled = [&](int length) {
        return static_cast<int>(std::lround(static_cast<float>(length) * view.scale));
    };
    glScissor(view.left + scaled(scene.clip.low.x), view.bottom + view.height - scaled(scene.clip.high.y),
              scaled(scene.clip.width()), scaled(scene.clip.height()));
    strokes_.upload(scene.strokes);
    strokes_.draw(view, 0, scene.strokes.size());
}

}  // namespace

sim::Expected<std::unique_ptr<FlatPainter>> FlatPainter::create() {
    WHORL_TRY(checkVersion());
    return StrokePass::create().map([](StrokePass pass) -> std::unique_ptr<FlatPainter> {
        return std::make_unique<FlatScenePainter>(std::move(pass));
    });
}

}  // namespace whorl::gl
