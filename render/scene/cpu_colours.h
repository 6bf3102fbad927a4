// The colours of CPUs and of classes, in all pictures that tell them apart.
#pragma once

#include <cstdint>

#include "render/scene/colour.h"
#include "render/scene/scene.h"

namespace whorl::scene {

/// A colour for each of up to 64 CPUs, and one for each of as many classes; then they come again. The first eight of
/// each can be told apart, also in the shade. None is that of a region, of a miss, or of the other kind: all of them
/// may be on one screen.
Rgba cpuColour(Ground ground, std::uint32_t cpu);
Rgba classColour(Ground ground, std::uint32_t number);

}  // namespace whorl::scene
