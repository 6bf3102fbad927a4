// What the flat views and the controls above them have in common: how large their text is, and the row of controls.
#pragma once

#include <cmath>

#include "app/session/session.h"

namespace whorl::app {

/// The height of text in the views beside the rings, pixels.
inline float viewText(float scale) {
    constexpr float kText = 14;
    return std::round(kText * scale);
}

/// The height of the row of controls under a view's title; without panels there is none.
inline int controlHeight(const Session& session, float scale) {
    constexpr float kHeight = 26;
    return session.panels ? static_cast<int>(std::lround(kHeight * scale)) : 0;
}

}  // namespace whorl::app
