#include "render/scene/rings/flash_meter.h"

#include <cmath>
#include <numbers>

namespace whorl::scene {

namespace {

constexpr float kWidest = 2.45f;  ///< of the outline of a miss, in radii of its glyph

/// The nearest level's misses among the accesses that are lit.
std::size_t litMisses(const Shot& shot) {
    std::size_t misses = 0;
    for (std::size_t step = 0; step < shot.snapshot.recent.size(); ++step) {
        if (shot.motions.lightAge(step) >= kFlashMoves) continue;
        for (const sim::Event& e : shot.snapshot.recent[step].events) {
            misses += e.kind == sim::EventKind::miss && e.level == 0 && e.demand && shot.layout.shows(0, e.cache);
        }
    }
    return misses;
}

}  // namespace

float flashingArea(const Shot& shot) {
    const float radius = kWidest * 1.75f * movingRadius(shot, 0);
    const float area = std::numbers::pi_v<float> * radius * radius * static_cast<float>(litMisses(shot));
    return area / (shot.view.size.x * shot.view.size.y);
}

bool mustHoldFlashes(const Shot& shot) {
    return shot.view.pace > kMostFlashesASecond && flashingArea(shot) > kMostFlashingArea;
}

}  // namespace whorl::scene
