#include "render/scene/space/space_camera.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <vector>

#include "render/scene/scene.h"

namespace whorl::scene {

namespace {

std::array<glm::vec3, 8> cornersOf(const Extent& e) {
    std::array<glm::vec3, 8> corners{};
    for (std::size_t i = 0; i < corners.size(); ++i) {
        corners[i] = {(i & 1) != 0 ? e.high.x : e.low.x, (i & 2) != 0 ? e.high.y : e.low.y,
                      (i & 4) != 0 ? e.high.z : e.low.z};
    }
    return corners;
}

/// How much smaller than at the target things are seen for each unit of depth, when the span is one.
float slopeOf(const SpaceCamera& camera) {
    return std::tan(std::clamp(camera.perspective, 0.0F, 1.0F) * SpaceCamera::kWidestAngle / 2);
}

/// A point as the camera sees it: to the right of the target, above it, toward the eye.
glm::vec3 seenBy(const SpaceCamera& camera, glm::vec3 at) {
    const glm::vec3 off = at - camera.target;
    return {glm::dot(off, camera.right()), glm::dot(off, camera.up()), glm::dot(off, camera.toEye())};
}

}  // namespace

float Extent::radius() const {
    return glm::length(high - low) / 2;
}

glm::vec3 SpaceCamera::right() const {
    return {std::cos(azimuth), 0, -std::sin(azimuth)};
}

glm::vec3 SpaceCamera::toEye() const {
    return {std::sin(azimuth) * std::cos(elevation), std::sin(elevation), std::cos(azimuth) * std::cos(elevation)};
}

glm::vec3 SpaceCamera::up() const {
    return glm::cross(toEye(), right());
}

glm::vec4 SpaceCamera::eye() const {
    const float q = 2 * slopeOf(*this) / span;
    return {target * q + toEye(), q};
}

glm::mat4 SpaceCamera::toClip(glm::vec2 size, const Extent& extent) const {
    const float q = 2 * slopeOf(*this) / span;
    const float middle = seenBy(*this, extent.centre()).z;
    const float radius = 1.02F * extent.radius() + 1e-3F;
    // The eye is at a depth of 1 / q: nothing can be seen that is as near.
    const float near = q > 0 ? std::min(middle + radius, 0.97F / q) : middle + radius;
    const float far = std::min(middle - radius, near - 0.01F * radius);
    // A point at depth v has w = 1 - q v, so that near and far must become -w and +w.
    const float slope = (2 - q * (near + far)) / (near - far);
    const float offset = slope * near - (1 - q * near);

    const glm::vec3 across = right() / (0.5F * span * size.x / size.y);
    const glm::vec3 above = up() / (0.5F * span);
    const glm::vec3 deep = toEye();
    glm::mat4 m(0);
    for (int i = 0; i < 3; ++i) m[i] = {across[i], above[i], -slope * deep[i], -q * deep[i]};
    m[3] = {-glm::dot(across, target), -glm::dot(above, target), offset + slope * glm::dot(deep, target),
            1 + q * glm::dot(deep, target)};
    return m;
}

void SpaceCamera::turn(glm::vec2 dragged, glm::vec2 size) {
    azimuth = std::remainder(azimuth - dragged.x / size.y * kPi, 2 * kPi);
    elevation = std::clamp(elevation + dragged.y / size.y * kPi, -kPi / 2, kPi / 2);
}

void SpaceCamera::pan(glm::vec2 dragged, glm::vec2 size) {
    target += (up() * dragged.y - right() * dragged.x) * (span / size.y);
}

void SpaceCamera::zoom(float factor, glm::vec2 pixel, glm::vec2 size) {
    const float before = span;
    span = std::clamp(span / factor, 1e-5F, 1e3F);
    const glm::vec2 off = (pixel - size / 2.0F) / size.y;
    target += (right() * off.x - up() * off.y) * (before - span);
}

void SpaceCamera::face(Plane plane) {
    azimuth = plane == Plane::yz ? -kPi / 2 : 0;
    elevation = plane == Plane::xz ? kPi / 2 : 0;
}

bool SpaceCamera::isFacing(Plane plane) const {
    constexpr float kStraight = 0.9999F;  // within a degree
    const glm::vec3 eye = toEye();
    return std::abs(plane == Plane::yz ? eye.x : plane == Plane::xz ? eye.y : eye.z) > kStraight;
}

void SpaceCamera::fit(const Extent& extent, glm::vec2 size, const Margin& margin) {
    // The room from the middle to either side, in halves of the picture's height.
    const glm::vec2 ahead = glm::max(glm::vec2(0.1F), (size - 2.0F * glm::vec2(margin.right, margin.top)) / size.y);
    const glm::vec2 behind = glm::max(glm::vec2(0.1F), (size - 2.0F * glm::vec2(margin.left, margin.bottom)) / size.y);
    const float slope = slopeOf(*this);
    target = extent.centre();
    // A corner is in the picture when -behind.x s <= p.x - x <= ahead.x s with s = span / 2 - slope p.z; the same holds
    // for y. So the corners that reach farthest to either side give the target and the span.
    glm::vec2 most(-1e9F);
    glm::vec2 least(-1e9F);
    for (const glm::vec3 corner : cornersOf(extent)) {
        const glm::vec3 p = seenBy(*this, corner);
        most = glm::max(most, glm::vec2(p) / ahead + slope * p.z);
        least = glm::max(least, -glm::vec2(p) / behind + slope * p.z);
    }
    const glm::vec2 half = (most * ahead + least * behind) / (ahead + behind);
    span = 2 * std::max({half.x, half.y, 5e-5F});
    // Spare room is divided evenly between both sides.
    const glm::vec2 spare = span / 2 - half;
    const glm::vec2 move = (most - least) * ahead * behind / (ahead + behind) + spare * (behind - ahead) / 2.0F;
    target += right() * move.x + up() * move.y;
}

SpaceCamera foldedCamera() {
    return {.azimuth = -0.42F, .elevation = 0.52F};
}

SpaceCamera blockCamera(float depth) {
    SpaceCamera flat;
    flat.face(Plane::yz);
    flat.perspective = 0;
    return glide(flat, {.azimuth = -kPi / 2 + 0.32F, .elevation = 0.26F}, depth);
}

SpaceCamera between(const SpaceCamera& from, const SpaceCamera& to, float share) {
    if (share <= 0) return from;
    if (share >= 1) return to;
    const auto mix = [&](float a, float b) { return a + (b - a) * share; };
    SpaceCamera c;
    c.target = from.target + (to.target - from.target) * share;
    c.azimuth = std::remainder(from.azimuth + std::remainder(to.azimuth - from.azimuth, 2 * kPi) * share, 2 * kPi);
    c.elevation = mix(from.elevation, to.elevation);
    c.span = std::exp(mix(std::log(from.span), std::log(to.span)));
    c.perspective = mix(from.perspective, to.perspective);
    return c;
}

SpaceCamera glide(const SpaceCamera& from, const SpaceCamera& to, float share) {
    const float s = std::clamp(share, 0.0F, 1.0F);
    return between(from, to, s * s * (3 - 2 * s));
}

Ray rayAt(const glm::mat4& toClip, glm::vec2 pixel, glm::vec2 size) {
    const glm::mat4 back = glm::inverse(toClip);
    const glm::vec2 at(2 * pixel.x / size.x - 1, 1 - 2 * pixel.y / size.y);
    const glm::vec4 near = back * glm::vec4(at, -1, 1);
    const glm::vec4 far = back * glm::vec4(at, 1, 1);
    return {glm::vec3(near) / near.w, glm::vec3(far) / far.w};
}

glm::vec2 pixelOf(const glm::mat4& toClip, glm::vec3 at, glm::vec2 size) {
    const glm::vec4 c = toClip * glm::vec4(at, 1);
    return glm::vec2(c.x / c.w + 1, 1 - c.y / c.w) * 0.5F * size;
}

namespace {

/// A corner of a polygon, and how far inside each side of the view frustum it is: negative is outside.
struct Corner {
    glm::vec3 at;
    glm::vec4 clip;

