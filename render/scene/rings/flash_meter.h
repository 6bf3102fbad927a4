// Keeps large areas from flashing, which can cause seizures. WCAG 2.1, success criterion 2.3.1: no more than three
// flashes a second, unless they are small: here, unless what flashes at once is less than a tenth of the picture.
#pragma once

#include "render/scene/rings/frame_context.h"

namespace whorl::scene {

inline constexpr double kMostFlashesASecond = 3;
inline constexpr float kMostFlashingArea = 0.1f;  ///< as a share of the picture
/// The light of a miss, 0 to 1, where flashes are replaced by a steady glow.
inline constexpr float kHeldLight = 0.6f;

/// With more misses in the nearest level than this a frame, each keeps its hue and is told by its outline alone: a ring
/// full of red says less than its regions do.
inline constexpr double kMostRedMisses = 8;

/// Whether misses keep their hues.
bool keepsHues(const FrameContext& frame);
/// The share of the picture that the flashes of a moment cover.
float flashingArea(const FrameContext& frame);
/// Whether misses must glow instead of flash: flashes would be too frequent at the view's pace, and too large.
bool mustHoldFlashes(const FrameContext& frame);

}  // namespace whorl::scene
