#include "render/gl/painter.h"

#include <algorithm>
#include <span>
#include <vector>

#include "render/gl/api.h"
#include "render/gl/handles.h"
#include "render/gl/passes.h"
#include "render/gl/tiles.h"

namespace whorl::gl {

namespace {

// The parts of the picture that rest, kept as pictures from frame to frame and repaired only where they change. Each
// layer compares the new elements with those that it shows, and gets no notice of changes, so that the picture depends
// on the scene alone (render/scene/rings/resting_glyphs.h describes the division of work in a frame). Painting from
// scratch and repairing give the same bytes. Each layer owns its surfaces.

/// Background, annuli, ribbons and flows: opaque.
class GroundLayer {
  public:
    explicit GroundLayer(MeshPass mesh) : pass_(std::move(mesh)) {}
    /// Brings the picture up to date; changes the framebuffer that is bound.
    void update(const scene::Scene& scene, const Viewport& view, RibbonPass& ribbons);
    const Surface& surface() const { return surface_; }
    /// Changes whenever the picture does.
    unsigned version() const { return version_; }

  private:
    void keep(const scene::Scene& scene, const Viewport& view);

    MeshPass pass_;
    Surface surface_;
    AnnulusMesh annuliMesh_;
    RibbonMesh ribbonMesh_;
    unsigned version_ = 0;

    // What the picture shows.
    Viewport view_;
    scene::Rgba background_;
    glm::vec2 centre_{0};
    std::vector<scene::Annulus> annuli_;
    std::vector<scene::RingSector> ringSectors_;
    std::vector<scene::Ribbon> ribbons_;
    std::vector<scene::Stroke> flows_;
};

/// Cells and resting glyphs on a transparent ground; premultiplied alpha.
class RestingLayer {
  public:
    /// The passes that it paints with, owned by the caller.
    struct Passes {
        StrokePass& strokes;
        GlyphPass& glyphs;
        PatchPass& patches;
    };

    /// Brings the picture up to date; changes the framebuffer that is bound.
    void update(const scene::Scene& scene, const Viewport& view, const Passes& with);
    const Surface& surface() const { return surface_; }
    /// The tiles that the last update changed.
    Tiles& changed() { return changed_; }
    /// The tiles that hold, or have held, anything.
    Tiles& occupied() { return occupied_; }

  private:
    /// The elements that touch each run of tiles, one run after the other.
    template <class T>
    struct Gathered {
        std::vector<std::vector<T>> byRun;
        std::vector<T> all;
        void gather(std::span<const T> from, const Viewport& view, const Tiles& tiles, std::size_t runs);
    };

    bool findChanges(const scene::Scene& scene, const Viewport& view);
    void paintAll(const scene::Scene& scene, const Viewport& view, const Passes& with);
    void repair(const Viewport& view, const Passes& with);

    Surface surface_;
    Tiles changed_;
    Tiles occupied_;
    Gathered<scene::Stroke> someCells_;
    Gathered<scene::Glyph> someGlyphs_;

    // What the picture shows.
    Viewport view_;
    std::vector<scene::Stroke> cells_;
    std::vector<scene::Glyph> glyphs_;
};

/// The ground with the objects on it: opaque.
class CombinedLayer {
  public:
    /// Brings the picture up to date after both layers are; changes the framebuffer that is bound.
    void update(const GroundLayer& ground, RestingLayer& objects, const Viewport& view, PatchPass& patches);
    const Surface& surface() const { return surface_; }

  private:
    Surface surface_;
    unsigned groundShown_ = 0;
};

/// Copies a surface as large as the view into it, in the framebuffer `target`.
void copyTo(GLuint target, const Surface& from, const Viewport& view);

bool same(const scene::Annulus& a, const scene::Annulus& b) {
    return a.inner == b.inner && a.outer == b.outer && a.innerColour == b.innerColour && a.outerColour == b.outerColour;
}

bool same(const scene::RingSector& a, const scene::RingSector& b) {
    return a.inner == b.inner && a.outer == b.outer && a.from == b.from && a.span == b.span && a.base == b.base &&
           a.innerColour == b.innerColour && a.outerColour == b.outerColour;
}

bool same(const scene::Ribbon& a, const scene::Ribbon& b) {
    return a.width == b.width && a.colour == b.colour && a.path == b.path;
}

bool same(const scene::Stroke& a, const scene::Stroke& b) {
    return a.a == b.a && a.b == b.b && a.width == b.width && a.colourA == b.colourA && a.colourB == b.colourB;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return same(x, y); });
}

