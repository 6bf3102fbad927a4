// Numbers beside the blocks of the last access: (1) where it missed, (2) where the block came in from, (3) where what
// it evicted is now, (4) where that was written back. The words to them: sim::factsOf.
#pragma once

#include "render/scene/rings/label_space.h"
#include "sim/report/sentence.h"

namespace whorl::scene {

/// Whether a picture has the numbers: the view asks for them, and nothing moves any more.
bool hasEventNumbers(const sim::Snapshot& snapshot, const View& view);
/// Adds them if it has, after the other text that stands beside glyphs.
void addEventNumbers(LabelSpace& space, const Scene& scene, const FrameContext& frame);

/// The number of a fact as it is written in the picture: "①".
const char* numberOf(const sim::StepFact& fact);

}  // namespace whorl::scene
