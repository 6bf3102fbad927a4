// How plain the glyphs of a level are: where a cache has other blocks in each frame, whether they are copies or dirty
// would only flicker, and glyphs tell their regions alone.
#pragma once

#include <vector>

#include "render/scene/rings/ring_layout.h"
#include "render/scene/rings/view.h"
#include "sim/replay/snapshot.h"

namespace whorl::scene {

/// By level, 0 to 1, in steps of an eighth, so that what rests need not be written anew in every frame.
std::vector<float> plainnessOf(const sim::Snapshot& snapshot, const RingLayout& layout, const View& view);

}  // namespace whorl::scene
