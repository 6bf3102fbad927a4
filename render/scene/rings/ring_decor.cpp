#include "render/scene/rings/ring_decor.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace whorl::scene {

namespace {

/// Arms closer than this, in pixels of a picture 720 high, would only be a haze.
constexpr float kRibbonRoom = 9.0f;

void addEdge(Scene& scene, const Shot& shot, float radius, Rgba colour, float width) {
    const float r = radius * shot.lens.zoom;
    scene.annuli.push_back({r - width / 2, r + width / 2, colour, colour});
}

void addArm(Scene& scene, const Shot& shot, const SetAt& set, Rgba colour) {
    const LevelRing& ring = shot.layout.levels[set.level];
    const float zoom = shot.lens.zoom;
    Ribbon ribbon{.path = {}, .width = 2.3f * shot.resting.radius(set.level, shot.lens), .colour = colour};
    const auto last = static_cast<float>(ring.ways() - 1);
    const float length = ring.bands().front().step() * static_cast<float>(ring.ways() * ring.parts());
    const auto pieces = static_cast<int>(std::clamp(length / 6.0f, 4.0f, 160.0f));
    bool seen = false;
    for (int i = 0; i <= pieces; ++i) {
        const float rank = last * static_cast<float>(i) / static_cast<float>(pieces);
        ribbon.path.push_back(shot.lens.at(shot.layout.linePlace(set, rank)));
        seen |= shot.lens.sees(ribbon.path.back(), ribbon.width + zoom * length / static_cast<float>(pieces));
    }
    if (seen) scene.ribbons.push_back(std::move(ribbon));
}

void addArms(Scene& scene, const Shot& shot, std::size_t level) {
    const LevelRing& ring = shot.layout.levels[level];
    // A set of one way is a place and no arm.
    if (ring.ways() == 1 || ring.room() * shot.lens.zoom < kRibbonRoom * shot.layout.detail) return;
    const Rgba colour = faded(shot.style.palette().line, 0.33f);
    for (std::uint32_t c = 0; c < ring.caches(); ++c) {
        for (std::uint32_t s = 0; s < ring.sets(); ++s) {
            addArm(scene, shot,
                   {static_cast<std::uint8_t>(level), static_cast<std::uint8_t>(shot.layout.cacheShown(level, c)),
                    sim::SetIndex{s}},
                   colour);
        }
    }
}

/// The CPU, or one petal for each of several; the one whose access is in motion is bright.
void addCpus(Scene& scene, const Shot& shot) {
    const Palette& palette = shot.style.palette();
    const RingLayout& layout = shot.layout;
    const sim::Step* current = shot.snapshot.current();
    for (std::uint32_t cpu = 0; cpu < layout.cpus; ++cpu) {
        const bool acts = layout.cpus == 1 || (current != nullptr && current->access.cpu == cpu);
        scene.moving.push_back({.at = shot.lens.at(layout.cpuPlace(cpu)),
                                .radius = layout.cpuRadius() * shot.lens.zoom,
                                .fill = acts ? palette.core : mixed(palette.ground, palette.core, 0.30f),
                                .glow = acts ? 0.7f : 0.0f});
        scene.movingTargets.push_back(
            {.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(layout.firstCpu + cpu)});
    }
}

}  // namespace

void addRings(Scene& scene, const Shot& shot) {
    const Palette& palette = shot.style.palette();
    const float line = std::max(1.0f, shot.layout.unit / 280);
    for (std::size_t l = 0; l < shot.layout.levels.size(); ++l) {
        if (shot.view.gauge.what == sim::GaugeSettings::What::nothing && shot.layout.levels[l].caches() == 1) {
            addEdge(scene, shot, shot.layout.levels[l].outer() + line, palette.line, line);
        }
        addArms(scene, shot, l);
    }
    addEdge(scene, shot, shot.layout.memory.outer + 0.006f * shot.layout.unit, palette.line, line);
    addCpus(scene, shot);
}

}  // namespace whorl::scene
