#include "render/scene/rings/pick.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace whorl::scene {

namespace {

/// How far from the pointer small glyphs, and lines, are still found; pixels.
constexpr float kReach = 6.0f;
constexpr float kTrailReach = 3.0f;
/// Arms closer than this, in pixels of a picture 720 high, cannot be picked one by one.
constexpr float kArmRoom = 9.0f;

float distanceTo(const Stroke& stroke, glm::vec2 point) {
    const glm::vec2 along = stroke.b - stroke.a;
    const float length2 = glm::dot(along, along);
    const float share = length2 == 0 ? 0 : std::clamp(glm::dot(point - stroke.a, along) / length2, 0.0f, 1.0f);
    return glm::distance(point, stroke.a + along * share);
}

/// The nearest target so far, measured from its outline, so that a large glyph does not hide a small one beside it.
struct Nearest {
    float distance = kReach;
    Target target;

    void offer(const Target& candidate, float away) {
        if (candidate.kind == Target::Kind::none || away >= distance) return;
        distance = away;
        target = candidate;
    }
};

Target trailAt(const Scene& scene, glm::vec2 point) {
    Nearest nearest{.distance = kTrailReach, .target = {}};
    for (std::size_t i = scene.trails.size(); i-- > 0;) {
        if (std::max(scene.trails[i].colourA.a, scene.trails[i].colourB.a) < 24) continue;
        nearest.offer(scene.trailTargets[i], distanceTo(scene.trails[i], point) - scene.trails[i].width / 2);
    }
    for (std::size_t i = scene.flows.size(); i-- > 0;) {
        nearest.offer(scene.flowTargets[i], distanceTo(scene.flows[i], point) - scene.flows[i].width / 2);
    }
    return nearest.target;
}

Target ringAt(const RingLayout& layout, std::size_t level, glm::vec2 place, float zoom) {
    const LevelRing& ring = layout.levels[level];
    const Slot slot = ring.slotAt(place);
    Target target{.kind = Target::Kind::level,
                  .level = static_cast<std::uint8_t>(level),
                  .cache = static_cast<std::uint8_t>(layout.cacheShown(level, slot.cache))};
    const bool isArm = slot.set < ring.sets() && ring.room() * zoom >= kArmRoom * layout.detail;
    if (isArm && glm::length(place) < ring.outer()) {
        target.kind = Target::Kind::set;
        target.set = sim::SetIndex{slot.set};
        target.rank = static_cast<std::uint16_t>(slot.rank);
    }
    return target;
}

/// The part of the rings that a place lies in.
Target partAt(const RingLayout& layout, glm::vec2 place, float zoom) {
    const float r = glm::length(place);
    if (r < layout.core) {
        float least = layout.core;
        std::uint32_t cpu = 0;
        for (std::uint32_t c = 0; c < layout.cpus; ++c) {
            const float away = glm::distance(layout.cpuPlace(c), place);
            if (away < least) cpu = c;
            least = std::min(least, away);
        }
        return {.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(layout.firstCpu + cpu)};
    }
    for (std::size_t l = 0; l < layout.levels.size(); ++l) {
        if (r >= layout.levels[l].inner() && r < layout.levels[l].outer() + layout.channel) {
            return ringAt(layout, l, place, zoom);
        }
    }
    return {};
}

}  // namespace

Target pick(const Scene& scene, const RingLayout& layout, const View& view, glm::vec2 point) {
    Nearest nearest;
    for (std::size_t i = scene.moving.size(); i-- > 0;) {
        nearest.offer(scene.movingTargets[i], glm::distance(scene.moving[i].at, point) - scene.moving[i].radius);
    }
    for (std::size_t i = scene.resting.size(); i-- > 0;) {
        nearest.offer(scene.restingTargets[i], glm::distance(scene.resting[i].at, point) - scene.resting[i].radius);
    }
    for (std::size_t i = 0; i < scene.cells.size(); ++i) {
        nearest.offer(scene.cellTargets[i], distanceTo(scene.cells[i], point) - scene.cells[i].width / 2);
    }
    if (nearest.target.kind != Target::Kind::none) return nearest.target;
    if (const Target trail = trailAt(scene, point); trail.kind != Target::Kind::none) return trail;

    const Lens lens = layout.lensOf(view);
    const glm::vec2 place = lens.back(point);
    const Target part = partAt(layout, place, lens.zoom);
    if (part.kind != Target::Kind::none) return part;
    const float r = glm::length(place);
    if (r < layout.memory.inner || r > layout.unit) return {};
    const std::size_t arc = layout.memory.arcAt(std::atan2(place.y, place.x));
    if (arc == layout.memory.arcs.size()) return {};
    return {.kind = Target::Kind::region, .region = layout.memory.arcs[arc].region};
}

}  // namespace whorl::scene
