// What the picture says of each level: its name, its hit rates, and what of it is folded or cannot be used, along its
// ring.
#pragma once

#include <string>
#include <vector>

#include "render/scene/rings/label_space.h"

namespace whorl::scene {

/// The words on a level, of fixed width while rates change: "L1 hits  42.0 %, lately  40 %" over all of its caches
/// that are shown; `lately` is over the window of the level gauges.
std::string levelLine(const FrameContext& frame, std::size_t level);
/// What must be known to read its ring, in parts: "1 024 sets", "folded into 4 rings of 256"; where its name does not
/// tell the rate of the last accesses, also "lately 86 %", "many hits".
std::vector<std::string> levelNotes(const FrameContext& frame, std::size_t level, bool tellsRate);

/// Adds the name and figures of each level in the channel outside of its ring, at the top, and its notes at the bottom;
/// of levels with several caches, also the figures of each in its sector.
void addLevelNames(LabelSpace& space, const FrameContext& frame);

}  // namespace whorl::scene
