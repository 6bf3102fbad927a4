#include "render/scene/space/visible_part.h"

#include <array>
#include <glm/matrix.hpp>
#include <vector>

namespace whorl::scene {

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
