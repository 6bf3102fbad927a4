// The spiral arms of one cache level: an annulus in which each set is an arm and each rank a place along it.
//
// Arms are involutes of a circle, the curve that keeps neighbouring arms equally far apart. Angles are in radians,
// clockwise from +x as y runs down; lengths in pixels, measured from the centre of the rings.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

namespace whorl::scene {

class Arms {
  public:
    /// `arms` sets of `ways` places each, between the radii inner and outer; the first arm starts at `start`.
    Arms(float inner, float outer, std::uint32_t arms, std::uint32_t ways, float start);

    /// The place of rank `rank` on an arm, relative to the centre. Ranks may be fractions, for what is moving: -0.5 is
    /// the arm's inner end, ways - 0.5 its outer end.
    glm::vec2 place(std::uint32_t arm, float rank) const;

    float inner() const { return inner_; }
    float outer() const { return outer_; }
    /// The distance between neighbouring arms.
    float pitch() const { return pitch_; }
    /// The distance between neighbouring places on an arm.
    float step() const { return step_; }
    /// The angle at which the first arm ends.
    float end() const;

  private:
    float winding(float r) const;

    float inner_;
    float outer_;
    std::uint32_t arms_;
    std::uint32_t ways_;
    float start_;
    float base_;  ///< the radius of the circle that the involutes unroll from
    float pitch_;
    float step_;
};

/// How a level is drawn, by the room that its blocks have.
enum class Tier : std::uint8_t {
    glyphs,  ///< one glyph a block, on arms
    bands,   ///< the sets folded into concentric bands of arms, one small glyph a block
    cells,   ///< one capsule a block, along its arm
};

/// A level's place in the picture: one set of arms, or several bands of them.
struct LevelRing {
    Tier tier = Tier::glyphs;
    float inner = 0;
    float outer = 0;
    std::uint32_t sets = 1;
    std::uint32_t ways = 1;
    std::vector<Arms> bands;           ///< one, unless the tier is bands
    std::vector<std::uint32_t> spoke;  ///< for each set its place in the order of arms
    float room = 0;                    ///< of a block: the smallest distance between two places, pixels
    float radius = 1;                  ///< of a glyph, pixels

    /// The place of a rank in a set, relative to the centre.
    glm::vec2 place(std::uint32_t set, float rank) const {
        const auto count = static_cast<std::uint32_t>(bands.size());
        return bands[spoke[set] % count].place(spoke[set] / count, rank);
    }
};

/// Lays a level out in an annulus, choosing the tier. `spoke` orders the sets; `start` is the first arm's angle.
LevelRing layLevel(float inner, float outer, std::uint32_t sets, std::uint32_t ways, std::vector<std::uint32_t> spoke,
                   float start);

}  // namespace whorl::scene
