#include "render/gl/space_mesh.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

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

}  // namespace whorl::gl
