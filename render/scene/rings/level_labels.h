// What the picture says of each level: its name, its hit rates, and what of it is folded or cannot be used. The lines
// stand in the upper right corner, outside of the rings, each with a leader to its ring.
#pragma once

#include <string>
#include <vector>

#include "render/scene/rings/label_space.h"

namespace whorl::scene {

/// The words on a level, of fixed width while rates change: "L1 hits  42.0 %, lately  40 %" over all of its caches
/// that are shown; `lately` is over the window of the level gauges.
std::string levelLine(const FrameContext& frame, std::size_t level);
/// What must be known to read its ring, in parts: "1 024 sets", "folded into 4 rings of 256".
std::vector<std::string> levelNotes(const FrameContext& frame, std::size_t level);

/// Adds the lines of all levels, and, of levels with several caches, the figures of each in its sector.
void addLevelLabels(LabelSpace& space, const FrameContext& frame);

}  // namespace whorl::scene
