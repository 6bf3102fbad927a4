#include "render/gl/space_painter.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <span>
#include <type_traits>

#include "render/gl/api.h"
#include "render/gl/handles.h"
#include "render/gl/passes.h"

namespace whorl::gl {

namespace {

constexpr float kNarrowPixels = 0.5F;  ///< sides that are seen narrower are left out

scene::Rgba lit(scene::Rgba colour, float light) {
    const auto channel = [&](std::uint8_t c) {
        return static_cast<std::uint8_t>(std::lround(static_cast<float>(c) * light));
    };
    return {channel(colour.r), channel(colour.g), channel(colour.b), colour.a};
}

/// Whether the front of a side is turned to the eye.
bool faces(const scene::SpaceScene& scene, glm::vec3 at, glm::vec3 normal) {
    return glm::dot(glm::vec3(scene.eye) - at * scene.eye.w, normal) > 0;
}

}  // namespace

float headlight(const scene::SpaceScene& scene, glm::vec3 normal) {
    return scene.ambient + (1 - scene.ambient) * std::abs(glm::dot(normal, scene.toEye));
}

void SpaceMesh::clear() {
    vertices_.clear();
    indices_.clear();
}

void SpaceMesh::quad(glm::vec3 a, glm::vec3 b, glm::vec3 c, glm::vec3 d, scene::Rgba colour) {
    const auto first = static_cast<std::uint32_t>(vertices_.size());
    vertices_.insert(vertices_.end(), {{a, colour}, {b, colour}, {c, colour}, {d, colour}});
    indices_.insert(indices_.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
}

void SpaceMesh::add(const scene::SpaceScene& scene, const scene::SpaceBox& box) {
    const glm::vec3 size = box.high - box.low;
    const glm::vec4 above(scene.toClip[0][1], scene.toClip[1][1], scene.toClip[2][1], 0);
    const glm::vec3 middle = (box.low + box.high) * 0.5F;
    const float w = std::max((scene.toClip * glm::vec4(middle, 1)).w, 0.02F);
    const float pixels = glm::length(above) * scene.size.y / 2 / w;
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3;
        const int v = (axis + 2) % 3;
        glm::vec3 normal(0);
        normal[axis] = 1;
        const bool high = faces(scene, box.high, normal);
        const bool low = faces(scene, box.low, -normal);
        if (!high && !low) continue;
        const float broad = std::min(size[u], size[v]) * pixels * std::max(std::abs(scene.toEye[axis]), 0.1F);
        if (broad < kNarrowPixels) continue;
        glm::vec3 a = box.low;
        if (high) a[axis] = box.high[axis];
        glm::vec3 across(0);
        glm::vec3 along(0);
        across[u] = size[u];
        along[v] = size[v];
        quad(a, a + across, a + across + along, a + along, lit(box.colour, headlight(scene, normal)));
    }
}

void SpaceMesh::add(const scene::SpaceScene& scene, const scene::SpaceFace& face) {
    const glm::vec3 normal = glm::cross(face.u, face.v);
    const float length = glm::length(normal);
    const bool isLit = face.colour.a == 255 && length > 0;
    quad(face.a, face.a + face.u, face.a + face.u + face.v, face.a + face.v,
         isLit ? lit(face.colour, headlight(scene, normal / length)) : face.colour);
}

namespace {

/// One side of a surface: the tiles along it, one after the other, and where it stands.
class Side {
  public:
    /// Along x where z is lowest or highest, or along z where x is.
    Side(const scene::SpaceSurface& surface, bool alongX, bool high)
        : surface_(surface), alongX_(alongX), high_(high), edges_(alongX ? surface.x : surface.z) {
        const std::vector<float>& other = alongX ? surface.z : surface.x;
        fixed_ = high ? other.back() : other.front();
    }

    std::size_t tiles() const { return edges_.size() - 1; }
    float edge(std::size_t i) const { return edges_[i]; }
    float middle(std::size_t i) const { return (edges_[i] + edges_[i + 1]) * 0.5F; }
    float height(std::size_t i) const { return surface_.heights[tile(i)]; }
    scene::Rgba colour(std::size_t i) const { return surface_.colours[tile(i)]; }
    glm::vec3 at(float along, float height) const {
        return alongX_ ? glm::vec3(along, height, fixed_) : glm::vec3(fixed_, height, along);
    }
    glm::vec3 normal() const {
        const float out = high_ ? 1 : -1;
        return alongX_ ? glm::vec3(0, 0, out) : glm::vec3(out, 0, 0);
    }
    /// Between two tiles the surface is straight from the middle of one to that of the next.
    float heightAtEdge(std::size_t i) const {
        if (i == 0) return height(0);
        if (i == tiles()) return height(i - 1);
        const float before = edges_[i] - edges_[i - 1];
        const float after = edges_[i + 1] - edges_[i];
        return height(i - 1) + (height(i) - height(i - 1)) * before / (before + after);
    }

