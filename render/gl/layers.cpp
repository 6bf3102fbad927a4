#include "render/gl/layers.h"

#include <algorithm>

#include "render/gl/changes.h"

namespace whorl::gl {

namespace {

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

}  // namespace

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

}  // namespace whorl::gl
