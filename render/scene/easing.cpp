#include "render/scene/easing.h"

#include <algorithm>
#include <cmath>

#include "render/scene/scene.h"

namespace whorl::scene {

namespace {

/// The shorter signed way from one angle to another; see kTurningTie.
float turn(float from, float to) {
    const float way = std::remainder(to - from, 2 * kPi);
    return way < kTurningTie / 2 - kPi ? way + 2 * kPi : way;
}

}  // namespace

float eased(double age) {
    const auto x = static_cast<float>(std::clamp(age, 0.0, 1.0));
    return x * x * (3 - 2 * x);
}

float flash(double age) {
    if (age <= 0 || age >= kFlashMoves) return 0;
    if (age <= 1) return 1;
    const double left = (kFlashMoves - age) / (kFlashMoves - 1);
    return static_cast<float>(left * std::sqrt(left));
}

float pulse(double age) {
    return flash(age) * eased(age * 3);
}

float arrival(double age) {
    constexpr double kBegin = 0.9 * kLeavingMoves;
    if (age <= kBegin || age >= kFlashMoves) return 0;
    if (age < kLeavingMoves) return eased((age - kBegin) / (kLeavingMoves - kBegin));
    const double left = (kFlashMoves - age) / (kFlashMoves - kLeavingMoves);
    return static_cast<float>(left * std::sqrt(left));
}

glm::vec2 straight(glm::vec2 from, glm::vec2 to, float share) {
    return from + (to - from) * share;
}

glm::vec2 turning(glm::vec2 centre, glm::vec2 from, glm::vec2 to, float share, float lead) {
    const glm::vec2 a = from - centre;
    const glm::vec2 b = to - centre;
    const float angle = std::atan2(a.y, a.x);
    const float way = turn(angle, std::atan2(b.y, b.x));
    // The share of the turn is s + c s (1 - s), which rises from 0 to 1 as long as c is at most 1, and is ahead of s by
    // c / 4 at most.
    const float c = std::min(1.0f, 4 * lead / std::max(std::abs(way), 1e-6f));
    const float theta = angle + way * share * (1 + c * (1 - share));
    const float r = glm::length(a) + (glm::length(b) - glm::length(a)) * share;
    return centre + r * glm::vec2(std::cos(theta), std::sin(theta));
}

}  // namespace whorl::scene
