// The parts of the picture that rest, kept as pictures from frame to frame and repaired only where they change. Each
// layer compares the new elements with those that it shows, and gets no notice of changes, so that the picture depends
// on the scene alone (render/scene/rings/resting_glyphs.h describes the division of work in a frame). Painting from
// scratch and repairing give the same bytes. Each layer owns its surfaces.
#pragma once

#include <span>
#include <vector>

#include "render/gl/passes.h"
#include "render/gl/surface.h"
#include "render/gl/tiles.h"

namespace whorl::gl {

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

}  // namespace whorl::gl
