#include "render/scene/rings/arms.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "render/scene/scene.h"

namespace whorl::scene {

float involuteTurn(float base, float r) {
    const float x = std::sqrt(std::max(0.0f, (r / base) * (r / base) - 1));
    return x - std::atan(x);
}

float sideTurn(const RingSector& sector, float r) {
    return sector.base > 0 ? involuteTurn(sector.base, r) - involuteTurn(sector.base, sector.inner) : 0;
}

Arms::Arms(const Shape& shape) : shape_(shape) {
    const float area = shape.outer * shape.outer - shape.inner * shape.inner;
    const auto glyphs = static_cast<float>(shape.ways * shape.parts);
    // An involute of a circle of radius a is area / 2a long between the two radii.
    base_ = std::min(shape.inner, std::sqrt(area / (2 * shape.stepOverPitch * glyphs * shape.apart)));
    step_ = area / (2 * base_ * glyphs);
}

float Arms::radius(float rank) const {
    const float u = std::max(0.0f, (rank + 0.5f) / static_cast<float>(shape_.ways));
    return std::sqrt(shape_.inner * shape_.inner + u * (shape_.outer * shape_.outer - shape_.inner * shape_.inner));
}

float Arms::rankAt(float r) const {
    const float u = (r * r - shape_.inner * shape_.inner) / (shape_.outer * shape_.outer - shape_.inner * shape_.inner);
    return u * static_cast<float>(shape_.ways) - 0.5f;
}

glm::vec2 Arms::place(float arm, float rank) const {
    const float r = radius(rank);
    const float theta = shape_.first + shape_.apart * arm + turned(r);
    return r * glm::vec2(std::cos(theta), std::sin(theta));
}

float Arms::armAt(glm::vec2 place) const {
    const float r = glm::length(place);
    const float theta = std::atan2(place.y, place.x) - turned(std::max(r, shape_.inner)) - shape_.first;
    const float turns = theta / (2 * kPi);
    return (turns - std::floor(turns)) * 2 * kPi / shape_.apart;
}

float Arms::turned(float r) const {
    return involuteTurn(base_, r) - involuteTurn(base_, shape_.inner);
}

}  // namespace whorl::scene
