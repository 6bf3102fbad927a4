// How things move and light up: functions of an age alone, which is measured in moves (1: the move is over).
#pragma once

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

namespace whorl::scene {

/// A flash or a pulse has died away after so many moves.
inline constexpr double kFlashMoves = 3.0;
/// By how much a leaving glyph's angle runs ahead, radians.
inline constexpr float kFleeingLead = 0.61f;

/// Slow in, slow out (smoothstep): 0 before the move, 1 after it. Dragicevic et al., CHI 2011: easiest to follow.
float eased(double age);

/// The light of a flash: full from the start to the end of the move, then dying away until kFlashMoves.
float flash(double age);
/// The growth of a pulse, 0 to 1: up within the first third of the move, then as the flash.
float pulse(double age);

/// A point on the straight way from `from` to `to`; `share` 0 to 1.
glm::vec2 straight(glm::vec2 from, glm::vec2 to, float share);

/// A point on the turning way around `centre`: radius and angle change together, the shorter way round, and the angle
/// runs ahead by up to `lead` before it settles.
glm::vec2 turning(glm::vec2 centre, glm::vec2 from, glm::vec2 to, float share, float lead = kFleeingLead);

}  // namespace whorl::scene
