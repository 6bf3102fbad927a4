// Numbers beside the blocks of the last access, in the order of cause and effect: where it missed, where another CPU
// wrote the block back, where that lost its copy, where the block came in from, where what it evicted is now, where
// that was written back. The words to them: sim::factsOf. With the names of the blocks, which on the stage stand beside
// them while they are on their way, too.
#pragma once

#include <string>
#include <vector>

#include "render/scene/rings/label_space.h"
#include "sim/report/sentence.h"

namespace whorl::scene {

/// Adds the numbers if the view asks for them and nothing moves any more, and the names, after the other text that
/// stands beside glyphs.
void addEventNumbers(LabelSpace& space, Scene& scene, const FrameContext& frame);

/// The facts that a picture numbers, in words, each number once: "③ evicts A[0][8], clean; evicts B[3][4] from L2,
/// clean".
std::vector<std::string> numberedWords(const Scene& scene, const std::vector<sim::StepFact>& facts);

/// Whether a text in the picture is such a number, or several of them.
bool isEventNumber(const Label& label);

/// The number of a fact as it is written in the picture: "①".
const char* numberOf(const sim::StepFact& fact);

}  // namespace whorl::scene