    float inside(int side) const {
        const float value = clip[side / 2];
        return side % 2 == 0 ? clip.w + value : clip.w - value;
    }
};

/// The part of a polygon that is inside one side of the view frustum (Sutherland and Hodgman 1974).
std::vector<Corner> cut(const std::vector<Corner>& polygon, int side) {
    std::vector<Corner> out;
    out.reserve(polygon.size() + 2);
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Corner& here = polygon[i];
        const Corner& next = polygon[(i + 1) % polygon.size()];
        const float a = here.inside(side);
        const float b = next.inside(side);
        if (a >= 0) out.push_back(here);
        if ((a >= 0) == (b >= 0)) continue;
        const float share = a / (a - b);
        out.push_back({here.at + (next.at - here.at) * share, here.clip + (next.clip - here.clip) * share});
    }
    return out;
}

class Bounds {
  public:
    void add(glm::vec3 at) {
        low_ = glm::min(low_, at);
        high_ = glm::max(high_, at);
    }
    std::optional<Extent> within(const Extent& e) const {
        if (low_.x > high_.x) return std::nullopt;
        return Extent{glm::max(low_, e.low), glm::min(high_, e.high)};
    }

  private:
    glm::vec3 low_{1e30F};
    glm::vec3 high_{-1e30F};
};

/// The four corners of a side of the box, in order.
std::vector<Corner> faceOf(const Extent& e, int axis, bool high, const glm::mat4& toClip) {
    std::vector<Corner> face;
    face.reserve(4);
    for (const int k : {0, 1, 3, 2}) {
        glm::vec3 at = e.low;
        at[axis] = high ? e.high[axis] : e.low[axis];
        const int u = (axis + 1) % 3;
        const int v = (axis + 2) % 3;
        if ((k & 1) != 0) at[u] = e.high[u];
        if ((k & 2) != 0) at[v] = e.high[v];
        face.push_back({at, toClip * glm::vec4(at, 1)});
    }
    return face;
}

}  // namespace

std::optional<Extent> visiblePart(const glm::mat4& toClip, const Extent& extent) {
    Bounds bounds;
    for (int axis = 0; axis < 3; ++axis) {
        for (const bool high : {false, true}) {
            std::vector<Corner> face = faceOf(extent, axis, high, toClip);
            for (int side = 0; side < 6 && !face.empty(); ++side) face = cut(face, side);
            for (const Corner& corner : face) bounds.add(corner.at);
        }
    }
    // If the eye is inside the box, corners of the view frustum are too.
    const glm::mat4 back = glm::inverse(toClip);
    for (int i = 0; i < 8; ++i) {
        const glm::vec4 at = back * glm::vec4((i & 1) * 2 - 1, (i & 2) - 1, (i & 4) / 2 - 1, 1);
        const glm::vec3 p = glm::vec3(at) / at.w;
        const bool inside =
            glm::all(glm::greaterThanEqual(p, extent.low)) && glm::all(glm::lessThanEqual(p, extent.high));
        if (inside) bounds.add(p);
    }
    return bounds.within(extent);
}

}  // namespace whorl::scene
