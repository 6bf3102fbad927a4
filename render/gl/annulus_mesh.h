// Rings, sectors and discs around the scene's centre as triangles with a colour at each corner. Plain data, no GL.
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

}  // namespace whorl::gl
