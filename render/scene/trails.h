// The trails of the last accesses: straight and red where a block came in, turning and in the region's hue where one
// left.
#pragma once

#include "render/scene/choreograph.h"
#include "render/scene/motions.h"

namespace whorl::scene {

void addTrails(Scene& scene, const sim::Moment& moment, const Subject& subject, const RingLayout& layout,
               const View& view, const Motions& motions);

}  // namespace whorl::scene
