#include "render/gl/space_painter.h"

#include "render/gl/api.h"
#include "render/gl/passes.h"
#include "render/gl/space_passes.h"
#include "render/gl/surface.h"

namespace whorl::gl {

namespace {

constexpr double kPointsDepth = 0.01;  ///< of the depth range: points lie in front of all else

class SpaceScenePainter final : public SpacePainter {
  public:
    SpaceScenePainter(SpacePass space, FieldPass field) : space_(std::move(space)), field_(std::move(field)) {}

    void paint(const scene::SpaceScene& scene, Rect where, int framebufferHeight) override;

  private:
    void paintKept(const scene::SpaceScene& scene, const Rect& where);
    void paintSolid(const scene::SpaceScene& scene);
    void paintOver(const scene::SpaceScene& scene);

    SpacePass space_;
    FieldPass field_;
    DepthSurface surface_;
    SpaceMesh mesh_;

    // What the surface shows.
    scene::SpaceScene shown_;
    int width_ = 0;
    int height_ = 0;
};

/// Sets all state that others may have left such that nothing, or only a part, would be painted.
void resetSpaceState() {
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    resetDesktopState();
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    resetDepthRange();
    glLineWidth(1);
}

void SpaceScenePainter::paint(const scene::SpaceScene& scene, Rect where, int framebufferHeight) {
    if (where.width < 1 || where.height < 1 || !(scene.size.x > 0)) return;
    GLint target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    if (where.width != width_ || where.height != height_ || !samePicture(scene, shown_)) {
        paintKept(scene, where);
        shown_ = scene;
        width_ = where.width;
        height_ = where.height;
    }
    const int bottom = framebufferHeight - where.y - where.height;
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, surface_.framebuffer());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(target));
    glBlitFramebuffer(0, 0, where.width, where.height, where.x, bottom, where.x + where.width, bottom + where.height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(target));
}

void SpaceScenePainter::paintKept(const scene::SpaceScene& scene, const Rect& where) {
    surface_.resize(where.width, where.height);
    glBindFramebuffer(GL_FRAMEBUFFER, surface_.framebuffer());
    resetSpaceState();
    glViewport(0, 0, where.width, where.height);
    glClear(GL_DEPTH_BUFFER_BIT);
    clearTo(scene.background);
    space_.setCamera(scene, static_cast<float>(where.width) / scene.size.x);
    field_.draw(scene);
    paintSolid(scene);
    paintOver(scene);
    // The state that the painter of the rings and ImGui expect.
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(0);
    glUseProgram(0);
}

void SpaceScenePainter::paintSolid(const scene::SpaceScene& scene) {
    mesh_.clear();
    mesh_.addWalls(scene);
    for (const scene::SpaceBox& box : scene.boxes) mesh_.add(scene, box);
    for (const scene::SpaceFace& face : scene.faces) mesh_.add(scene, face);
    space_.triangles(mesh_);
    space_.lines(scene.segments);
    // No box hides a point; among themselves the nearer hides the farther.
    glDepthRange(0, kPointsDepth);
    space_.points(scene.points);
    glDepthRange(0, 1);
}

/// Transparent panes, and lines that nothing hides.
void SpaceScenePainter::paintOver(const scene::SpaceScene& scene) {
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    mesh_.clear();
    for (const scene::SpaceFace& pane : scene.panes) mesh_.add(scene, pane);
    space_.triangles(mesh_);
    glDisable(GL_DEPTH_TEST);
    space_.lines(scene.overlay);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

}  // namespace

sim::Expected<std::unique_ptr<SpacePainter>> SpacePainter::create() {
    WHORL_TRY(checkVersion());
    auto space = WHORL_TRY(SpacePass::create());
    auto field = WHORL_TRY(FieldPass::create());
    return std::make_unique<SpaceScenePainter>(std::move(space), std::move(field));
}

}  // namespace whorl::gl
