// The light of a miss: a function of its age, in all pictures that show moves.
#pragma once

#include <cmath>

namespace whorl::scene {

/// Duration of a flash or a pulse, in moves.
inline constexpr double kFlashMoves = 3.0;

/// The light of a flash, 0 to 1: full from the start to the end of the move, then fading until kFlashMoves. `age`: in
/// moves; at 1 the move is over.
inline float flash(double age) {
    if (age <= 0 || age >= kFlashMoves) return 0;
    if (age <= 1) return 1;
    const double left = (kFlashMoves - age) / (kFlashMoves - 1);
    return static_cast<float>(left * std::sqrt(left));
}

}  // namespace whorl::scene
