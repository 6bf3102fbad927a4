#include "app/panels/beside.h"

#include <algorithm>

namespace whorl::app {

glm::ivec2 placeBeside(const scene::PixelBox& lit, glm::ivec2 size, glm::ivec2 screen, int gap) {
    const auto inside = [](int at, int length, int all) { return std::clamp(at, 0, std::max(0, all - length)); };
    const int x = inside(lit.low.x, size.x, screen.x);
    const int y = inside(lit.low.y, size.y, screen.y);
    if (lit.high.x + gap + size.x <= screen.x) return {lit.high.x + gap, y};
    if (lit.low.x - gap - size.x >= 0) return {lit.low.x - gap - size.x, y};
    if (lit.high.y + gap + size.y <= screen.y) return {x, lit.high.y + gap};
    if (lit.low.y - gap - size.y >= 0) return {x, lit.low.y - gap - size.y};
    return {std::max(0, screen.x - size.x), y};
}

}  // namespace whorl::app
