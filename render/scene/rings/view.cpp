#include "render/scene/rings/view.h"

#include <algorithm>
#include <cmath>

#include "render/scene/easing.h"

namespace whorl::scene {

double moveTicksAt(double accessesPerSecond) {
    const double seconds = std::clamp(View::kAtRest / accessesPerSecond, 0.25, 0.45);
    return std::min(seconds * accessesPerSecond, 64.0);
}

std::uint64_t lapseAt(double accessesPerSecond, double framesPerSecond, std::optional<std::uint64_t> chosen) {
    constexpr double kMax = 1e18;
    const double accesses = std::min(accessesPerSecond / framesPerSecond, kMax);
    const std::uint64_t all = accesses > 2 ? static_cast<std::uint64_t>(std::ceil(accesses - 1e-9)) : 1;
    if (!chosen) return all;
    return *chosen > 1 ? std::max(*chosen, all) : 1;
}

double moveTicksOf(const View& view) {
    return view.lapse > 1 ? std::min(view.moveTicks, View::kAtRest) : view.moveTicks;
}

double flashTicksOf(double lapse) {
    constexpr double kFrames = 16;
    return std::min(kFrames * lapse, static_cast<double>(View::kMaxSteps));
}

std::uint64_t flowTicksOf(std::uint64_t lapse) {
    constexpr std::uint64_t kFrames = 16;
    constexpr std::uint64_t kEnough = 8192;
    return lapse > kEnough ? lapse : std::min(kFrames * lapse, kEnough);
}

std::uint64_t windowOf(const View& view) {
    constexpr std::uint64_t kFrames = 16;
    const std::uint64_t lapse = view.lapse > 1 ? kFrames * view.lapse : 0;
    return std::clamp<std::uint64_t>(lapse, view.gauge.window, sim::GaugeSettings::kMaxWindow);
}

sim::Lookback lookbackOf(const View& view) {
    const auto flashes = static_cast<std::uint64_t>(std::ceil(moveTicksOf(view) * kFlashMoves)) + 1;
    const std::uint64_t lapse = view.lapse > 1 ? view.lapse : 0;
    const std::uint64_t followed =
        lapse <= View::kMaxSteps ? static_cast<std::uint64_t>(std::ceil(flashTicksOf(static_cast<double>(lapse)))) : 0;
    sim::Lookback lookback;
    lookback.steps = std::min(std::max({flashes, std::uint64_t{view.trails}, followed}), View::kMaxSteps);
    lookback.window = windowOf(view);
    lookback.lapse = lapse == 0 ? 0 : flowTicksOf(lapse);
    lookback.use = view.use;
    return lookback;
}

}  // namespace whorl::scene
