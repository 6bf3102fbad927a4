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
    Interval range = look.range.value_or(Interval{static_cast<double>(view.begin()), static_cast<double>(view.end())});
    range.to = std::max(range.to, range.from + 1);
    return range;
}

}  // namespace

BlockFrame::BlockFrame(const BlockView& view, const BlockLook& look)
    : look_(&look),
      range_(rangeOf(view, look)),
      whole_(static_cast<double>(view.end() - view.begin())),
      planes_(std::max(view.planes(), 1U)),
      perCycle_(double{kLength} / range_.length()),
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
    const auto from = static_cast<double>(stay.from);
    const auto to = static_cast<double>(stay.to);
    if (to < range_.from || from > range_.to) return false;
    // What only touches the range from outside is not in it.
    if ((to == range_.from && from < to) || (from == range_.to && to > from)) return false;
    switch (stay.leaving) {
        case sim::Leaving::invalidated:
            return look_->coherence;
        case sim::Leaving::replaced:
            return look_->replacement;
        default:
            return look_->other;
    }
}

Interval BlockFrame::partOf(const sim::Stay& stay) const {
    const double from = std::clamp(static_cast<double>(stay.from), range_.from, range_.to);
    return {from, std::clamp(static_cast<double>(stay.to), from, range_.to)};
}

}  // namespace whorl::scene
