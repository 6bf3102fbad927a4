// The picture of the rings as plain data: what to draw where, in which colour. SceneBuilder makes it, gl::Painter
// paints it, `pick` finds what lies under a point of it. Positions and sizes are in pixels of the view, x to the right,
// y down, from its upper left corner.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "render/scene/colour.h"
#include "sim/base/types.h"

namespace whorl::scene {

/// What is behind a picture, and with it all colours. Further values, by turns dark and light, are grounds on which
/// some colours were chosen by hand: see palette.h.
enum class Ground : std::uint32_t { dark, light };

constexpr bool isDark(Ground ground) {
    return static_cast<std::uint32_t>(ground) % 2 == 0;
}
/// The ground without colours chosen by hand.
constexpr Ground plain(Ground ground) {
    return isDark(ground) ? Ground::dark : Ground::light;
}

/// A disc or ring around the scene's centre; the colour runs evenly from the inner to the outer edge.
struct Annulus {
    float inner = 0;
    float outer = 0;
    Rgba innerColour;
    Rgba outerColour;
};

/// A sector of a ring between spiral arms: its sides are involutes of a circle.
struct RingSector {
    float inner = 0;
    float outer = 0;
    float from = 0;  ///< the angle at which it begins, at the inner edge
    float span = 0;
    float base = 0;  ///< the radius of the circle that its sides unroll from; 0: they are straight
    Rgba innerColour;
    Rgba outerColour;
};

/// A broad line of one colour through many points, without seams at its joints however transparent it is.
struct Ribbon {
    std::vector<glm::vec2> path;
    float width = 1;
    Rgba colour;
};

/// A straight line with round ends; the colour runs from one end to the other. From a to a it is a dot.
struct Stroke {
    glm::vec2 a{0};
    glm::vec2 b{0};
    float width = 1;
    Rgba colourA;
    Rgba colourB;
};

enum class Shape : std::uint8_t { disc, diamond, square, triangle };

/// A block of memory: filled, with a rim inside its radius, a mark in its middle, and a glow around it.
struct Glyph {
    glm::vec2 at{0};
    float radius = 1;
    Rgba fill;
    Rgba rim;
    float rimWidth = 0;  ///< pixels, 0: no rim
    float glow = 0;      ///< 0: none, 1: a halo of the fill's colour to twice the radius
    Rgba core;
    float coreRadius = 0;  ///< radius of the mark in the middle, pixels; 0: no mark
    Shape shape = Shape::disc;
    Texture texture = Texture::plain;  ///< its stripes let the ground through
};

/// The thing that an element of the picture stands for.
struct Target {
    enum class Kind : std::uint8_t {
        none,
        line,    ///< a block in a cache: level, cache, set, rank, address
        slot,    ///< a block in memory: address
        cell,    ///< neighbours that share a cell: level, cache, and the first's set and rank
        set,     ///< an arm: level, cache, set
        level,   ///< a ring, or a cache's sector of it: level, cache
        region,  ///< an arc of the memory ring: region
        cpu,     ///< cpu
        trail,   ///< a move by an access: tick, address, and the level that the block came to or left
        flow,    ///< moves by many accesses: flow, the index into Snapshot::flows
    };
    Kind kind = Kind::none;
    std::uint8_t level = 0;
    std::uint8_t cache = 0;
    std::uint8_t cpu = 0;
    std::uint16_t rank = 0;
    std::uint16_t part = 0;  ///< which of the block's glyphs, where it has one for each element
    sim::SetIndex set;
    sim::ByteAddress address;  ///< the first byte of the block
    std::uint32_t region = 0;
    std::uint32_t flow = 0;
    sim::Tick tick;

    bool operator==(const Target&) const = default;
};

struct Label {
    enum class Kind : std::uint8_t {
        curved,  ///< along the circle of radius `at.x` around the centre, centred on the angle `at.y` (clockwise from
                 ///< +x)
        plain,   ///< centred on `at`
        corner,  ///< with its upper left corner at `at`
    };
    Kind kind = Kind::plain;
    std::string text;
    glm::vec2 at{0};
    float size = 16;  ///< height of the text, pixels
    Rgba colour;
    bool isBare = false;  ///< without an outline of the ground's colour
    bool hasBed = false;  ///< on a bed of the ground's colour, as it may lie over many glyphs; not for curved ones
};

/// The signs in the picture: a legend lists only these.
struct Legend {
    bool miss = false;
    bool access = false;
    bool ghost = false;
    bool dirty = false;
    bool prefetched = false;
    bool used = false;  ///< glyphs are filled as far as their blocks' bytes have been used
    bool empty = false;
    bool shared = false;    ///< places that several blocks share
    bool byWay = false;     ///< in small sets, blocks are placed by way
    bool uncached = false;  ///< memory that no cache holds is dim
    bool inward = false;    ///< trails
    bool outward = false;
    bool writeback = false;
    bool through = false;  ///< a write that goes on to the next level at once
    bool tied = false;     ///< newcomer and victim
    bool taken = false;
    bool falseSharing = false;
    bool flows = false;
    bool selected = false;
    bool watched = false;
    bool temperature = false;
    bool acting = false;  ///< the way from a CPU that acts, of several, to its name
    bool idle = false;    ///< the ring of a cache without recent requests

    bool operator==(const Legend&) const = default;
};

/// Painted in the order of the members.
struct Scene {
    glm::vec2 size{0};
    glm::vec2 centre{0};
    Ground ground = Ground::dark;
    Rgba background;
    std::vector<Annulus> annuli;
    std::vector<RingSector> ringSectors;
    std::vector<Ribbon> ribbons;
    std::vector<Stroke> flows;    ///< streams and what drifts in them: as the trails, under all glyphs
    std::vector<Stroke> cells;    ///< capsules that each stand for several blocks, where there is no room for glyphs
    std::vector<Glyph> resting;   ///< glyphs in their places
    std::vector<Stroke> trails;   ///< one that begins where the one before ended is joined to it without a seam; they
                                  ///< add light on the dark ground, and take it away on the light one
    std::vector<Stroke> threads;  ///< between things that belong together
    std::vector<Stroke> leaders;  ///< from texts to the things that they describe
    std::vector<Glyph> moving;    ///< glyphs that move, pulse or flash: on top
    std::vector<Label> labels;    ///< painted by whoever has a font
    std::vector<std::size_t> numbered;  ///< the facts of the last access that labels number: indices into sim::factsOf

    std::vector<Target> cellTargets;     ///< one for each cell
    std::vector<Target> restingTargets;  ///< one for each resting glyph
    std::vector<Target> movingTargets;   ///< one for each moving glyph
    std::vector<Target> trailTargets;    ///< one for each trail
    std::vector<Target> flowTargets;     ///< one for each stroke of the flows
    std::vector<Target> labelTargets;    ///< one for each label
    Legend legend;
};

inline constexpr float kPi = std::numbers::pi_v<float>;

}  // namespace whorl::scene
