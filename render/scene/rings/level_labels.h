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
/// What must be known to read its ring, in parts: "1 024 sets", "folded into 4 rings of 256", "lately many hits"; where
/// the line above does not tell the rate that this is about, "lately  86 %", "many hits".
std::vector<std::string> levelNotes(const FrameContext& frame, std::size_t level, bool tellsRate);

/// The line on a level, with its notes.
struct LevelText {
    std::size_t level = 0;
    TextBox line;
    float end = 0;  ///< of the notes: their lower edge
};
/// Adds the lines of the levels that have room for them. Returns where they are.
std::vector<LevelText> addLevelLines(LabelSpace& space, const FrameContext& frame);
/// A leader from each line to its ring, where there is a way beside all texts that are there.
void addLevelLeaders(LabelSpace& space, const FrameContext& frame, const std::vector<LevelText>& lines);
/// The names of levels without a line along their rings, and, of levels with several caches, the figures of each in its
/// sector.
void addLevelNames(LabelSpace& space, const FrameContext& frame, const std::vector<LevelText>& lines);

}  // namespace whorl::scene
