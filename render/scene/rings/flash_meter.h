// Keeps large areas from flashing, which can cause seizures. WCAG 2.1, success criterion 2.3.1: no more than three
// flashes a second, unless they are small: here, unless what flashes at once is less than a tenth of the picture.
#pragma once

#include "render/scene/rings/frame_context.h"

namespace whorl::scene {

inline constexpr double kMostFlashesASecond = 3;
inline constexpr float kMostFlashingArea = 0.1f;  ///< as a share of the picture
/// The light of a miss, 0 to 1, where flashes are replaced by a steady glow.
inline constexpr float kHeldLight = 0.6f;

/// The share of the picture that the flashes of a moment cover.
float flashingArea(const FrameContext& frame);
/// Whether misses must glow instead of flash: flashes would be too frequent at the view's pace, and too large.
bool mustHoldFlashes(const FrameContext& frame);

}  // namespace whorl::scene