  private:
    std::size_t tile(std::size_t i) const {
        if (alongX_) return (high_ ? surface_.rows() - 1 : 0) * surface_.columns() + i;
        return i * surface_.columns() + (high_ ? surface_.columns() - 1 : 0);
    }
    const scene::SpaceSurface& surface_;
    bool alongX_;
    bool high_;
    const std::vector<float>& edges_;
    float fixed_;
};

}  // namespace

void SpaceMesh::addWalls(const scene::SpaceScene& scene) {
    if (scene.surface.heights.empty()) return;
    for (const bool alongX : {false, true}) {
        for (const bool high : {false, true}) {
            const Side side(scene.surface, alongX, high);
            if (!faces(scene, side.at(0, 0), side.normal())) continue;
            const float light = headlight(scene, side.normal());
            for (std::size_t i = 0; i < side.tiles(); ++i) {
                const float h0 = side.heightAtEdge(i);
                const float h1 = side.height(i);
                const float h2 = side.heightAtEdge(i + 1);
                if (h0 + h1 + h2 <= 0) continue;
                const scene::Rgba colour = lit(side.colour(i), light);
                const float middle = side.middle(i);
                quad(side.at(side.edge(i), 0), side.at(middle, 0), side.at(middle, h1), side.at(side.edge(i), h0),
                     colour);
                quad(side.at(middle, 0), side.at(side.edge(i + 1), 0), side.at(side.edge(i + 1), h2),
                     side.at(middle, h1), colour);
            }
        }
    }
}

void FieldMesh::build(const scene::SpaceSurface& surface, glm::vec3 toEye) {
    vertices_.clear();
    indices_.clear();
    if (surface.heights.empty()) return;
    addVertices(surface);
    const std::size_t across = surface.verticesAcross();
    const std::size_t rows = surface.verticesDeep() - 1;
    const std::size_t columns = across - 1;
    indices_.reserve(6 * rows * columns);
    for (std::size_t r = 0; r < rows; ++r) {
        const std::size_t j = toEye.z > 0 ? rows - 1 - r : r;
        for (std::size_t c = 0; c < columns; ++c) {
            const std::size_t i = toEye.x > 0 ? columns - 1 - c : c;
            const auto at = static_cast<std::uint32_t>(j * across + i);
            const auto below = static_cast<std::uint32_t>(at + across);
            indices_.insert(indices_.end(), {at, below, at + 1, at + 1, below, below + 1});
        }
    }
}

void FieldMesh::addVertices(const scene::SpaceSurface& surface) {
    const std::size_t across = surface.verticesAcross();
    const std::size_t deep = surface.verticesDeep();
    // Counted in tiles: the middle of the first is at a half, and the border at a whole number.
    const auto tilesTo = [](std::size_t i, std::size_t count) {
        return std::clamp(static_cast<float>(i) - 0.5F, 0.0F, static_cast<float>(count - 2));
    };
    vertices_.reserve(across * deep);
    for (std::size_t j = 0; j < deep; ++j) {
        const std::size_t j0 = j == 0 ? 0 : j - 1;
        const std::size_t j1 = std::min(j + 1, deep - 1);
        for (std::size_t i = 0; i < across; ++i) {
            const std::size_t i0 = i == 0 ? 0 : i - 1;
            const std::size_t i1 = std::min(i + 1, across - 1);
            const float dx =
                (surface.heightOf(i1, j) - surface.heightOf(i0, j)) / (surface.vertexX(i1) - surface.vertexX(i0));
            const float dz =
                (surface.heightOf(i, j1) - surface.heightOf(i, j0)) / (surface.vertexZ(j1) - surface.vertexZ(j0));
            vertices_.push_back({{surface.vertexX(i), surface.heightOf(i, j), surface.vertexZ(j)},
                                 glm::normalize(glm::vec3(-dx, 1, -dz)),
                                 {tilesTo(i, across), tilesTo(j, deep)}});
        }
    }
}

namespace {

constexpr double kPointsDepth = 0.01;  ///< share of the depth range for points, which lie in front of everything else

// Each pass owns a program and the buffers it draws from. The caller has set viewport, depth test and blending.

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

// Vectors of the scene go to the driver as they are.
static_assert(std::is_standard_layout_v<SpaceVertex> && sizeof(SpaceVertex) == 16);
static_assert(std::is_standard_layout_v<scene::SpacePoint> && sizeof(scene::SpacePoint) == sizeof(SpaceVertex));
static_assert(offsetof(scene::SpacePoint, colour) == offsetof(SpaceVertex, colour));

void attribute(GLuint index, GLint size, GLenum type, std::size_t stride, std::size_t offset) {
    const GLboolean normalised = type == GL_UNSIGNED_BYTE ? GL_TRUE : GL_FALSE;
    // OpenGL takes an offset into the buffer for a pointer. NOLINTNEXTLINE(performance-no-int-to-ptr)
    const void* at = reinterpret_cast<const void*>(offset);
    glVertexAttribPointer(index, size, type, normalised, static_cast<GLsizei>(stride), at);
    glEnableVertexAttribArray(index);
}

// --- triangles, lines, points ---

SpacePass::SpacePass(Program program)
    : program_(std::move(program)),
      worldToClip_(glGetUniformLocation(program_.id(), "worldToClip")),
      pointSize_(glGetUniformLocation(program_.id(), "pointSize")) {
    glBindVertexArray(array_.id());
    vertices_.bind();
    indices_.bind();
    attribute(0, 3, GL_FLOAT, sizeof(SpaceVertex), offsetof(SpaceVertex, at));
    attribute(1, 4, GL_UNSIGNED_BYTE, sizeof(SpaceVertex), offsetof(SpaceVertex, colour));
}

sim::Expected<SpacePass> SpacePass::create() {
    return Program::create("space").map([](Program p) { return SpacePass(std::move(p)); });
}

void SpacePass::setCamera(const scene::SpaceScene& scene, float scale) {
    glUseProgram(program_.id());
    glUniformMatrix4fv(worldToClip_, 1, GL_FALSE, glm::value_ptr(scene.toClip));
    glUniform1f(pointSize_, scene.pointSize * scale);
}

void SpacePass::triangles(const SpaceMesh& mesh) {
    if (mesh.indices().empty()) return;
    glUseProgram(program_.id());
    glBindVertexArray(array_.id());
    vertices_.upload(mesh.vertices().data(), mesh.vertices().size() * sizeof(SpaceVertex));
    indices_.upload(mesh.indices().data(), mesh.indices().size() * sizeof(std::uint32_t));
    glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(mesh.indices().size()), GL_UNSIGNED_INT, nullptr);
}

void SpacePass::lines(std::span<const scene::SpaceSegment> segments) {
    if (segments.empty()) return;
    ends_.clear();
    ends_.reserve(2 * segments.size());
    for (const scene::SpaceSegment& s : segments) {
        ends_.push_back({s.a, s.colour});
        ends_.push_back({s.b, s.colour});
    }
    glUseProgram(program_.id());
    glBindVertexArray(array_.id());
    vertices_.upload(ends_.data(), ends_.size() * sizeof(SpaceVertex));
    glDrawArrays(GL_LINES, 0, static_cast<GLsizei>(ends_.size()));
}

void SpacePass::points(std::span<const scene::SpacePoint> points) {
    if (points.empty()) return;
    glUseProgram(program_.id());
    glBindVertexArray(array_.id());
    vertices_.upload(points.data(), points.size_bytes());
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(points.size()));
}

