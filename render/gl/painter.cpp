#include "render/gl/painter.h"

#include <epoxy/gl.h>

#include "render/gl/passes.h"

namespace whorl::gl {

namespace {

void clearTo(scene::Rgba c) {
    glClearColor(float(c.r) / 255.0F, float(c.g) / 255.0F, float(c.b) / 255.0F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
}

class ScenePainter final : public Painter {
  public:
    ScenePainter(MeshPass mesh, RibbonPass ribbon, StrokePass stroke, GlyphPass glyph)
        : meshPass_(std::move(mesh)),
          ribbonPass_(std::move(ribbon)),
          strokePass_(std::move(stroke)),
          glyphPass_(std::move(glyph)) {}

    void paint(const scene::Scene& scene, Rect where, int framebufferHeight) override;

  private:
    void paintGround(const scene::Scene& scene, const View& view);
    void paintLines(const RibbonMesh& mesh, const View& view);
    void paintGlyphs(std::span<const scene::Glyph> glyphs, const View& view);

    MeshPass meshPass_;
    RibbonPass ribbonPass_;
    StrokePass strokePass_;
    GlyphPass glyphPass_;
    AnnulusMesh annuli_;
    RibbonMesh lines_;
};

void ScenePainter::paint(const scene::Scene& scene, Rect where, int framebufferHeight) {
    if (where.width < 1 || where.height < 1 || scene.size.x <= 0) return;
    const View view = View::of(where, framebufferHeight, static_cast<float>(where.width) / scene.size.x);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    // Colours have straight alpha in the scene; the shaders multiply it in, so that glow, rim and fill of one glyph can
    // be laid over each other before they meet the picture.
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    aim(view);
    paintGround(scene, view);
    strokePass_.upload(scene.cells);
    strokePass_.draw(view, 0, scene.cells.size());
    paintGlyphs(scene.resting, view);
    lines_.clear();
    lines_.add(scene.trails, view.scale);
    paintLines(lines_, view);
    paintGlyphs(scene.moving, view);
    glBindVertexArray(0);
    glUseProgram(0);
    glDisable(GL_SCISSOR_TEST);
}

void ScenePainter::paintGround(const scene::Scene& scene, const View& view) {
    clearTo(scene.background);
    annuli_.build(scene.annuli, scene.centre, view.scale);
    meshPass_.upload(annuli_);
    meshPass_.draw(view);
    lines_.clear();
    for (const scene::Ribbon& ribbon : scene.ribbons) lines_.add(ribbon, view.scale);
    paintLines(lines_, view);
}

void ScenePainter::paintLines(const RibbonMesh& mesh, const View& view) {
    ribbonPass_.upload(mesh);
    ribbonPass_.draw(view);
}

void ScenePainter::paintGlyphs(std::span<const scene::Glyph> glyphs, const View& view) {
    glyphPass_.upload(glyphs);
    glyphPass_.draw(view, glyphs, 0, glyphs.size());
}

}  // namespace

sim::Expected<std::unique_ptr<Painter>> Painter::create() {
    if (epoxy_gl_version() < 33) {
        return sim::fail({}, "this needs OpenGL 3.3, and the driver offers less",
                         "set LIBGL_ALWAYS_SOFTWARE=1 to draw without the graphics card");
    }
    auto mesh = MeshPass::create();
    if (!mesh) return tl::unexpected(mesh.error());
    auto ribbon = RibbonPass::create();
    if (!ribbon) return tl::unexpected(ribbon.error());
    auto stroke = StrokePass::create();
    if (!stroke) return tl::unexpected(stroke.error());
    auto glyph = GlyphPass::create();
    if (!glyph) return tl::unexpected(glyph.error());
    return std::make_unique<ScenePainter>(std::move(*mesh), std::move(*ribbon), std::move(*stroke), std::move(*glyph));
}

void clear(scene::Rgba colour, int width, int height) {
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, width, height);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    clearTo(colour);
}

std::string rendererName() {
    const GLubyte* name = glGetString(GL_RENDERER);
    return name == nullptr ? std::string() : reinterpret_cast<const char*>(name);
}

}  // namespace whorl::gl
