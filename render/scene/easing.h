// How blocks move and light up: functions of an age, counted in moves (at 1 the move is over), and of the two ends of a
// way. No state.
#pragma once

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

namespace whorl::scene {

/// Duration of a flash or a pulse, in moves.
inline constexpr double kFlashMoves = 3.0;
/// Duration of the way of an evicted block, in moves: longer than 1, so that the block is still visible when the one
/// that took its place has arrived.
inline constexpr double kLeavingMoves = 1.5;
/// The most by which the angle of an evicted block runs ahead of its radius, radians.
inline constexpr float kTurningLead = 0.61f;
/// Of two ways round that differ by less than this, radians, the one of rising angle counts as the shorter: which is
/// taken must not depend on how the angles are rounded.
inline constexpr float kTurningTie = 1e-3f;

/// Slow-in slow-out (smoothstep): 0 before the move, 1 after it. The easiest to follow by eye: Dragicevic et al., CHI
/// 2011.
float eased(double age);

/// The light of a flash, 0 to 1: full from the start to the end of the move, then fading until kFlashMoves.
float flash(double age);
/// The growth of a pulse, 0 to 1: up within the first third of the move, then as a flash.
float pulse(double age);

/// The light of what has arrived with a block that left: it comes up in the last tenth of the way, and fades until
/// kFlashMoves.
float arrival(double age);

/// A point on the straight way between two places; `share` is 0 to 1.
glm::vec2 straight(glm::vec2 from, glm::vec2 to, float share);

/// A point on a way that turns around `centre`, the shorter way round: the angle runs ahead of the radius by up to
/// `lead` radians. Neither ever goes back or beyond its goal, so that the way comes to its end from one side.
glm::vec2 turning(glm::vec2 centre, glm::vec2 from, glm::vec2 to, float share, float lead = kTurningLead);

}  // namespace whorl::scene
