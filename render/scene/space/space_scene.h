// A picture in space as plain data: what to draw where, in which colour. Made from a history and a look by
// `foldedScene` and `blockScene`, painted by gl::SpacePainter. Places are in the world, except those of labels: pixels
// from the upper left corner.
#pragma once

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "render/scene/scene.h"
#include "render/scene/space/space_camera.h"

namespace whorl::scene {

/// A height field over the x-z plane whose rows and columns can have any width: tiles, each with a height and a colour.
/// The surface goes through the middle of each tile and stays level from there to the edge; walls stand under its
/// edges. Tile (row, column) is at row * columns + column; rows run along z.
struct SpaceSurface {
    std::vector<float> x;  ///< the columns' edges, one more than there are columns
    std::vector<float> z;  ///< the rows' edges
    std::vector<float> heights;
    std::vector<Rgba> colours;
    std::vector<std::uint32_t> nodes;  ///< what each tile stands for; kNone: nothing
    bool edged = false;                ///< with a fine line between tiles

    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::size_t columns() const { return x.empty() ? 0 : x.size() - 1; }
    std::size_t rows() const { return z.empty() ? 0 : z.size() - 1; }
    /// Where the surface's vertex for a tile lies.
    float middleX(std::size_t column) const { return (x[column] + x[column + 1]) * 0.5F; }
    float middleZ(std::size_t row) const { return (z[row] + z[row + 1]) * 0.5F; }
    bool operator==(const SpaceSurface&) const = default;
};

/// A box along the axes, lit.
struct SpaceBox {
    glm::vec3 low{0};
    glm::vec3 high{0};
    Rgba colour;
    bool operator==(const SpaceBox&) const = default;
};

/// A parallelogram a, a + u, a + u + v, a + v, lit from both sides; or, where it is not opaque, unlit, and what lies
/// behind shines through.
struct SpaceFace {
    glm::vec3 a{0};
    glm::vec3 u{0};
    glm::vec3 v{0};
    Rgba colour;
    bool operator==(const SpaceFace&) const = default;
};

/// A line, a pixel wide.
struct SpaceSegment {
    glm::vec3 a{0};
    glm::vec3 b{0};
    Rgba colour;
    bool operator==(const SpaceSegment&) const = default;
};

struct SpacePoint {
    glm::vec3 at{0};
    Rgba colour;
    bool operator==(const SpacePoint&) const = default;
};

struct SpaceScene {
    glm::vec2 size{0};  ///< pixels
    Ground ground = Ground::dark;
    Rgba background;
    glm::mat4 toClip{1};
    glm::vec3 toEye{0, 0, 1};  ///< the headlight shines from there
    SpaceSurface surface;
    std::vector<SpaceBox> boxes;
    std::vector<SpaceFace> faces;
    std::vector<SpaceSegment> segments;
    std::vector<SpacePoint> points;
    float pointSize = 2;                ///< pixels, across
    std::vector<SpaceFace> panes;       ///< laid over what is behind them, in this order
    std::vector<SpaceSegment> overlay;  ///< lines that nothing hides
    std::vector<Label> labels;          ///< painted by whoever has a font: plain and corner ones only
};

/// Whether both are painted in the same way; labels are not looked at.
bool samePicture(const SpaceScene& a, const SpaceScene& b);

}  // namespace whorl::scene
