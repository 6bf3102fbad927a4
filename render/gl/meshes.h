// Rings and lines as triangles. Plain data, no GL.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/scene/scene.h"

namespace whorl::gl {

struct MeshVertex {
    glm::vec2 at;  ///< pixels of the view, y down
    scene::Rgba colour;
};

/// Rings, sectors and discs around the scene's centre, with a colour at each corner.
class AnnulusMesh {
  public:
    /// Replaces the mesh. Borders fade out over a pixel, except where an annulus begins at the border of the one
    /// before: there the colours meet, so that a gradient can be made of several annuli without seams.
    void build(std::span<const scene::Annulus> annuli, std::span<const scene::RingSector> ringSectors, glm::vec2 centre,
               float scale);

    const std::vector<MeshVertex>& vertices() const { return vertices_; }
    const std::vector<std::uint32_t>& indices() const { return indices_; }

  private:
    struct Stop {
        float radius;
        scene::Rgba colour;
    };
    void addBand(std::span<const scene::Annulus> band, float scale);
    void addHairline(const scene::Annulus& annulus, float scale);
    void addRings(glm::vec2 centre);
    void addSector(const scene::RingSector& sector, glm::vec2 centre, float scale);

    std::vector<MeshVertex> vertices_;
    std::vector<std::uint32_t> indices_;
    std::vector<Stop> stops_;
};

// Broad lines as triangles that do not overlap, so that a transparent line is even at its joints.

struct RibbonVertex {
    glm::vec2 at;     ///< pixels of the view, y down
    glm::vec2 off;    ///< from the nearest point of the line, pixels, in any orthonormal frame: its length counts
    float halfWidth;  ///< half the width of the line here, pixels
    scene::Rgba colour;
};

class RibbonMesh {
  public:
    void clear();
    /// Adds a line with round ends through all the points. When the last point is the first, it is a closed curve.
    void add(const scene::Ribbon& ribbon, float scale);
    /// Adds lines. Where one begins at the end of the one before, they become one line that changes its colour and
    /// width.
    void add(std::span<const scene::Stroke> strokes, float scale);

    const std::vector<RibbonVertex>& vertices() const { return vertices_; }
    const std::vector<std::uint32_t>& indices() const { return indices_; }

  private:
    struct Point {
        glm::vec2 at;
        float halfWidth;
        scene::Rgba before;  ///< the colour where the segment up to here ends
        scene::Rgba after;   ///< the colour where the segment from here begins
    };
    struct Segment {
        glm::vec2 along;  ///< unit vector from the start to the end
        glm::vec2 left;   ///< unit normal
        float length;
        float room;  ///< how far a joint may cut into it
    };
    /// The two corners where a segment begins or ends: on its left and on its right.
    struct Section {
        std::uint32_t left;
        std::uint32_t right;
    };
    struct Joint {
        Section in;
        Section out;
    };

    void addLine();
    void addDot(const Point& point);
    void measureSegments(bool closed);
    Joint joint(const Point& point, const Segment& from, const Segment& to);
    Joint roundJoint(const Point& point, const Segment& from, const Segment& to, float reach);
    void fan(const Point& point, std::uint32_t hub, glm::vec2 from, float turn);
    Section cap(const Point& point, const Segment& segment, bool atStart);
    std::uint32_t vertex(const Point& point, glm::vec2 offset, glm::vec2 off, scene::Rgba colour);
    void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);
    void quad(Section from, Section to);

    std::vector<RibbonVertex> vertices_;
    std::vector<std::uint32_t> indices_;
    std::vector<Point> line_;
    std::vector<Segment> segments_;
};

}  // namespace whorl::gl
