// The spiral arms of one cache: a ring, or a sector of one, in which each set is an arm and each rank a place along it.
//
// Arms are involutes of a circle, the curve that keeps neighbouring arms equally far apart. The borders of a sector are
// such curves too, so that arms never cross them. Angles are in radians, clockwise from +x as y runs down; lengths in
// pixels, measured from the centre of the rings.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>

#include "render/scene/scene.h"

namespace whorl::scene {

/// The angles, at the inner edge of a ring, between which the arms of a cache begin.
struct Sector {
    float from = 0;
    float span = 2 * kPi;
};

/// The angle by which the involute of a circle of radius `base` has turned around the centre at the radius r; 0 within
/// the circle.
float involuteTurn(float base, float r);
/// The angle by which the sides of a sector have turned from its inner edge to the radius r.
float sideTurn(const RingSector& sector, float r);

class Arms {
  public:
    /// `arms` sets of `ways` places each, between the radii inner and outer. The first arm starts at `first`, the
    /// others follow `apart` from one another. Each place is made for `parts` glyphs side by side along the arm.
    struct Shape {
        float inner = 0;
        float outer = 1;
        std::uint32_t arms = 1;
        std::uint32_t ways = 1;
        std::uint32_t parts = 1;
        float first = 0;
        float apart = 1;
        /// The step along the arm over the pitch between arms that is aimed at.
        float stepOverPitch = kArmSteps;
    };
    /// Closer along than across, so that the eye sees arms.
    static constexpr float kArmSteps = 0.6f;
    explicit Arms(const Shape& shape);

    /// The place of rank `rank` on an arm, relative to the centre. Ranks may be fractions, for what is moving: -0.5 is
    /// the arm's inner end, ways - 0.5 its outer end.
    glm::vec2 place(float arm, float rank) const;

    std::uint32_t arms() const { return shape_.arms; }
    float inner() const { return shape_.inner; }
    float outer() const { return shape_.outer; }
    /// The radius of the circle that the arms, and the sides of their sector, unroll from.
    float base() const { return base_; }
    /// The distance between neighbouring arms.
    float pitch() const { return base_ * shape_.apart; }
    /// The angle between neighbouring arms.
    float apart() const { return shape_.apart; }
    /// The distance between neighbouring places of glyphs on an arm.
    float step() const { return step_; }
    /// By how much an arm, or the border of its sector, has turned from the inner edge to the radius r.
    float turned(float r) const;
    /// The radius of a rank.
    float radius(float rank) const;
    /// The rank at a radius: the inverse of `radius`.
    float rankAt(float r) const;
    /// The arm, as a fraction, that passes through a place; from 0 up to where the full turn ends.
    float armAt(glm::vec2 place) const;

  private:
    Shape shape_;
    float base_;  ///< the radius of the circle that the involutes unroll from
    float step_;
};

}  // namespace whorl::scene
