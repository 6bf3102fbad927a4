// The passes of the painter of pictures in space: each owns a program and the buffers it draws from. Whoever calls them
// has set the viewport, and depth and blending as they are wanted.
#pragma once

#include <span>

#include "render/gl/handles.h"
#include "render/gl/program.h"
#include "render/gl/space_mesh.h"

namespace whorl::gl {

/// A framebuffer with colour and depth. Owns both.
class DepthSurface {
  public:
    /// Gives it this size; what it showed is lost when that is a new one.
    void resize(int width, int height);
    GLuint framebuffer() const { return framebuffer_.id(); }

  private:
    Renderbuffer colour_;
    Renderbuffer depth_;
    Framebuffer framebuffer_;
    int width_ = 0;
    int height_ = 0;
};

/// Triangles, lines and points of one colour each.
class SpacePass {
  public:
    static sim::Expected<SpacePass> create();
    /// The view of all that is drawn until the next one; `scale`: pixels of the framebuffer a pixel of the scene.
    void look(const scene::SpaceScene& scene, float scale);
    void triangles(const SpaceMesh& mesh);
    void lines(std::span<const scene::SpaceSegment> segments);
    void points(std::span<const scene::SpacePoint> points);

  private:
    explicit SpacePass(Program program);
    Program program_;
    GLint worldToClip_;
    GLint pointSize_;
    VertexArray array_;
    StreamBuffer vertices_{GL_ARRAY_BUFFER};
    StreamBuffer indices_{GL_ELEMENT_ARRAY_BUFFER};
    std::vector<SpaceVertex> ends_;
};

/// The surface of a folded graph.
class FieldPass {
  public:
    static sim::Expected<FieldPass> create();
    void draw(const scene::SpaceScene& scene);

  private:
    explicit FieldPass(Program program);
    void uploadColours(const scene::SpaceSurface& surface);
    Program program_;
    VertexArray array_;
    StreamBuffer vertices_{GL_ARRAY_BUFFER};
    StreamBuffer indices_{GL_ELEMENT_ARRAY_BUFFER};
    Texture colours_;
    FieldMesh mesh_;
};

}  // namespace whorl::gl
