// The ring of one cache level, and the spiral arms of its caches: a sector for each of its caches, in it an arm for
// each set, on it a place for each rank. When there are too many sets for arms side by side, or too few ways for an
// arm, they are folded into several bands of arms, one around the other.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

#include "render/scene/scene.h"

namespace whorl::scene {

// The spiral arms of one cache: a ring, or a sector of one, in which each set is an arm and each rank a place along it.
//
// Arms are involutes of a circle, the curve that keeps neighbouring arms equally far apart. The borders of a sector are
// such curves too, so that arms never cross them. Angles are in radians, clockwise from +x as y runs down; lengths in
// pixels, measured from the centre of the rings.

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
        /// The distance of the arms by which the curve is chosen: of sectors of different breadths that of the
        /// narrowest, so that all turn alike and their sides do not meet.
        float curvedBy = apart;
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

// The ring of a level.

/// How blocks are drawn, by the room that each of them has on the screen.
enum class Tier : std::uint8_t {
    glyphs,  ///< each a glyph, on visible arms
    cells,   ///< filled capsules along the arms: one for each block, or for several
};
/// `room`: the smallest distance between two places, in pixels of a picture 720 pixels high.
Tier tierFor(float room);

/// Sets with at most this many places do not look like arms.
inline constexpr std::uint32_t kFewPlaces = 4;

/// Where a block of a level is drawn.
struct Slot {
    std::uint32_t cache = 0;  ///< counted among those that the ring shows
    std::uint32_t set = 0;
    std::uint32_t rank = 0;
};

struct LevelRing {
    struct Shape {
        float inner = 0;
        float outer = 1;
        std::uint32_t caches = 1;
        std::uint32_t sets = 1;
        std::uint32_t ways = 1;
        std::uint32_t parts = 1;           ///< glyphs a block
        float detail = 1;                  ///< pixels for each of a picture 720 pixels high
        std::vector<std::uint32_t> spoke;  ///< for each set its place in the order of arms
        float start = 0;                   ///< the angle of the first sector, or of the first arm if there is only one
        std::vector<float> shares = {};    ///< of the full turn, by cache; empty: all have the same
    };
    explicit LevelRing(Shape shape);

    float inner() const { return shape_.inner; }
    float outer() const { return shape_.outer; }
    std::uint32_t caches() const { return shape_.caches; }
    std::uint32_t sets() const { return shape_.sets; }
    std::uint32_t ways() const { return shape_.ways; }
    std::uint32_t parts() const { return shape_.parts; }
    const std::vector<std::uint32_t>& spoke() const { return shape_.spoke; }
    /// The arms of the first of the narrowest sectors. Arms of wider ones are farther apart.
    const std::vector<Arms>& bands() const { return bands_; }
    /// The smallest distance between the places of two glyphs, pixels.
    float room() const { return room_; }

    std::size_t slots() const { return std::size_t{shape_.caches} * shape_.sets * shape_.ways; }
    std::size_t index(const Slot& slot) const {
        return (std::size_t{slot.cache} * shape_.sets + slot.set) * shape_.ways + slot.rank;
    }
    /// The place of a rank in a set, relative to the centre: of glyph `part` of the block, if it has several. Ranks may
    /// be fractions.
    glm::vec2 place(std::uint32_t cache, std::uint32_t set, float rank, std::uint32_t part = 0) const;
    /// The place of a slot: a whole rank, looked up in a table.
    glm::vec2 place(const Slot& slot, std::uint32_t part = 0) const {
        return places_[index(slot) * shape_.parts + part];
    }
    /// The sector of a cache at a radius, without the gaps beside it.
    Sector sector(std::uint32_t cache, float r) const;
    /// The slot whose place is nearest to a point of the ring, whether or not it holds a block. Between two sectors the
    /// set is sets(): none.
    Slot slotAt(glm::vec2 place) const;
    /// The angle at which the first arm, which began at `start`, ends.
    float end() const;

    /// How many neighbours share a cell where there is no room for glyphs: ranks of an arm, and arms side by side.
    struct Cells {
        std::uint32_t ranks = 1;
        std::uint32_t arms = 1;
        bool operator==(const Cells&) const = default;
    };
    /// Cells just large enough to be `least` pixels apart at a zoom.
    Cells cellsFor(float zoom, float least) const;
    struct Cell {
        glm::vec2 from{0};  ///< its axis, along the arms
        glm::vec2 to{0};
        float width = 1;
        std::vector<Slot> slots;
    };
    std::vector<Cell> cells(const Cells& size) const;

  private:
    struct Spot {
        std::uint32_t band;
        std::uint32_t arm;
    };
    Spot spotOf(std::uint32_t set) const {
        const auto count = static_cast<std::uint32_t>(bands_.size());
        return {shape_.spoke[set] % count, shape_.spoke[set] / count};
    }
    /// The angle from the start of the first sector to that of a cache's, with the gaps.
    float turnOf(std::uint32_t cache) const;
    /// The angle of a cache's sector with its gap; of the narrowest one.
    float spanOf(std::uint32_t cache) const;
    float narrowest() const;
    float gap() const;
    /// The band of a cache as it would be if its sector were the first: those of others are turned.
    const Arms& armsOf(std::uint32_t cache, std::size_t band) const {
        return wide_.empty() ? bands_[band] : wide_[cache][band];
    }
    std::vector<Arms> fold(std::uint32_t count, float stepOverPitch, float span) const;
    std::vector<Arms> fold(std::uint32_t count, float stepOverPitch) const {
        return fold(count, stepOverPitch, narrowest());
    }
    void widen(float stepOverPitch);
    void foldForGlyphs();
    void foldForCells();
    float measureRoom(const std::vector<Arms>& bands) const;

    Shape shape_;
    std::vector<Arms> bands_;              ///< of the narrowest sector, as the first one
    std::vector<std::vector<Arms>> wide_;  ///< by cache; empty where all sectors are alike
    std::vector<std::uint32_t> setAt_;     ///< the inverse of the order of arms
    std::vector<glm::vec2> places_;        ///< places of all glyphs, by slot and part
    float room_ = 0;
};

}  // namespace whorl::scene
