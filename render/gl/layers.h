// What lies still, kept as pictures from frame to frame and mended only where it changes. Painting from nothing and
// mending give the same bytes, so what is kept never shows. Each layer owns its surfaces.
#pragma once

#include <span>
#include <vector>

#include "render/gl/passes.h"
#include "render/gl/surface.h"
#include "render/gl/tiles.h"

namespace whorl::gl {

/// Background, annuli and ribbons: opaque.
class GroundLayer {
  public:
    explicit GroundLayer(MeshPass mesh) : pass_(std::move(mesh)) {}
    /// Brings the picture up to date; changes the framebuffer that is bound.
    void update(const scene::Scene& scene, const View& view, RibbonPass& ribbons);
    const Surface& surface() const { return surface_; }
    /// Another number whenever the picture is another one.
    unsigned version() const { return version_; }

  private:
    void keep(const scene::Scene& scene, const View& view);

    MeshPass pass_;
    Surface surface_;
    AnnulusMesh annuliMesh_;
    RibbonMesh ribbonMesh_;
    unsigned version_ = 0;

    // What the picture shows.
    View view_;
    scene::Rgba background_;
    glm::vec2 centre_{0};
    std::vector<scene::Annulus> annuli_;
    std::vector<scene::Petal> petals_;
    std::vector<scene::Ribbon> ribbons_;
};

/// Cells and resting glyphs on nothing: with alpha, premultiplied.
class ObjectLayer {
  public:
    /// The passes it paints with, which belong to someone else.
    struct Brushes {
        StrokePass& strokes;
        GlyphPass& glyphs;
        PatchPass& patches;
    };

    /// Brings the picture up to date; changes the framebuffer that is bound.
    void update(const scene::Scene& scene, const View& view, const Brushes& with);
    const Surface& surface() const { return surface_; }
    /// Where the last update changed it.
    Tiles& changed() { return changed_; }
    /// Where there is, or was, anything at all.
    Tiles& occupied() { return occupied_; }

  private:
    /// The elements that touch each run of tiles, one run after the other.
    template <class T>
    struct Gathered {
        std::vector<std::vector<T>> byRun;
        std::vector<T> all;
        void gather(std::span<const T> from, const View& view, const Tiles& tiles, std::size_t runs);
    };

    bool findChanges(const scene::Scene& scene, const View& view);
    void paintAll(const scene::Scene& scene, const View& view, const Brushes& with);
    void mend(const View& view, const Brushes& with);

    Surface surface_;
    Tiles changed_;
    Tiles occupied_;
    Gathered<scene::Stroke> someCells_;
    Gathered<scene::Glyph> someGlyphs_;

    // What the picture shows.
    View view_;
    std::vector<scene::Stroke> cells_;
    std::vector<scene::Glyph> glyphs_;
};

/// The ground with the objects on it: opaque.
class StillLayer {
  public:
    /// Brings the picture up to date after both layers are; changes the framebuffer that is bound.
    void update(const GroundLayer& ground, ObjectLayer& objects, const View& view, PatchPass& patches);
    const Surface& surface() const { return surface_; }

  private:
    Surface surface_;
    unsigned groundShown_ = 0;
};

/// Copies a surface as large as the view into it, in the framebuffer `target`.
void copyTo(GLuint target, const Surface& from, const View& view);

}  // namespace whorl::gl
