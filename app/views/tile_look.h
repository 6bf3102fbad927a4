// What the flat views and the controls above them have in common: how large their text is, the row of controls, and
// the scale of runs beside each other.
#pragma once

#include <cmath>
#include <optional>

#include "app/session/session.h"
#include "render/scene/cells/common_scale.h"

namespace whorl::app {

/// The height of text in the views beside the rings, pixels.
inline float viewText(float scale) {
    constexpr float kText = 14;
    return std::round(kText * scale);
}

/// The height of the row of controls under a view's title; without panels there is none.
inline int controlHeight(const RunContext& context, float scale) {
    constexpr float kHeight = 26;
    return context.panels ? static_cast<int>(std::lround(kHeight * scale)) : 0;
}

}  // namespace whorl::app
