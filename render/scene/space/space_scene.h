// A picture in space as plain data: what to draw where, in which colour. foldedScene and blockScene make it,
// gl::SpacePainter paints it. Places are in the world, except those of labels: pixels from the upper left corner.
#pragma once

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/scene.h"
#include "render/scene/space/space_camera.h"
#include "sim/cache/cost.h"

namespace whorl::scene {

/// How a picture in space is looked at: what folded graphs and BlockViews have in common.
struct SpaceLook {
    glm::vec2 size{1280, 720};  ///< pixels
    Ground ground = Ground::dark;
    float textSize = 16;  ///< pixels
    SpaceCamera camera;
    std::string title;  ///< empty: none

    /// Approximate limit on the primitives to draw; small marks are simplified before large ones. Half of it while the
    /// picture moves keeps slow machines quick.
    std::uint32_t budget = 100'000;
};

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

    // The surface has a vertex in the middle of each tile, and one on the edge before the first and after the last
    // tile, as high as that tile. Between the vertices are pairs of triangles that meet in the line from (i + 1, j) to
    // (i, j + 1), as the diagonals of a folded graph run.
    std::size_t verticesAcross() const { return columns() + 2; }
    std::size_t verticesDeep() const { return rows() + 2; }
    float vertexX(std::size_t i) const { return vertex(x, i); }
    float vertexZ(std::size_t j) const { return vertex(z, j); }
    /// The tile whose height a vertex has.
    std::size_t tileOf(std::size_t i, std::size_t j) const {
        return inner(j, rows()) * columns() + inner(i, columns());
    }
    float heightOf(std::size_t i, std::size_t j) const { return heights[tileOf(i, j)]; }
    bool operator==(const SpaceSurface&) const = default;

  private:
    static std::size_t inner(std::size_t i, std::size_t count) { return i == 0 ? 0 : i > count ? count - 1 : i - 1; }
    static float vertex(const std::vector<float>& edges, std::size_t i) {
        if (i == 0) return edges.front();
        return i >= edges.size() ? edges.back() : (edges[i - 1] + edges[i]) * 0.5F;
    }
};

/// A box along the axes, lit.
struct SpaceBox {
    glm::vec3 low{0};
    glm::vec3 high{0};
    Rgba colour;
    bool operator==(const SpaceBox&) const = default;
};

/// A parallelogram a, a + u, a + u + v, a + v, lit from both sides; unlit if it is not opaque.
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

/// Where the name of a node stands, in pixels.
struct SpaceName {
    glm::vec2 low{0};
    glm::vec2 high{0};
    std::uint32_t node = SpaceSurface::kNone;
};

struct SpaceScene {
    glm::vec2 size{0};  ///< pixels
    Ground ground = Ground::dark;
    Rgba background;
    glm::mat4 toClip{1};
    glm::vec3 toEye{0, 0, 1};   ///< the headlight shines from there
    glm::vec4 eye{0, 0, 1, 0};  ///< where the eye is, in homogeneous coordinates: w is 0 when it is infinitely far
    float ambient = 0.34F;      ///< the brightness of a side at right angles to the headlight, 0 to 1
    SpaceSurface surface;
    std::vector<SpaceBox> boxes;
    std::vector<SpaceFace> faces;
    std::vector<SpaceSegment> segments;
    std::vector<SpacePoint> points;
    float pointSize = 2;                ///< pixels, across
    std::vector<SpaceFace> panes;       ///< transparent; blended over what is behind them, in this order
    std::vector<SpaceSegment> overlay;  ///< lines that nothing hides
    std::optional<double> playhead;     ///< cycles; where a picture of time has one
    bool showsPlayhead = false;         ///< its pane is the last one, and its four edges are the last of the overlay
    std::vector<SpaceName> names;       ///< the labels among these that name a node
    std::vector<Label> labels;          ///< painted by whoever has a font: plain and corner ones only
};

/// Whether two scenes are painted in the same way; labels are not compared.
bool samePicture(const SpaceScene& a, const SpaceScene& b);

// Text in pictures in space: numbers along axes, and labels that do not lie on each other.

/// The smallest of 1, 2, 5, 10, 20, 50 … that divides a length into at most `steps` steps.
sim::Cycles niceStep(sim::Cycles length, std::uint32_t steps);

/// Puts labels into a scene, each only where it covers no other and lies inside the picture.
class SpaceLabels {
  public:
    SpaceLabels(SpaceScene& scene, const SpaceLook& look);

    /// Where a text lies from the point that it is put at.
    enum class Side : std::uint8_t { centre, left, right, above, below };

    /// False when there is no room. `at` and `size` are in pixels; size 0: that of the look. `isBare`: without an
    /// outline of the ground's colour.
    bool put(const std::string& text, glm::vec2 at, Side side, Rgba colour, float size = 0, bool isBare = false);
    /// As put(), at a place in the world and `gap` pixels away from it.
    bool putAt(const std::string& text, glm::vec3 at, Side side, Rgba colour, float gap, float size = 0);
    /// Records that the text put last names a node of the surface.
    void namesNode(std::uint32_t node) { scene_.names.push_back({taken_.back().low, taken_.back().high, node}); }
    /// Puts the title into the upper left corner.
    void title();
    /// Where a text beside the title begins, halfway up.
    glm::vec2 besideTitle() const;

    float textSize() const { return textSize_; }
    Rgba text() const { return text_; }
    Rgba muted() const { return muted_; }

  private:
    struct Place {
        glm::vec2 low;
        glm::vec2 high;
    };
    SpaceScene& scene_;
    const SpaceLook& look_;
    float textSize_;
    Rgba text_;
    Rgba muted_;
    std::vector<Place> taken_;
};

}  // namespace whorl::scene
