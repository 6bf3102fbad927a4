#include "render/scene/rings/plainness.h"

#include <algorithm>
#include <cmath>

namespace whorl::scene {

namespace {

constexpr double kSteps = 8;

/// How many times in a frame the blocks of a level are replaced.
double turnoverOf(const sim::Snapshot& snapshot, const RingLayout& layout, const View& view, std::size_t level) {
    std::uint64_t left = 0;
    for (const auto& [key, count] : snapshot.flows.counts()) {
        if (key.level == level && key.kind != sim::FlowKey::Kind::inward) left += count;
    }
    const double frames = static_cast<double>(flowTicksOf(view.lapse)) / static_cast<double>(view.lapse);
    return static_cast<double>(left) / frames / static_cast<double>(layout.levels[level].slots());
}

}  // namespace

std::vector<float> plainnessOf(const sim::Snapshot& snapshot, const RingLayout& layout, const View& view) {
    std::vector<float> plain(layout.levels.size(), 0.0f);
    if (view.lapse <= 1) return plain;
    for (std::size_t l = 0; l < plain.size(); ++l) {
        const double share = std::clamp(2 * turnoverOf(snapshot, layout, view, l) - 1, 0.0, 1.0);
        plain[l] = static_cast<float>(std::round(kSteps * share) / kSteps);
    }
    return plain;
}

}  // namespace whorl::scene
