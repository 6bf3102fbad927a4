// Flows of blocks between the rings, for when there are too many to follow each: a band for each region and way, as
// broad as many blocks took it.
#pragma once

#include "render/scene/rings/moving_glyphs.h"

namespace whorl::scene {

void addStreams(Scene& scene, const Shot& shot);

}  // namespace whorl::scene
