// The colours of CPUs and of classes, in all pictures that distinguish them.
#pragma once

#include <cstdint>

#include "render/scene/colour.h"
#include "render/scene/scene.h"

namespace whorl::scene {

/// Distinct colours for 64 CPUs and for 64 classes, which repeat after that. The first eight of each are easy to
/// distinguish, in the shade too. No colour equals one of a region, of a miss, or of the other kind: all of them may be
/// on one screen.
Rgba cpuColour(Ground ground, std::uint32_t cpu);
Rgba classColour(Ground ground, std::uint32_t number);

}  // namespace whorl::scene
