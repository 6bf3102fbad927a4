// How the picture is looked at: everything beside the run and the time on which it depends. Plain data.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>

#include "render/scene/scene.h"
#include "sim/types.h"

namespace whorl::scene {

struct View {
    glm::vec2 size{1280, 720};  ///< pixels
    Ground ground = Ground::dark;
    float textScale = 1;
    double moveTicks = kAtRest;              ///< how long every move takes, in accesses
    std::uint32_t history = 24;              ///< how many accesses leave their trails
    std::uint32_t cpu = 0;                   ///< whose caches the rings show
    std::optional<sim::ByteAddress> marked;  ///< the block that holds this byte is ringed wherever it is drawn

    /// The length of a move when accesses are stepped through one by one: each is over before the next begins.
    static constexpr double kAtRest = 0.6;

    bool operator==(const View&) const = default;
};

/// How long a move takes, in accesses, at a pace of so many accesses a second. At most 0.45 s, so that a slow pace does
/// not drag; at least 0.1 s, so that the eye can follow, but never more than 64 accesses.
double moveTicksAt(double accessesPerSecond);

/// How many accesses back the picture reaches: what Run's moments must hold.
std::uint64_t lookbackOf(const View& view);

}  // namespace whorl::scene
