#include "render/scene/rings/ring_radii.h"

#include <cmath>

namespace whorl::scene {

namespace {

std::vector<float> radiiAt(float scale, const std::vector<RingRoom>& rings, float inner, float channel) {
    std::vector<float> out;
    out.reserve(rings.size());
    for (const RingRoom& ring : rings) {
        out.push_back(ring.breadth > 0 ? inner + ring.breadth : std::sqrt(inner * inner + scale * ring.weight));
        inner = out.back() + channel;
    }
    return out;
}

/// The radii grow with the scale of the areas, so the scale that just fills the room is found by halving.
std::vector<float> filling(const std::vector<RingRoom>& rings, float inner, float channel, float whole) {
    float low = 0;
    float high = whole * whole;
    for (int i = 0; i < 60; ++i) {
        const float middle = (low + high) / 2;
        (radiiAt(middle, rings, inner, channel).back() < whole ? low : high) = middle;
    }
    return radiiAt(low, rings, inner, channel);
}

}  // namespace

std::vector<float> outerRadii(std::vector<RingRoom> rings, float inner, float channel, float whole) {
    std::vector<float> outer = filling(rings, inner, channel, whole);
    // A ring that comes out too slim gets its least breadth, and the others share what is left.
    float from = inner;
    for (std::size_t i = 0; i < rings.size(); ++i) {
        if (rings[i].breadth == 0 && outer[i] - from < rings[i].least) {
            rings[i].breadth = rings[i].least;
            outer = filling(rings, inner, channel, whole);
        }
        from = outer[i] + channel;
    }
    return outer;
}

}  // namespace whorl::scene
