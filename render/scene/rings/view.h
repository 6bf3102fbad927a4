// How the rings are looked at: all that the picture depends on beside the run and the time. Plain data.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "render/scene/scene.h"
#include "sim/analysis/level_gauge.h"
#include "sim/base/types.h"
#include "sim/replay/snapshot.h"

namespace whorl::sim {
struct SpanRequests;
}

namespace whorl::scene {

/// What a glyph stands for.
enum class Grain : std::uint8_t {
    blocks,    ///< a block
    elements,  ///< an element of a block: the glyphs of one block move together
    fitting,   ///< elements if all of them have room, else blocks
};

/// What the size of a ring depends on.
enum class RingSizes : std::uint8_t {
    content,   ///< the number of blocks of the trace that its caches can hold
    capacity,  ///< the number of blocks that its caches have room for
};

/// A piece of memory that a person has picked.
struct PickedBytes {
    sim::ByteAddress from;
    std::uint64_t bytes = 1;

    /// Whether it shares a byte with the `size` bytes from `base` on.
    bool touches(sim::ByteAddress base, std::uint64_t size) const {
        return base.value <= from.value ? from.value - base.value < size : base.value - from.value < bytes;
    }
    bool operator==(const PickedBytes&) const = default;
};

/// Rings that grow out of those of another machine.
struct Growth {
    std::vector<float> outer = {};  ///< the outer radii of that one's levels, as shares of the unit; empty: none
    float share = 1;                ///< how far they have grown

    bool operator==(const Growth&) const = default;
};

struct View {
    glm::vec2 size{1280, 720};  ///< pixels
    Ground ground = Ground::dark;
    float textScale = 1;         ///< pixels of the screen for each of 96 to the inch
    bool numbered = false;       ///< numbers beside the events of the last access; set while time stands still
    bool reducedMotion = false;  ///< blocks fade out where they were and in where they go, and do not travel

    float zoom = 1;  ///< 1 to kMaxZoom
    /// The place in the middle of the picture, from the centre of the rings, as shares of the unit.
    glm::vec2 focus{0};
    Grain grain = Grain::blocks;
    RingSizes rings = RingSizes::content;
    Growth growth = {};
    std::optional<std::uint32_t> cpu;  ///< the only CPU whose caches are shown; none: all

    double moveTicks = kAtRest;  ///< how long every move takes, in accesses
    double pace = 0;             ///< accesses a second, to judge flashes by; 0: stepped by hand
    std::uint32_t trails = 24;   ///< how many accesses leave their pathlines
    bool use = false;            ///< a glyph is filled as far as the bytes of its block have been used
    bool byCycles = false;       ///< accesses take as long as they cost: a CPU shows how far it has waited
    std::uint64_t lapse = 1;     ///< accesses a frame; from 2 on (time-lapse) it shows all since the last frame

    sim::GaugeSettings gauge;  ///< what the level gauges show
    /// The requests to the caches over the span of the gauges; null until it is computed, or if the gauges look back.
    std::shared_ptr<const sim::SpanRequests> gaugeSpan = nullptr;
    std::optional<sim::ByteAddress> marked;  ///< the block of this byte is outlined wherever it is drawn
    bool stage = false;                      ///< for an audience: glyphs and text grow with the picture
    bool compared = false;                   ///< shown beside other runs, with hits and misses in the headings of all
    std::vector<sim::ByteAddress> watched;   ///< the blocks of these bytes are outlined too, in another colour
    std::optional<PickedBytes> picked;       ///< blocks that hold nothing of it are faint
    std::optional<sim::SiteId> site;         ///< only accesses of its source line leave pathlines
    std::map<std::size_t, Rgba> hues;        ///< by region: colours that a person has chosen

    /// The length of a move when accesses are stepped through one by one: each is over before the next begins.
    static constexpr double kAtRest = 0.6;
    static constexpr float kMaxZoom = 256;
    /// With more accesses to show than this, flows are drawn instead of the way of each block.
    static constexpr std::uint64_t kMaxSteps = 512;

    bool operator==(const View&) const = default;
};

/// Duration of a move, in accesses, at a pace of `accessesPerSecond`. At most 0.45 s, so that a slow pace does not
/// drag; at least 0.25 s, so that the eye can follow and no glyph is seen in one frame only, but never more than 64
/// accesses.
double moveTicksAt(double accessesPerSecond);

/// How many accesses a frame of a film shows at a pace: all since the last frame; 1, no time-lapse, when they are at
/// most two. `chosen` is what a person has set: a time-lapse is never so short that accesses are left out between
/// frames.
std::uint64_t lapseAt(double accessesPerSecond, double framesPerSecond, std::optional<std::uint64_t> chosen = {});

/// How long a move takes in a view: in time-lapse nothing is between two places.
double moveTicksOf(const View& view);

/// Duration of a flash or a pulse, in accesses, in a time-lapse of `lapse` accesses a frame: several frames, as
/// anything that is in the picture for one frame only would flicker.
double flashTicksOf(double lapse);

/// The number of accesses over which flows are counted: several frames, as their widths would tremble from frame to
/// frame; one frame is enough if it has many accesses.
std::uint64_t flowTicksOf(std::uint64_t lapse);

/// The last accesses over which levels are measured: those of the gauges' window; in time-lapse at least those of the
/// last 16 frames, as fewer would make another picture of every frame.
std::uint64_t windowOf(const View& view);

/// How far back the picture of a view reaches: what a Snapshot for it must hold.
sim::Lookback lookbackOf(const View& view);

}  // namespace whorl::scene
