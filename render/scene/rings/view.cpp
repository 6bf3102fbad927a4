#include "render/scene/rings/view.h"

#include <algorithm>
#include <cmath>

#include "render/scene/rings/easing.h"

namespace whorl::scene {

double moveTicksAt(double accessesPerSecond) {
    const double seconds = std::clamp(View::kAtRest / accessesPerSecond, 0.1, 0.45);
    return std::min(seconds * accessesPerSecond, 64.0);
}

double moveTicksOf(const View& view) {
    return view.lapse > 1 ? std::min(view.moveTicks, View::kAtRest) : view.moveTicks;
}

sim::Lookback lookbackOf(const View& view) {
    const auto lit = static_cast<std::uint64_t>(std::ceil(moveTicksOf(view) * kFlashMoves)) + 1;
    const std::uint64_t lapse = view.lapse > 1 ? view.lapse : 0;
    const std::uint64_t followed = lapse <= View::kMostSteps ? lapse : 0;
    sim::Lookback lookback;
    lookback.steps = std::min(std::max({lit, std::uint64_t{view.trails}, followed}), View::kMostSteps);
    lookback.window = view.gauge.window;
    lookback.lapse = lapse;
    lookback.use = view.use;
    return lookback;
}

}  // namespace whorl::scene
