#include "render/gl/space_passes.h"

#include <cstddef>
#include <glm/gtc/type_ptr.hpp>
#include <type_traits>

namespace whorl::gl {

// Vectors of the scene go to the driver as they are.
static_assert(std::is_standard_layout_v<SpaceVertex> && sizeof(SpaceVertex) == 16);
static_assert(std::is_standard_layout_v<scene::SpacePoint> && sizeof(scene::SpacePoint) == sizeof(SpaceVertex));
static_assert(offsetof(scene::SpacePoint, colour) == offsetof(SpaceVertex, colour));

namespace {

void attribute(GLuint index, GLint size, GLenum type, std::size_t stride, std::size_t offset) {
    const GLboolean normalised = type == GL_UNSIGNED_BYTE ? GL_TRUE : GL_FALSE;
    // OpenGL takes an offset into the buffer for a pointer. NOLINTNEXTLINE(performance-no-int-to-ptr)
    const void* at = reinterpret_cast<const void*>(offset);
    glVertexAttribPointer(index, size, type, normalised, static_cast<GLsizei>(stride), at);
    glEnableVertexAttribArray(index);
}

}  // namespace

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

}  // namespace whorl::gl
