// Keeps large areas from flashing. WCAG 2.1, success criterion 2.3.1: no more than three flashes a second, unless they
// are small: here, unless all that flashes at once is less than a tenth of the picture.
#pragma once

#include "render/scene/rings/moving_glyphs.h"

namespace whorl::scene {

inline constexpr double kMostFlashesASecond = 3;
inline constexpr float kMostFlashingArea = 0.1f;  ///< as a share of the picture
/// The light of a flash that is held as a steady glow instead.
inline constexpr float kHeldLight = 0.6f;

/// The share of the picture that the misses of a moment would light up.
float flashingArea(const Shot& shot);
/// Whether flashes must be held: they are too many and too large at the view's pace.
bool mustHoldFlashes(const Shot& shot);

}  // namespace whorl::scene
