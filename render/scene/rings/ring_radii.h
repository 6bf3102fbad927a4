// How rings share the room between the CPU and the names: the radii alone, in any unit of length.
#pragma once

#include <vector>

namespace whorl::scene {

/// What a ring asks for.
struct RingRoom {
    float weight = 1;   ///< its area is in proportion to it
    float least = 0;    ///< its breadth is never less
    float breadth = 0;  ///< if not 0: its breadth, whatever its weight
};

/// The outer radii of rings around one another, the first of which begins at `inner`, with gaps of `channel` between
/// them, so that the last ends at `whole`.
std::vector<float> outerRadii(std::vector<RingRoom> rings, float inner, float channel, float whole);

}  // namespace whorl::scene
