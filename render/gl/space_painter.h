// Paints a picture in space, as triangles, into the current framebuffer, which needs no depth: it is painted into a
// surface of its own that has one, kept there until another picture is asked for, and copied. What it paints depends on
// the scene alone. Owns its GL objects; the context that was current when it was created must be current whenever it is
// used and when it is destroyed. Pictures side by side should have a painter each, so that each is kept.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "render/gl/painter.h"
#include "render/scene/space/space_scene.h"
#include "sim/base/error.h"

namespace whorl::gl {

class SpacePainter {
  public:
    /// Compiles the shaders. An error when the context is older than 3.3 or a shader does not compile (the driver's
    /// words are in the message).
    static sim::Expected<std::unique_ptr<SpacePainter>> create();
    virtual ~SpacePainter() = default;

    /// Paints into `where` of a framebuffer that is `framebufferHeight` pixels high, all but the labels; the scene is
    /// scaled to fill it. Leaves viewport, scissor, blending and bindings as ImGui's renderer may expect them:
    /// anything.
    virtual void paint(const scene::SpaceScene& scene, Rect where, int framebufferHeight) = 0;
};

// Scenes in space as triangles: the sides that face the eye, lit. Plain data, no GL.

struct SpaceVertex {
    glm::vec3 at;
    scene::Rgba colour;
};

/// Triangles of boxes and faces, four vertices and six indices a side.
class SpaceMesh {
  public:
    void clear();
    /// The sides of a box that face the eye and are broad enough to be seen.
    void add(const scene::SpaceScene& scene, const scene::SpaceBox& box);
    /// Lit from both sides, if it is opaque.
    void add(const scene::SpaceScene& scene, const scene::SpaceFace& face);
    /// The walls under the edges of the surface that face the eye.
    void addWalls(const scene::SpaceScene& scene);

    const std::vector<SpaceVertex>& vertices() const { return vertices_; }
    const std::vector<std::uint32_t>& indices() const { return indices_; }

  private:
    void quad(glm::vec3 a, glm::vec3 b, glm::vec3 c, glm::vec3 d, scene::Rgba colour);
    std::vector<SpaceVertex> vertices_;
    std::vector<std::uint32_t> indices_;
};

/// How bright the headlight makes a side with this normal: 1 where it faces the eye.
float headlight(const scene::SpaceScene& scene, glm::vec3 normal);

struct FieldVertex {
    glm::vec3 at;
    glm::vec3 normal;
    glm::vec2 tile;  ///< place in the surface, counted in tiles
};

/// A surface, with a normal for each vertex from the heights around it.
class FieldMesh {
  public:
    /// The nearest rows come first: what they hide then fails the depth test early.
    void build(const scene::SpaceSurface& surface, glm::vec3 toEye);
    const std::vector<FieldVertex>& vertices() const { return vertices_; }
    const std::vector<std::uint32_t>& indices() const { return indices_; }

  private:
    void addVertices(const scene::SpaceSurface& surface);
    std::vector<FieldVertex> vertices_;
    std::vector<std::uint32_t> indices_;
};

}  // namespace whorl::gl
