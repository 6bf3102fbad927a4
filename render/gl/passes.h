// The passes of the painter: each owns a program and the buffers it draws from, and knows how one kind of thing looks.
// Whoever calls them has aimed at the view (see view.h) and turned blending on.
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
    void draw(const View& view) const;

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
    void draw(const View& view) const;

  private:
    explicit RibbonPass(Program program);
    Program program_;
    VertexArray array_;
    StreamBuffer vertices_{GL_ARRAY_BUFFER};
    StreamBuffer indices_{GL_ELEMENT_ARRAY_BUFFER};
    GLsizei count_ = 0;
};

/// Capsules that stand alone.
class StrokePass {
  public:
    static sim::Expected<StrokePass> create();
    void upload(std::span<const scene::Stroke> strokes);
    /// Draws `count` of what was uploaded, from `first` on.
    void draw(const View& view, std::size_t first, std::size_t count);

  private:
    explicit StrokePass(Program program);
    Program program_;
    VertexArray array_;
    StreamBuffer instances_{GL_ARRAY_BUFFER};
};

/// Blocks of memory.
class GlyphPass {
  public:
    static sim::Expected<GlyphPass> create();
    void upload(std::span<const scene::Glyph> glyphs);
    /// Draws `count` of what was uploaded, from `first` on; `glyphs` are the same that were uploaded.
    void draw(const View& view, std::span<const scene::Glyph> glyphs, std::size_t first, std::size_t count);

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
    /// Where all that follows is painted.
    void upload(std::span<const Run> runs);
    /// Puts the picture there instead of what is there.
    void copy(const View& view, const Surface& picture);
    /// Lays the picture, which has premultiplied alpha, over what is there.
    void blend(const View& view, const Surface& picture);
    /// Puts nothing there: full transparency.
    void erase(const View& view);

  private:
    PatchPass(Program picture, Program nothing);
    void draw(const View& view, const Program& program);
    Program picture_;
    Program nothing_;
    VertexArray array_;
    StreamBuffer instances_{GL_ARRAY_BUFFER};
    std::vector<glm::vec4> boxes_;
};

/// Clears what scissor and framebuffer allow: to an opaque colour, or to full transparency.
void clearTo(scene::Rgba colour);
void clearToNothing();

/// How far beyond its centre a glyph can leave a trace, pixels of the framebuffer.
float extentOf(const scene::Glyph& glyph, float scale);

}  // namespace whorl::gl
