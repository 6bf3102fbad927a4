#include "render/scene/rings/labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/scene/rings/event_numbers.h"
#include "render/scene/rings/glyph_names.h"
#include "render/scene/rings/level_labels.h"
#include "render/scene/rings/region_labels.h"
#include "render/scene/rings/ring_decor.h"

namespace whorl::scene {

namespace {

/// The number of each CPU on its disc.
void addCpuNumbers(Scene& scene, const FrameContext& frame) {
    const RingLayout& layout = frame.layout;
    if (layout.cpus == 1) return;
    const Palette& palette = frame.style.palette();
    // As large as the disc lets it be, however large other text is, but no smaller than can be read. A digit alone
    // fills it on the stage.
    constexpr float kLeast = 8.0f;  ///< pixels of a picture 720 high
    const bool isFilled = frame.view.stage && layout.cpus <= 10;
    const float disc = layout.cpuRadius() * frame.lens.zoom;
    const float size = isFilled ? 1.65f * disc : std::min(layout.text, 1.35f * disc);
    if (size < kLeast * layout.detail) return;
    for (std::uint32_t cpu = 0; cpu < layout.cpus; ++cpu) {
        const bool acts = actingOf(frame, cpu) > 0.5f;
        scene.labels.push_back({Label::Kind::plain, fmt::format("{}", cpu), frame.lens.at(layout.cpuPlace(cpu)), size,
                                acts ? palette.ground : palette.text});
        scene.labels.back().isBare = true;
        scene.labelTargets.push_back({.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(cpu)});
    }
}

void addOnlyCpu(LabelSpace& space, const FrameContext& frame) {
    if (frame.layout.cpus != 1 || frame.subject.machine.cpus == 1) return;
    const float size = space.size();
    space.add(fmt::format("CPU {} of {}", frame.layout.firstCpu, frame.subject.machine.cpus),
              {0.75f * size, 0.6f * size}, size, frame.style.palette().text,
              {.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(frame.layout.firstCpu)});
}

}  // namespace

void addLabels(Scene& scene, const FrameContext& frame) {
    LabelSpace space(scene, frame);
    addOnlyCpu(space, frame);
    addLevelNames(space, frame);
    addEventNumbers(space, scene, frame);
    addRegionLabels(space, frame);
    addCpuNumbers(scene, frame);
    addGlyphNames(space, scene, frame);
}

}  // namespace whorl::scene
