#include "render/scene/space/block_frame.h"

#include <algorithm>
#include <cmath>

namespace whorl::scene {

namespace {

constexpr float kDepth = 1.1F;  ///< of all planes together at most
constexpr float kWidestSpacing = 0.2F;
constexpr float kThickest = 0.035F;  ///< half of a stay, where there are few rows

/// Half the length of the time axis in a picture of 16:9; more in a higher one, whose upper and lower parts would stay
/// empty.
float heightFor(glm::vec2 size) {
    return std::clamp(size.y / size.x * 16 / 9, 1.0F, 1.8F);
}

Interval rangeOf(const BlockView& view, const BlockLook& look) {
    Interval range = look.range.value_or(Interval{view.begin(), view.end()});
    range.from = std::clamp(range.from, view.begin(), view.end() - 1);
    range.to = std::clamp(range.to, range.from + 1, std::max(view.end(), range.from + 1));
    return range;
}

}  // namespace

BlockFrame::BlockFrame(const BlockView& view, const BlockLook& look)
    : look_(&look),
      range_(rangeOf(view, look)),
      planes_(std::max(view.planes(), 1U)),
      perCycle_(double{kLength} / static_cast<double>(range_.to - range_.from)),
      height_(heightFor(look.size)),
      spacing_(std::min(kWidestSpacing, kDepth / static_cast<float>(planes_))),
      rowHeight_(height_ / static_cast<float>(std::max(view.rows(), 1U))),
      half_(std::min({0.4F * rowHeight_, 0.3F * spacing_, kThickest})) {}

Extent BlockFrame::extent() const {
    const float depth = static_cast<float>(planes_ - 1) * spacing_ / 2 + half_;
    return {{-depth, -height_ / 2, -kLength / 2}, {depth, height_ / 2, kLength / 2}};
}

Extent BlockFrame::around() const {
    Extent around = extent();
    around.low -= glm::vec3(0.1F);
    around.high += glm::vec3(0.1F);
    return around;
}

bool BlockFrame::shows(const sim::Stay& stay) const {
    if (stay.to < range_.from || stay.from > range_.to) return false;
    switch (stay.leaving) {
        case sim::Leaving::invalidated:
            return look_->coherence;
        case sim::Leaving::replaced:
            return look_->replacement;
        default:
            return look_->other;
    }
}

}  // namespace whorl::scene
