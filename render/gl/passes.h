// The passes of the painter: each owns a program and the buffers it draws from, and draws one kind of element. The
// caller has called setViewport() and turned blending on.
#pragma once

#include <glm/vec4.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/gl/api.h"
#include "render/gl/handles.h"
#include "render/gl/meshes.h"
#include "render/gl/tiles.h"
#include "render/gl/viewport.h"
#include "sim/base/error.h"

namespace whorl::gl {

/// OpenGL drops a point whose centre lies outside OpenGL's viewport. So that is set this much larger on each side, and
/// the scissor keeps the rest clean: glyphs may be half outside. No point is larger than this.
inline constexpr int kGuard = 128;

/// Sets OpenGL's viewport and scissor for painting into it.
void setViewport(const Viewport& view);

/// A vertex and a fragment shader, compiled and linked. Owns the GL program.
class Program {
  public:
    /// Compiles and links shaders/<name>.vert and shaders/<name>.frag. Each word of `defines` is a macro defined in
    /// both, so that one pair can have variants. An error carries the driver's message.
    static sim::Expected<Program> create(std::string_view name, std::string_view defines = {});
    ~Program();
    Program(Program&& other) noexcept;
    Program& operator=(Program&& other) noexcept;
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Makes it the current program, and sets its uniforms toWindow and toClip.
    void use(const Viewport& view) const;

    /// For programs with other uniforms: the caller makes it current and sets them.
    GLuint id() const { return id_; }

  private:
    explicit Program(GLuint id) : id_(id) {}
    GLuint id_;
    GLint toWindow_ = -1;
    GLint toClip_ = -1;
};

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
