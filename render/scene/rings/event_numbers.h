// Numbers beside the blocks of the last access, in the order of cause and effect: where it missed, where another CPU
// wrote the block back, where that lost its copy, where the block came in from, where what it evicted is now, where
// that was written back. sim::factsOf gives the words. The names of the blocks stand beside the numbers; on the stage
// also while the blocks are on their way.
#pragma once

#include <string>
#include <vector>

#include "render/scene/rings/label_space.h"
#include "sim/report/sentence.h"

namespace whorl::scene {

/// Adds the numbers, if the view asks for them and nothing moves, and the names. Call after the other text beside
/// glyphs has been added.
void addEventNumbers(LabelSpace& space, Scene& scene, const FrameContext& frame);

/// The facts that a picture numbers, in words, each number once: "③ evicts A[0][8], clean; evicts B[3][4] from L2,
/// clean".
std::vector<std::string> numberedWords(const Scene& scene, const std::vector<sim::StepFact>& facts);

/// Whether a label consists of one or several such numbers.
bool isEventNumber(const Label& label);

/// The number of a fact in the picture: "①".
const char* numberOf(const sim::StepFact& fact);

}  // namespace whorl::scene
