// Numbers beside the blocks of the last access: (1) where it missed, (2) where the block came in from, (3) where what
// it evicted is now, (4) where that was written back. The words to them: sim::factsOf.
#pragma once

#include "render/scene/rings/frame_context.h"
#include "sim/report/sentence.h"

namespace whorl::scene {

/// Adds the numbers when the view asks for them and nothing moves any more. They cover no moving glyph.
void addEventNumbers(Scene& scene, const FrameContext& frame);

/// The number of a fact as it is written in the picture: "①".
const char* numberOf(const sim::StepFact& fact);

}  // namespace whorl::scene
