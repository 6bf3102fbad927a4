#include "render/scene/view.h"

#include <algorithm>
#include <cmath>

#include "render/scene/motion.h"

namespace whorl::scene {

double moveTicksAt(double accessesPerSecond) {
    const double seconds = std::clamp(View::kAtRest / accessesPerSecond, 0.1, 0.45);
    return std::min(seconds * accessesPerSecond, 64.0);
}

std::uint64_t lookbackOf(const View& view) {
    const auto lit = static_cast<std::uint64_t>(std::ceil(view.moveTicks * kFlashMoves)) + 1;
    return std::max<std::uint64_t>(lit, view.history);
}

}  // namespace whorl::scene
