// The text along the ring of each level: the level's name, its hit rates, how its sets are folded, and how much of it
// the trace cannot use.
#pragma once

#include <string>
#include <vector>

#include "render/scene/rings/label_space.h"

namespace whorl::scene {

/// Name and hit rates of a level, of fixed width while the rates change: "L1 hits  42.0 %, lately  40 %" over all of
/// its caches that are shown; `lately` is over the window of the level gauges.
std::string levelLine(const FrameContext& frame, std::size_t level);
/// Notes that a reader of the ring needs, in parts: "1 024 sets", "folded into 4 rings of 256"; with `tellsRate`, for a
/// level whose name does not show the rate of the last accesses, also "lately 86 %", "many hits".
std::vector<std::string> levelNotes(const FrameContext& frame, std::size_t level, bool tellsRate);

/// Adds the name and figures of each level in the channel outside of its ring, at the top, and its notes at the bottom;
/// if a level has several caches, also the figures of each cache in its sector.
void addLevelNames(LabelSpace& space, const FrameContext& frame);

}  // namespace whorl::scene
