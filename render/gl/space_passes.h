// The passes of the painter of pictures in space: each owns a program and the buffers it draws from. The caller has set
// viewport, depth test and blending.
#pragma once

#include <span>

#include "render/gl/handles.h"
#include "render/gl/program.h"
#include "render/gl/space_mesh.h"

namespace whorl::gl {

/// Triangles, lines and points of one colour each.
class SpacePass {
  public:
    static sim::Expected<SpacePass> create();
    /// The camera for all that is drawn until the next call; `scale`: pixels of the framebuffer a pixel of the scene.
    void setCamera(const scene::SpaceScene& scene, float scale);
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
