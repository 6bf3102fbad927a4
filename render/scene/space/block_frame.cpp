#include "render/scene/space/block_frame.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace whorl::scene {

namespace {

constexpr float kDepth = 1.1F;  ///< greatest depth of all planes together
constexpr float kWidestSpacing = 0.2F;
constexpr float kThickest = 0.035F;     ///< greatest half thickness of a stay seen from aside
constexpr float kTurned = 0.3F;         ///< radians away from face on, where lanes have grown together
constexpr float kOfRow = 0.9F;          ///< share of a row's height for its lanes
constexpr float kOfLane = 0.84F;        ///< share of a lane's height for its stays
constexpr float kThinnestLane = 3;      ///< pixels
constexpr float kUsualNames = 8;        ///< usual width of the names of blocks, in heights of the text
constexpr float kBesideNames = 6.5F;    ///< room left and right beside those names, in heights of the text
constexpr float kAboveAndBelow = 6.5F;  ///< room above and below, in heights of the text

/// The height of a picture whose time axis is kLength long, so that it fills its room.
float heightFor(const BlockLook& look) {
    const float names = look.namesWidth > 0 ? look.namesWidth : kUsualNames * look.textSize;
    const float beside = BlockFrame::isNarrow(look) ? 2 : kBesideNames;
    const float wide = std::max(look.size.x - names - beside * look.textSize, 0.25F * look.size.x);
    const float high = std::max(look.size.y - kAboveAndBelow * look.textSize, 0.25F * look.size.y);
    return std::clamp(BlockFrame::kLength * high / wide, 0.25F, 6.0F);
}

/// 1 for an eye that looks straight along x, 0 for one kTurned away from that.
float flatnessFor(const SpaceCamera& camera) {
    if (camera.isFacing(Plane::yz)) return 1;
    const float turned = std::acos(std::min(std::abs(camera.toEye().x), 1.0F));
    const float share = std::clamp(1 - turned / kTurned, 0.0F, 1.0F);
    return std::min(share * share * (3 - 2 * share), 0.999F);
}

Interval rangeOf(const BlockView& view, const BlockLook& look) {
    Interval range = look.range.value_or(Interval{static_cast<double>(view.begin()), static_cast<double>(view.end())});
    range.to = std::max(range.to, range.from + 1);
    return range;
}

float mixed(float a, float b, float share) {
    return a + (b - a) * share;
}

}  // namespace

BlockFrame::BlockFrame(const BlockView& view, const BlockLook& look)
    : look_(&look),
      range_(rangeOf(view, look)),
      whole_(static_cast<double>(view.end() - view.begin())),
      planes_(std::max(view.planes(), 1U)),
      perCycle_(double{kLength} / range_.length()),
      height_(heightFor(look)),
      spacing_(std::min(kWidestSpacing, kDepth / static_cast<float>(planes_))),
      flatness_(flatnessFor(look.camera)) {
    divideRows(view);
}

void BlockFrame::divideRows(const BlockView& view) {
    const std::uint32_t all = view.rows();
    const RowSpan span = look_->rows.value_or(RowSpan{});
    const auto rows = static_cast<double>(all);
    // Rounding errors must not add a row.
    const auto first = static_cast<std::uint32_t>(std::clamp(std::floor(span.from * rows + 1e-6), 0.0, rows));
    const auto last = static_cast<std::uint32_t>(std::clamp(std::ceil(span.to * rows - 1e-6), 0.0, rows));
    endRow_ = all - std::min(first, all > 0 ? all - 1 : 0);
    firstRow_ = std::min(all - std::max(last, first), endRow_ > 0 ? endRow_ - 1 : 0);
    rowHeight_ = height_ / static_cast<float>(std::max(rowsShown(), 1U));
    half_ = std::min({0.4F * rowHeight_, 0.3F * spacing_, kThickest});

    std::uint32_t shown = 0;
    for (std::uint32_t cache = 0; cache < planes_; ++cache) shown += showsCache(cache) ? 1 : 0;
    lanes_ = std::max(shown, 1U);
    const float pixels = look_->camera.pixelsPerUnit(look_->size);
    merges_ = isFlat() && lanes_ > 1 && kOfRow * rowHeight_ * pixels < kThinnestLane * static_cast<float>(lanes_);
    if (merges_) lanes_ = 1;
    laneHeight_ = kOfRow * rowHeight_ / static_cast<float>(lanes_);
    // A row of one lane has room for the lane alone.
    halfHigh_ = mixed(half_, kOfLane * laneHeight_ / 2, flatness_);
}

float BlockFrame::laneOf(std::uint32_t cache) const {
    if (merges_ || flatness_ == 0) return 0;
    const auto before = static_cast<float>(cache < 64 ? std::popcount(look_->caches & ((std::uint64_t{1} << cache) - 1))
                                                      : static_cast<int>(cache));
    return flatness_ * laneHeight_ * ((static_cast<float>(lanes_) - 1) / 2 - before);
}

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
    // A stay that only touches the range from outside does not overlap it.
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
