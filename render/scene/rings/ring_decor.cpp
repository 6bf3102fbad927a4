#include "render/scene/rings/frame_context.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace whorl::scene {

namespace {

/// Ribbons of arms closer than this, in pixels of a picture 720 high, would melt into a haze.
constexpr float kRibbonRoom = 9.0f;
constexpr float kWay = 0.25f;  ///< the opacity of the way from a CPU to its name: broad and faint, unlike a trail

void addEdge(Scene& scene, const FrameContext& frame, float radius, Rgba colour, float width) {
    const float r = radius * frame.lens.zoom;
    scene.annuli.push_back({r - width / 2, r + width / 2, colour, colour});
}

void addArm(Scene& scene, const FrameContext& frame, const SetAt& set, Rgba colour) {
    const LevelRing& ring = frame.layout.levels[set.level];
    const float zoom = frame.lens.zoom;
    Ribbon ribbon{.path = {}, .width = 2.3f * frame.resting.radius(set.level, frame.lens), .colour = colour};
    const auto last = static_cast<float>(ring.ways() - 1);
    const float length = ring.bands().front().step() * static_cast<float>(ring.ways() * ring.parts());
    const auto pieces = static_cast<int>(std::clamp(length / 6.0f, 4.0f, 160.0f));
    bool seen = false;
    for (int i = 0; i <= pieces; ++i) {
        const float rank = last * static_cast<float>(i) / static_cast<float>(pieces);
        ribbon.path.push_back(frame.lens.at(frame.layout.linePlace(set, rank)));
        seen |= frame.lens.sees(ribbon.path.back(), ribbon.width + zoom * length / static_cast<float>(pieces));
    }
    if (seen) scene.ribbons.push_back(std::move(ribbon));
}

void addArms(Scene& scene, const FrameContext& frame, std::size_t level) {
    const LevelRing& ring = frame.layout.levels[level];
    // A set of one way is a single place, not an arm.
    if (ring.ways() == 1 || ring.room() * frame.lens.zoom < kRibbonRoom * frame.layout.detail) return;
    const Rgba colour = faded(frame.style.palette().line, 0.33f);
    for (std::uint32_t c = 0; c < ring.caches(); ++c) {
        for (std::uint32_t s = 0; s < ring.sets(); ++s) {
            addArm(scene, frame,
                   {static_cast<std::uint8_t>(level), static_cast<std::uint8_t>(frame.layout.cacheShown(level, c)),
                    sim::SetIndex{s}},
                   colour);
        }
    }
}

/// Adds the way from each acting CPU's number to its name outside the nearest level. The way turns with the CPU's
/// sector.
void addWays(Scene& scene, const FrameContext& frame, float width) {
    const RingLayout& layout = frame.layout;
    constexpr int kPieces = 48;
    // Like ties, these ways are for paces at which the eye can separate one access from the next.
    const auto shown = static_cast<float>(std::clamp(2 - moveTicksOf(frame.view), 0.0, 1.0));
    if (layout.cpus == 1 || layout.levels.empty() || frame.view.lapse > 1 || shown <= 0) return;
    for (std::uint32_t cpu = 0; cpu < layout.cpus; ++cpu) {
        const float acts = actingOf(frame, cpu);
        if (acts <= 0) continue;
        const LevelRing& nearest = layout.levels.front();
        Ribbon ribbon{.path = {frame.lens.at(layout.cpuPlace(cpu))},
                      .width = width,
                      .colour = faded(frame.style.palette().core, kWay * acts * shown)};
        for (int i = 0; i <= kPieces; ++i) {
            const float r = nearest.inner() + (nearest.outer() - nearest.inner()) * static_cast<float>(i) / kPieces;
            const float angle = layout.cpuAngle(cpu, r);
            ribbon.path.push_back(frame.lens.at(r * glm::vec2(std::cos(angle), std::sin(angle))));
        }
        scene.ribbons.push_back(std::move(ribbon));
        scene.legend.acting = true;
    }
}

}  // namespace

float actingOf(const FrameContext& frame, std::uint32_t cpu) {
    if (frame.layout.cpus == 1) return 1;
    if (frame.view.lapse <= 1) {
        const sim::Step* current = frame.snapshot.current();
        return current != nullptr && current->access.cpu == cpu ? 1.0f : 0.0f;
    }
    const auto& window = frame.snapshot.window;
    const auto own = std::count_if(window.begin(), window.end(), [&](const sim::Glance& g) { return g.cpu == cpu; });
    const float even = static_cast<float>(window.size()) / static_cast<float>(frame.subject.machine.cpus);
    return std::min(1.0f, static_cast<float>(own) / std::max(1.0f, even));
}

void addRings(Scene& scene, const FrameContext& frame) {
    const Palette& palette = frame.style.palette();
    const float line = frame.layout.lineWidth(1.0f / 280);
    for (std::size_t l = 0; l < frame.layout.levels.size(); ++l) {
        if (frame.view.gauge.what == sim::GaugeSettings::What::nothing && frame.layout.levels[l].caches() == 1) {
            addEdge(scene, frame, frame.layout.levels[l].outer() + line, palette.line, line);
        }
        addArms(scene, frame, l);
    }
    addEdge(scene, frame, frame.layout.memory.outer + 0.006f * frame.layout.unit, palette.line, line);
    addWays(scene, frame, 6 * line);
}

namespace {

/// Where accesses take as long as they cost: how much of its wait the CPU that acts has behind it, as the hand of a
/// clock goes round.
void addWait(Scene& scene, const FrameContext& frame) {
    constexpr int kPieces = 60;
    const RingLayout& layout = frame.layout;
    const sim::Step* const current = frame.snapshot.current();
    if (!frame.view.byCycles || frame.view.lapse > 1 || current == nullptr) return;
    const std::uint32_t cpu = current->access.cpu - layout.firstCpu;
    const double done = 1 - (static_cast<double>(frame.snapshot.begun().value) - frame.snapshot.t);
    if (cpu >= layout.cpus || sim::costOf(current->events, frame.subject.machine) <= frame.subject.machine.lookUp()) {
        return;
    }
    const float width = layout.lineWidth(1.0f / 120);
    const float radius = layout.cpuRadius() * frame.lens.zoom + 1.5f * width;
    const glm::vec2 middle = frame.lens.at(layout.cpuPlace(cpu));
    const auto onCircle = [&](int piece) {
        const float angle = 2 * kPi * static_cast<float>(piece) / kPieces - kPi / 2;
        return middle + radius * glm::vec2(std::cos(angle), std::sin(angle));
    };
    const Palette& palette = frame.style.palette();
    for (int i = 0; i < kPieces; ++i) {
        const bool isOver = static_cast<double>(i) < done * kPieces;
        const Rgba colour = isOver ? palette.core : faded(palette.core, 0.2f);
        scene.threads.push_back({onCircle(i), onCircle(i + 1), width, colour, colour});
    }
}

}  // namespace

void addCpus(Scene& scene, const FrameContext& frame) {
    addWait(scene, frame);
    const RingLayout& layout = frame.layout;
    for (std::uint32_t cpu = 0; cpu < layout.cpus; ++cpu) {
        scene.moving.push_back(frame.style.cpu(actingOf(frame, cpu), frame.lens.at(layout.cpuPlace(cpu)),
                                               layout.cpuRadius() * frame.lens.zoom));
        scene.movingTargets.push_back(
            {.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(layout.firstCpu + cpu)});
    }
}

}  // namespace whorl::scene