// --- surfaces ---

FieldPass::FieldPass(Program program) : program_(std::move(program)) {
    glBindVertexArray(array_.id());
    vertices_.bind();
    indices_.bind();
    attribute(0, 3, GL_FLOAT, sizeof(FieldVertex), offsetof(FieldVertex, at));
    attribute(1, 3, GL_FLOAT, sizeof(FieldVertex), offsetof(FieldVertex, normal));
    attribute(2, 2, GL_FLOAT, sizeof(FieldVertex), offsetof(FieldVertex, tile));
    glBindTexture(GL_TEXTURE_2D, colours_.id());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glBindTexture(GL_TEXTURE_2D, 0);
}

sim::Expected<FieldPass> FieldPass::create() {
    return Program::create("field").map([](Program p) { return FieldPass(std::move(p)); });
}

void FieldPass::uploadColours(const scene::SpaceSurface& surface) {
    glActiveTexture(GL_TEXTURE0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glBindTexture(GL_TEXTURE_2D, colours_.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, static_cast<GLsizei>(surface.columns()),
                 static_cast<GLsizei>(surface.rows()), 0, GL_RGBA, GL_UNSIGNED_BYTE, surface.colours.data());
}

void FieldPass::draw(const scene::SpaceScene& scene) {
    if (scene.surface.heights.empty()) return;
    mesh_.build(scene.surface, scene.toEye);
    uploadColours(scene.surface);
    glUseProgram(program_.id());
    const GLuint id = program_.id();
    glUniformMatrix4fv(glGetUniformLocation(id, "worldToClip"), 1, GL_FALSE, glm::value_ptr(scene.toClip));
    glUniform3fv(glGetUniformLocation(id, "toEye"), 1, glm::value_ptr(scene.toEye));
    glUniform1f(glGetUniformLocation(id, "ambient"), scene.ambient);
    glUniform1i(glGetUniformLocation(id, "colours"), 0);
    glUniform1f(glGetUniformLocation(id, "edged"), scene.surface.edged ? 1.0F : 0.0F);
    glBindVertexArray(array_.id());
    vertices_.upload(mesh_.vertices().data(), mesh_.vertices().size() * sizeof(FieldVertex));
    indices_.upload(mesh_.indices().data(), mesh_.indices().size() * sizeof(std::uint32_t));
    glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(mesh_.indices().size()), GL_UNSIGNED_INT, nullptr);
    glBindTexture(GL_TEXTURE_2D, 0);
}

