// What stands in the picture whatever happens: the rings, the arms under the blocks, the empty places, the names.
#pragma once

#include "render/scene/palette.h"
#include "render/scene/ring_layout.h"
#include "render/scene/scene.h"
#include "render/scene/view.h"
#include "sim/measure/counters.h"

namespace whorl::scene {

void addRings(Scene& scene, const RingLayout& layout, const Palette& palette);

/// A name and hit rate for each level, a name for each region.
void addLabels(Scene& scene, const RingLayout& layout, const Homes& homes, const sim::Trace& trace,
               const sim::MachineConfig& machine, const sim::Counters& counters, const Palette& palette);

}  // namespace whorl::scene
