// The parts of the rings that are not blocks: their edges, the ribbons under the arms, the CPUs.
#pragma once

#include "render/scene/rings/frame_context.h"

namespace whorl::scene {

/// How much a CPU acts, 0 to 1: whether the current access is its own, or in time-lapse, its share of the last
/// accesses, compared with an even one (which of them was the last of a frame would flicker).
float actingOf(const FrameContext& frame, std::uint32_t cpu);

/// Adds edges and ribbons to a scene; and, of several CPUs, the way from each that acts to its name.
void addRings(Scene& scene, const FrameContext& frame);
/// Adds the CPU, or a disc for each of several.
void addCpus(Scene& scene, const FrameContext& frame);

}  // namespace whorl::scene