void copyTo(GLuint target, const Surface& from, const Viewport& view) {
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
    glBlitFramebuffer(0, 0, view.width, view.height, view.left, view.bottom, view.left + view.width,
                      view.bottom + view.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

// --- ground ---

void GroundLayer::update(const scene::Scene& scene, const Viewport& view, RibbonPass& ribbons) {
    const bool sameView = version_ > 0 && view == view_;
    const bool sameRibbons = sameView && same(scene.ribbons, ribbons_) && same(scene.flows, flows_);
    const bool sameAnnuli =
        sameView && scene.centre == centre_ && same(scene.annuli, annuli_) && same(scene.ringSectors, ringSectors_);
    if (sameRibbons && sameAnnuli && scene.background == background_) return;
    if (!sameAnnuli) {
        annuliMesh_.build(scene.annuli, scene.ringSectors, scene.centre, view.scale);
        pass_.upload(annuliMesh_);
    }
    if (!sameRibbons) {
        ribbonMesh_.clear();
        for (const scene::Ribbon& ribbon : scene.ribbons) ribbonMesh_.add(ribbon, view.scale);
        ribbonMesh_.add(scene.flows, view.scale);
    }
    surface_.resize(view.width, view.height);
    surface_.bind();
    setViewport(view);
    clearTo(scene.background);
    pass_.draw(view);
    ribbons.upload(ribbonMesh_);
    ribbons.draw(view);
    keep(scene, view);
    ++version_;
}

void GroundLayer::keep(const scene::Scene& scene, const Viewport& view) {
    view_ = view;
    background_ = scene.background;
    centre_ = scene.centre;
    annuli_ = scene.annuli;
    ringSectors_ = scene.ringSectors;
    ribbons_ = scene.ribbons;
    flows_ = scene.flows;
}

// --- resting elements ---

template <class T>
void RestingLayer::Gathered<T>::gather(std::span<const T> from, const Viewport& view, const Tiles& tiles,
                                       std::size_t runs) {
    if (byRun.size() < runs) byRun.resize(runs);
    for (std::vector<T>& list : byRun) list.clear();
    for (const T& t : from) {
        tiles.forRunsUnder(boxOf(t, view), [&](std::size_t run) { byRun[run].push_back(t); });
    }
    all.clear();
    for (std::size_t run = 0; run < runs; ++run) all.insert(all.end(), byRun[run].begin(), byRun[run].end());
}

/// Marks the tiles where something changed. False when it is quicker to paint everything again.
bool RestingLayer::findChanges(const scene::Scene& scene, const Viewport& view) {
    if (!(view == view_)) return false;
    changed_.reset(view.width, view.height);
    const auto mark = [&](const auto& element) {
        changed_.mark(boxOf(element, view));
        occupied_.mark(boxOf(element, view));
    };
    const std::span<const scene::Stroke> cells(scene.cells);
    const std::span<const scene::Glyph> glyphs(scene.resting);
    return compare(std::span<const scene::Stroke>(cells_), cells, 32 + cells.size() / 16, mark) &&
           compare(std::span<const scene::Glyph>(glyphs_), glyphs, 32 + glyphs.size() / 16, mark) &&
           changed_.marked() * 3 < changed_.count();
}

void RestingLayer::update(const scene::Scene& scene, const Viewport& view, const Passes& with) {
    if (findChanges(scene, view)) {
        if (changed_.marked() == 0) return;
        cells_ = scene.cells;
        glyphs_ = scene.resting;
        repair(view, with);
        return;
    }
    paintAll(scene, view, with);
    view_ = view;
    cells_ = scene.cells;
    glyphs_ = scene.resting;
}

void RestingLayer::paintAll(const scene::Scene& scene, const Viewport& view, const Passes& with) {
    changed_.reset(view.width, view.height);
    changed_.markAll();
    occupied_.reset(view.width, view.height);
    for (const scene::Stroke& cell : scene.cells) occupied_.mark(boxOf(cell, view));
    for (const scene::Glyph& glyph : scene.resting) occupied_.mark(boxOf(glyph, view));
    surface_.resize(view.width, view.height);
    surface_.bind();
    setViewport(view);
    clearToTransparent();
    with.strokes.upload(scene.cells);
    with.strokes.draw(view, 0, scene.cells.size());
    with.glyphs.upload(scene.resting);
    with.glyphs.draw(view, scene.resting, 0, scene.resting.size());
}

/// Paints the marked tiles again, each with everything that touches it, in the order of the scene: the same pixels as
/// if everything were painted.
void RestingLayer::repair(const Viewport& view, const Passes& with) {
    const std::vector<TileRun>& runs = changed_.findRuns();
    someCells_.gather(cells_, view, changed_, runs.size());
    someGlyphs_.gather(glyphs_, view, changed_, runs.size());
    surface_.bind();
    setViewport(view);
    with.strokes.upload(someCells_.all);
    with.glyphs.upload(someGlyphs_.all);
    with.patches.upload(runs);
    with.patches.erase(view);
    std::size_t cell = 0;
    std::size_t glyph = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        glScissor(runs[i].x, runs[i].y, runs[i].width, runs[i].height);
        with.strokes.draw(view, cell, someCells_.byRun[i].size());
        with.glyphs.draw(view, someGlyphs_.all, glyph, someGlyphs_.byRun[i].size());
        cell += someCells_.byRun[i].size();
        glyph += someGlyphs_.byRun[i].size();
    }
}

// --- combined ---

void CombinedLayer::update(const GroundLayer& ground, RestingLayer& objects, const Viewport& view, PatchPass& patches) {
    const bool all = ground.version() != groundShown_;
    if (!all && objects.changed().marked() == 0) return;
    groundShown_ = ground.version();
    surface_.resize(view.width, view.height);
    // Elsewhere the copied ground is all there is.
    patches.upload(all ? objects.occupied().findRuns() : objects.changed().findRuns());
    if (all) copyTo(surface_.framebuffer(), ground.surface(), view);
    surface_.bind();
    setViewport(view);
    if (!all) patches.copy(view, ground.surface());
    patches.blend(view, objects.surface());
}

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
    if (scene::isDark(ground)) {
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

void clear(scene::Rgba colour, Rect where, int framebufferHeight) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(where.x, framebufferHeight - where.y - where.height, where.width, where.height);
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