class SpaceScenePainter final : public SpacePainter {
  public:
    SpaceScenePainter(SpacePass space, FieldPass field) : space_(std::move(space)), field_(std::move(field)) {}

    void paint(const scene::SpaceScene& scene, Rect where, int framebufferHeight) override;

  private:
    void paintKept(const scene::SpaceScene& scene, const Rect& where);
    void paintSolid(const scene::SpaceScene& scene);
    void paintOver(const scene::SpaceScene& scene);

    SpacePass space_;
    FieldPass field_;
    DepthSurface surface_;
    SpaceMesh mesh_;

    // What the surface shows.
    scene::SpaceScene shown_;
    int width_ = 0;
    int height_ = 0;
};

/// Sets all state that others may have left such that nothing, or only a part, would be painted.
void resetSpaceState() {
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    resetDesktopState();
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    resetDepthRange();
    glLineWidth(1);
}

void SpaceScenePainter::paint(const scene::SpaceScene& scene, Rect where, int framebufferHeight) {
    if (where.width < 1 || where.height < 1 || !(scene.size.x > 0)) return;
    GLint target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    if (where.width != width_ || where.height != height_ || !samePicture(scene, shown_)) {
        paintKept(scene, where);
        shown_ = scene;
        width_ = where.width;
        height_ = where.height;
    }
    const int bottom = framebufferHeight - where.y - where.height;
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, surface_.framebuffer());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(target));
    glBlitFramebuffer(0, 0, where.width, where.height, where.x, bottom, where.x + where.width, bottom + where.height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(target));
}

void SpaceScenePainter::paintKept(const scene::SpaceScene& scene, const Rect& where) {
    surface_.resize(where.width, where.height);
    glBindFramebuffer(GL_FRAMEBUFFER, surface_.framebuffer());
    resetSpaceState();
    glViewport(0, 0, where.width, where.height);
    glClear(GL_DEPTH_BUFFER_BIT);
    clearTo(scene.background);
    space_.setCamera(scene, static_cast<float>(where.width) / scene.size.x);
    field_.draw(scene);
    paintSolid(scene);
    paintOver(scene);
    // The state that the painter of the rings and ImGui expect.
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(0);
    glUseProgram(0);
}

void SpaceScenePainter::paintSolid(const scene::SpaceScene& scene) {
    mesh_.clear();
    mesh_.addWalls(scene);
    for (const scene::SpaceBox& box : scene.boxes) mesh_.add(scene, box);
    for (const scene::SpaceFace& face : scene.faces) mesh_.add(scene, face);
    space_.triangles(mesh_);
    space_.lines(scene.segments);
    // No box hides a point; among themselves the nearer hides the farther.
    setDepthRange(kPointsDepth);
    space_.points(scene.points);
    setDepthRange(1);
}

/// Transparent panes, and lines that nothing hides.
void SpaceScenePainter::paintOver(const scene::SpaceScene& scene) {
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    mesh_.clear();
    for (const scene::SpaceFace& pane : scene.panes) mesh_.add(scene, pane);
    space_.triangles(mesh_);
    glDisable(GL_DEPTH_TEST);
    space_.lines(scene.overlay);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

}  // namespace

sim::Expected<std::unique_ptr<SpacePainter>> SpacePainter::create() {
    WHORL_TRY(checkVersion());
    auto space = WHORL_TRY(SpacePass::create());
    auto field = WHORL_TRY(FieldPass::create());
    return std::make_unique<SpaceScenePainter>(std::move(space), std::move(field));
}

}  // namespace whorl::gl
