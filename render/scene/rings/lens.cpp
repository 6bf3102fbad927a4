#include "render/scene/rings/lens.h"

#include <algorithm>
#include <array>

#include "render/scene/angle.h"

namespace whorl::scene {

PolarWindow Lens::window() const {
    const glm::vec2 low = back({0, 0});
    const glm::vec2 high = back(size);
    const glm::vec2 nearest(std::clamp(0.0f, low.x, high.x), std::clamp(0.0f, low.y, high.y));
    const std::array corners = {low, glm::vec2(high.x, low.y), high, glm::vec2(low.x, high.y)};
    PolarWindow window{.inner = glm::length(nearest), .outer = 0};
    for (const glm::vec2 c : corners) window.outer = std::max(window.outer, glm::length(c));
    if (window.inner == 0) return window;
    // The centre lies outside, so all corners are within half a turn of the middle of the rectangle.
    const glm::vec2 middle = (low + high) / 2.0f;
    const float towards = std::atan2(middle.y, middle.x);
    float least = 0;
    float most = 0;
    for (const glm::vec2 c : corners) {
        const float turn = std::remainder(std::atan2(c.y, c.x) - towards, 2 * kPi);
        least = std::min(least, turn);
        most = std::max(most, turn);
    }
    window.from = towards + least;
    window.span = most - least;
    return window;
}

}  // namespace whorl::scene
