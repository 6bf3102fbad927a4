#include "render/gl/painter.h"

#include "render/gl/api.h"
#include "render/gl/layers.h"

namespace whorl::gl {

namespace {

/// Scenes with at least this many resting elements keep them as a separate picture. The choice must depend on the scene
/// alone, not on earlier frames: blending rounds a little differently in the two ways.
constexpr std::size_t kMany = 1000;

/// Colours have straight alpha in the scene; the shaders multiply it in, so that glow, rim and fill of one glyph can be
/// laid over each other before they meet the picture.
void blendPremultiplied() {
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

/// Blends colours with premultiplied alpha. On the dark ground they add light, as on a screen (never more than white);
/// on the light one they take light away, as inks do.
void blendTrails(scene::Ground ground) {
    if (ground == scene::Ground::dark) {
        glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_COLOR, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    } else {
        glBlendFuncSeparate(GL_DST_COLOR, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    }
}

/// Sets all state that others may have left such that nothing, or only a part, would be painted.
void resetState() {
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_CULL_FACE);
    resetDesktopState();
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    blendPremultiplied();
}

class ScenePainter final : public Painter {
  public:
    ScenePainter(MeshPass mesh, RibbonPass ribbon, StrokePass stroke, GlyphPass glyph, PatchPass patch)
        : ribbonPass_(std::move(ribbon)),
          strokePass_(std::move(stroke)),
          glyphPass_(std::move(glyph)),
          patchPass_(std::move(patch)),
          ground_(std::move(mesh)) {}

    void paint(const scene::Scene& scene, Rect where, int framebufferHeight) override;

  private:
    void paintResting(const scene::Scene& scene, const Viewport& view, GLuint target);
    void paintGlyphs(std::span<const scene::Glyph> glyphs, const Viewport& view);
    void paintLines(std::span<const scene::Stroke> lines, const Viewport& view);

    RibbonPass ribbonPass_;
    StrokePass strokePass_;
    GlyphPass glyphPass_;
    PatchPass patchPass_;
    GroundLayer ground_;
    RestingLayer resting_;
    CombinedLayer combined_;
    RibbonMesh lines_;
};

void ScenePainter::paint(const scene::Scene& scene, Rect where, int framebufferHeight) {
    if (where.width < 1 || where.height < 1 || !(scene.size.x > 0)) return;
    const Viewport view = Viewport::of(where, framebufferHeight, static_cast<float>(where.width) / scene.size.x);
    GLint target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    resetState();
    paintResting(scene, view, static_cast<GLuint>(target));
    blendTrails(scene.ground);
    paintLines(scene.trails, view);
    blendPremultiplied();
    paintLines(scene.threads, view);
    paintLines(scene.leaders, view);
    paintGlyphs(scene.moving, view);
    glBindVertexArray(0);
    glUseProgram(0);
    glDisable(GL_SCISSOR_TEST);
}

/// Everything below the trails. Leaves the target bound, with viewport and scissor set.
void ScenePainter::paintResting(const scene::Scene& scene, const Viewport& view, GLuint target) {
    const bool many = scene.cells.size() + scene.resting.size() >= kMany;
    ground_.update(scene, view.atOrigin(), ribbonPass_);
    if (many) {
        resting_.update(scene, view.atOrigin(), {strokePass_, glyphPass_, patchPass_});
        combined_.update(ground_, resting_, view.atOrigin(), patchPass_);
    }
    copyTo(target, many ? combined_.surface() : ground_.surface(), view);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    setViewport(view);
    if (many) return;
    strokePass_.upload(scene.cells);
    strokePass_.draw(view, 0, scene.cells.size());
    paintGlyphs(scene.resting, view);
}

void ScenePainter::paintLines(std::span<const scene::Stroke> lines, const Viewport& view) {
    if (lines.empty()) return;
    lines_.clear();
    lines_.add(lines, view.scale);
    ribbonPass_.upload(lines_);
    ribbonPass_.draw(view);
}

void ScenePainter::paintGlyphs(std::span<const scene::Glyph> glyphs, const Viewport& view) {
    glyphPass_.upload(glyphs);
    glyphPass_.draw(view, glyphs, 0, glyphs.size());
}

}  // namespace

sim::Expected<std::unique_ptr<Painter>> Painter::create() {
    WHORL_TRY(checkVersion());
    auto mesh = WHORL_TRY(MeshPass::create());
    auto ribbon = WHORL_TRY(RibbonPass::create());
    auto stroke = WHORL_TRY(StrokePass::create());
    auto glyph = WHORL_TRY(GlyphPass::create());
    auto patch = WHORL_TRY(PatchPass::create());
    return std::make_unique<ScenePainter>(std::move(mesh), std::move(ribbon), std::move(stroke), std::move(glyph),
                                          std::move(patch));
}

void clear(scene::Rgba colour, int width, int height) {
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, width, height);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    clearTo(colour);
}

const char* shaderHeader() {
    return kShaderHeader;
}

std::string rendererName() {
    const GLubyte* name = glGetString(GL_RENDERER);
    return name == nullptr ? std::string() : reinterpret_cast<const char*>(name);
}

}  // namespace whorl::gl
