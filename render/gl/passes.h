// The passes of the painter: each owns a program and the buffers it draws from, and draws one kind of element. The
// caller has called setViewport() and turned blending on.
#pragma once

#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "render/gl/annulus_mesh.h"
#include "render/gl/handles.h"
#include "render/gl/program.h"
#include "render/gl/ribbon_mesh.h"
#include "render/gl/surface.h"
#include "render/gl/tiles.h"

namespace whorl::gl {

/// Coloured triangles.
class MeshPass {
  public:
    static sim::Expected<MeshPass> create();
    void upload(const AnnulusMesh& mesh);
    void draw(const Viewport& view) const;

  private:
    explicit MeshPass(Program program);
    Program program_;
    VertexArray array_;
    StreamBuffer vertices_{GL_ARRAY_BUFFER};
    StreamBuffer indices_{GL_ELEMENT_ARRAY_BUFFER};
    GLsizei count_ = 0;
};

/// Broad lines.
class RibbonPass {
  public:
    static sim::Expected<RibbonPass> create();
    void upload(const RibbonMesh& mesh);
    void draw(const Viewport& view) const;

  private:
    explicit RibbonPass(Program program);
    Program program_;
    VertexArray array_;
    StreamBuffer vertices_{GL_ARRAY_BUFFER};
    StreamBuffer indices_{GL_ELEMENT_ARRAY_BUFFER};
    GLsizei count_ = 0;
};

/// Separate capsules.
class StrokePass {
  public:
    static sim::Expected<StrokePass> create();
    void upload(std::span<const scene::Stroke> strokes);
    /// Draws `count` of what was uploaded, from `first` on.
    void draw(const Viewport& view, std::size_t first, std::size_t count);

  private:
    explicit StrokePass(Program program);
    Program program_;
    VertexArray array_;
    StreamBuffer instances_{GL_ARRAY_BUFFER};
};

/// Glyphs: as points, or as quads where they are larger than a point may be.
class GlyphPass {
  public:
    static sim::Expected<GlyphPass> create();
    void upload(std::span<const scene::Glyph> glyphs);
    /// Draws `count` of what was uploaded, from `first` on; `glyphs` are the same that were uploaded.
    void draw(const Viewport& view, std::span<const scene::Glyph> glyphs, std::size_t first, std::size_t count);

  private:
    GlyphPass(Program points, Program quads);
    void drawQuads(std::size_t first, std::size_t count);
    Program points_;
    Program quads_;
    VertexArray pointArray_;
    VertexArray quadArray_;
    StreamBuffer glyphs_{GL_ARRAY_BUFFER};
    float largestPoint_ = 1;  ///< pixels across
};

/// Rectangles of a picture, pixel for pixel, into a framebuffer of the same size.
class PatchPass {
  public:
    static sim::Expected<PatchPass> create();
    /// Where everything that follows is painted.
    void upload(std::span<const TileRun> runs);
    /// Puts the picture there instead of what is there.
    void copy(const Viewport& view, const Surface& picture);
    /// Blends the picture, which has premultiplied alpha, over what is there.
    void blend(const Viewport& view, const Surface& picture);
    /// Puts full transparency there.
    void erase(const Viewport& view);

  private:
    PatchPass(Program picture, Program nothing);
    void draw(const Viewport& view, const Program& program);
    Program picture_;
    Program nothing_;
    VertexArray array_;
    StreamBuffer instances_{GL_ARRAY_BUFFER};
    std::vector<glm::vec4> boxes_;
};

/// Clears the framebuffer within the scissor: to an opaque colour, or to full transparency.
void clearTo(scene::Rgba colour);
void clearToTransparent();

}  // namespace whorl::gl
