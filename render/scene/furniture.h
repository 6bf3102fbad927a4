// What stands in the picture whatever happens: the rings, the arms under the blocks, the empty places, the names.
#pragma once

#include "render/scene/palette.h"
#include "render/scene/ring_layout.h"
#include "render/scene/scene.h"
#include "render/scene/view.h"
#include "sim/run/moment.h"

namespace whorl::scene {

void addRings(Scene& scene, const RingLayout& layout, const Palette& palette);

/// A name and hit rate for each cache that is shown, a name for each region, and whose caches they are.
void addLabels(Scene& scene, const RingLayout& layout, const Homes& homes, const sim::Trace& trace,
               const sim::MachineConfig& machine, const sim::Moment& moment, const Palette& palette);

}  // namespace whorl::scene
