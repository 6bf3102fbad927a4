#include "render/gl/space_mesh.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace whorl::gl {

namespace {

constexpr float kAmbient = 0.34F;      ///< as in shaders/field.frag
constexpr float kNarrowPixels = 0.5F;  ///< sides that are seen narrower are left out

scene::Rgba lit(scene::Rgba colour, float light) {
    const auto channel = [&](std::uint8_t c) {
        return static_cast<std::uint8_t>(static_cast<float>(c) * light + 0.5F);
    };
    return {channel(colour.r), channel(colour.g), channel(colour.b), colour.a};
}

/// Whether the front of a side is turned to the eye.
bool faces(const scene::SpaceScene& scene, glm::vec3 at, glm::vec3 normal) {
    return glm::dot(glm::vec3(scene.eye) - at * scene.eye.w, normal) > 0;
}

}  // namespace

float headlight(glm::vec3 normal, glm::vec3 toEye) {
    return kAmbient + (1 - kAmbient) * std::abs(glm::dot(normal, toEye));
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
        quad(a, a + across, a + across + along, a + along, lit(box.colour, headlight(normal, scene.toEye)));
    }
}

void SpaceMesh::add(const scene::SpaceScene& scene, const scene::SpaceFace& face) {
    const glm::vec3 normal = glm::cross(face.u, face.v);
    const float length = glm::length(normal);
    const bool isLit = face.colour.a == 255 && length > 0;
    quad(face.a, face.a + face.u, face.a + face.u + face.v, face.a + face.v,
         isLit ? lit(face.colour, headlight(normal / length, scene.toEye)) : face.colour);
}

void SpaceMesh::addWalls(const scene::SpaceScene& scene) {
    const scene::SpaceSurface& s = scene.surface;
    if (s.heights.empty()) return;
    // Along x at both ends of z, and along z at both ends of x.
    for (int side = 0; side < 4; ++side) {
        const bool alongX = side < 2;
        const bool far = side % 2 == 1;
        const std::size_t count = alongX ? s.columns() : s.rows();
        const float fixed = alongX ? (far ? s.z.back() : s.z.front()) : (far ? s.x.back() : s.x.front());
        glm::vec3 normal(0);
        normal[alongX ? 2 : 0] = far ? 1.0F : -1.0F;
        const auto at = [&](float place, float height) {
            return alongX ? glm::vec3(place, height, fixed) : glm::vec3(fixed, height, place);
        };
        if (!faces(scene, at(0, 0), normal)) continue;
        const auto tile = [&](std::size_t i) {
            if (alongX) return (far ? s.rows() - 1 : 0) * s.columns() + i;
            return i * s.columns() + (far ? s.columns() - 1 : 0);
        };
        const std::vector<float>& edges = alongX ? s.x : s.z;
        const auto heightAt = [&](std::size_t edge) {
            if (edge == 0) return s.heights[tile(0)];
            if (edge == count) return s.heights[tile(count - 1)];
            // The surface is straight from the middle of one tile to that of the next.
            const float before = edges[edge] - edges[edge - 1];
            const float after = edges[edge + 1] - edges[edge];
            const float h = s.heights[tile(edge - 1)];
            return h + (s.heights[tile(edge)] - h) * before / (before + after);
        };
        const float light = headlight(normal, scene.toEye);
        for (std::size_t i = 0; i < count; ++i) {
            const float h0 = heightAt(i);
            const float h1 = s.heights[tile(i)];
            const float h2 = heightAt(i + 1);
            if (h0 + h1 + h2 <= 0) continue;
            const scene::Rgba colour = lit(s.colours[tile(i)], light);
            const float middle = (edges[i] + edges[i + 1]) * 0.5F;
            quad(at(edges[i], 0), at(middle, 0), at(middle, h1), at(edges[i], h0), colour);
            quad(at(middle, 0), at(edges[i + 1], 0), at(edges[i + 1], h2), at(middle, h1), colour);
        }
    }
}

void FieldMesh::build(const scene::SpaceSurface& surface) {
    vertices_.clear();
    indices_.clear();
    if (surface.heights.empty()) return;
    const std::size_t across = surface.verticesAcross();
    const std::size_t deep = surface.verticesDeep();
    vertices_.reserve(across * deep);
    for (std::size_t j = 0; j < deep; ++j) {
        const std::size_t j0 = j == 0 ? 0 : j - 1;
        const std::size_t j1 = std::min(j + 1, deep - 1);
        // Counted in tiles: the middle of the first is at a half.
        const float row = j == 0 ? 0 : j == deep - 1 ? static_cast<float>(deep - 2) : static_cast<float>(j) - 0.5F;
        for (std::size_t i = 0; i < across; ++i) {
            const std::size_t i0 = i == 0 ? 0 : i - 1;
            const std::size_t i1 = std::min(i + 1, across - 1);
            const float dx =
                (surface.heightOf(i1, j) - surface.heightOf(i0, j)) / (surface.vertexX(i1) - surface.vertexX(i0));
            const float dz =
                (surface.heightOf(i, j1) - surface.heightOf(i, j0)) / (surface.vertexZ(j1) - surface.vertexZ(j0));
            const float column = i == 0            ? 0
                                 : i == across - 1 ? static_cast<float>(across - 2)
                                                   : static_cast<float>(i) - 0.5F;
            vertices_.push_back({{surface.vertexX(i), surface.heightOf(i, j), surface.vertexZ(j)},
                                 glm::normalize(glm::vec3(-dx, 1, -dz)),
                                 {column, row}});
        }
    }
    indices_.reserve(6 * (across - 1) * (deep - 1));
    for (std::size_t j = 0; j + 1 < deep; ++j) {
        for (std::size_t i = 0; i + 1 < across; ++i) {
            const auto at = static_cast<std::uint32_t>(j * across + i);
            const auto below = static_cast<std::uint32_t>(at + across);
            indices_.insert(indices_.end(), {at, below, at + 1, at + 1, below, below + 1});
        }
    }
}

}  // namespace whorl::gl
