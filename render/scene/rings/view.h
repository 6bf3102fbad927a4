// How the picture is looked at: everything beside the run and the time on which it depends. Plain data.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <map>
#include <optional>
#include <vector>

#include "render/scene/scene.h"
#include "sim/analysis/level_gauge.h"
#include "sim/base/types.h"
#include "sim/replay/snapshot.h"

namespace whorl::scene {

/// What a glyph stands for.
enum class Grain : std::uint8_t {
    blocks,    ///< a block
    elements,  ///< an element of one: the glyphs of a block move as one
    fitting,   ///< elements where all of them have room, else blocks
};

struct View {
    glm::vec2 size{1280, 720};  ///< pixels
    Ground ground = Ground::dark;
    float textScale = 1;         ///< pixels of the screen for each of 96 to the inch
    bool lecture = false;        ///< text for the last row
    bool reducedMotion = false;  ///< nothing travels: it fades out where it was and in where it goes

    float zoom = 1;  ///< 1 to kMostZoom
    glm::vec2 focus{
        0};  ///< what lies in the middle of the picture: from the centre of the rings, as shares of the unit
    Grain grain = Grain::blocks;
    std::optional<std::uint32_t> cpu;  ///< only this one's caches are shown

    double moveTicks = kAtRest;  ///< how long every move takes, in accesses
    double pace = 0;             ///< accesses a second, for the flash meter; 0: stepped through
    std::uint32_t history = 24;  ///< how many accesses leave their pathlines
    std::uint64_t lapse = 1;     ///< accesses a frame: from 2 on the picture shows all since the frame before

    sim::GaugeSettings gauge;                ///< what the disks behind the levels show
    std::optional<sim::ByteAddress> marked;  ///< the block that holds this byte is ringed wherever it is drawn
    std::vector<sim::ByteAddress> watched;   ///< so are these, in another way
    std::map<std::size_t, Rgba> hues;        ///< of regions that a person has coloured

    /// The length of a move when accesses are stepped through one by one: each is over before the next begins.
    static constexpr double kAtRest = 0.6;
    static constexpr float kMostZoom = 256;
    /// With more accesses to show than this, flows are drawn and not the way of each block.
    static constexpr std::uint64_t kMostSteps = 512;

    bool operator==(const View&) const = default;
};

/// How long a move takes, in accesses, at a pace of so many accesses a second. At most 0.45 s, so that a slow pace does
/// not drag; at least 0.1 s, so that the eye can follow, but never more than 64 accesses.
double moveTicksAt(double accessesPerSecond);

/// How long a move takes in a view: in time-lapse nothing is between two places.
double moveTicksOf(const View& view);

/// How far back the picture reaches: what Run's moments must hold.
sim::Lookback lookbackOf(const View& view);

}  // namespace whorl::scene
