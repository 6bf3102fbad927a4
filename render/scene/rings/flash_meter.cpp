#include "render/scene/rings/flash_meter.h"

#include <cmath>

#include "render/scene/angle.h"
#include "render/scene/rings/easing.h"
#include "render/scene/rings/moving_glyphs.h"

namespace whorl::scene {

namespace {

constexpr float kWidestOutline = 2.45f;  ///< of the outline of a miss, in radii of its glyph

/// The misses in the nearest level among the accesses that are lit.
std::size_t litMisses(const FrameContext& frame) {
    std::size_t misses = 0;
    for (std::size_t step = 0; step < frame.snapshot.recent.size(); ++step) {
        if (frame.motions.lightAge(step) >= kFlashMoves) continue;
        for (const sim::Event& e : frame.snapshot.recent[step].events) {
            misses += e.kind == sim::EventKind::miss && e.level == 0 && e.demand && frame.layout.shows(0, e.cache);
        }
    }
    return misses;
}

}  // namespace

bool keepsHues(const FrameContext& frame) {
    const double lapse = frame.motions.lapse();
    return lapse > 0 && static_cast<double>(litMisses(frame)) * lapse / litTicksOf(lapse) > kMostRedMisses;
}

float flashingArea(const FrameContext& frame) {
    const std::size_t misses = litMisses(frame);
    if (misses == 0) return 0;  // there may be no caches
    const float radius = kWidestOutline * 1.75f * movingRadius(frame, 0);
    const float area = kPi * radius * radius * static_cast<float>(misses);
    return area / (frame.view.size.x * frame.view.size.y);
}

bool mustHoldFlashes(const FrameContext& frame) {
    return frame.view.pace > kMostFlashesASecond && flashingArea(frame) > kMostFlashingArea;
}

}  // namespace whorl::scene
