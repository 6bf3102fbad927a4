// Angles are in radians everywhere.
#pragma once

#include <numbers>

namespace whorl::scene {

inline constexpr float kPi = std::numbers::pi_v<float>;

}  // namespace whorl::scene
