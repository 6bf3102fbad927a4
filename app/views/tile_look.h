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
inline int controlHeight(const Session& session, float scale) {
    constexpr float kHeight = 26;
    return session.panels ? static_cast<int>(std::lround(kHeight * scale)) : 0;
}

/// The scale of a picture whose runs' largest number is known; none: it has its own.
inline std::optional<scene::CommonScale> commonScale(std::optional<double> most, const Session& session) {
    if (!most) return std::nullopt;
    return scene::CommonScale{*most, session.openRuns().size()};
}

}  // namespace whorl::app
