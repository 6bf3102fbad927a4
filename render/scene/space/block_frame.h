// Where rows, planes and times of a BlockView lie in its world. Plain arithmetic.
#pragma once

#include "render/scene/space/block_scene.h"

namespace whorl::scene {

class BlockFrame {
  public:
    BlockFrame(const BlockView& view, const BlockLook& look);

    static constexpr float kLength = 2;     ///< of the time range that is shown, along z
    static constexpr double kZoomed = 0.3;  ///< of the time: see isZoomed()

    /// The time range that is shown, at least one cycle.
    double from() const { return range_.from; }
    double to() const { return range_.to; }
    const Interval& range() const { return range_; }
    float height() const { return height_; }        ///< of all rows, along y
    float spacing() const { return spacing_; }      ///< between planes
    float rowHeight() const { return rowHeight_; }  ///< from row to row
    float half() const { return half_; }            ///< half the thickness of a stay

    /// The plane of the first CPU is the farthest for an eye that looks along x.
    float xOf(std::uint32_t cache) const {
        return ((static_cast<float>(planes_) - 1) / 2 - static_cast<float>(cache)) * spacing_;
    }
    float yOf(std::uint32_t row) const { return (static_cast<float>(row) + 0.5F) * rowHeight_ - height_ / 2; }
    /// For times within the range.
    float zOf(double at) const { return static_cast<float>((at - range_.from) * perCycle_ - kLength / 2.0); }
    double zPerCycle() const { return perCycle_; }
    Extent extent() const;
    /// The extent with room for ticks and names beside it: what toClip() of the camera is asked for.
    Extent around() const;

    bool showsCache(std::uint32_t cache) const { return cache >= 64 || (look_->caches >> cache & 1) != 0; }
    /// Whether a stay of its kind is shown, and any of it lies in the range.
    bool shows(const sim::Stay& stay) const;
    /// Whether its beginning, or its end, lies in the range.
    bool comesInside(const sim::Stay& stay) const { return static_cast<double>(stay.from) >= range_.from; }
    bool leavesInside(const sim::Stay& stay) const { return static_cast<double>(stay.to) <= range_.to; }
    /// Whether it ends there with a departure, not with the history.
    bool departsInside(const sim::Stay& stay) const {
        return leavesInside(stay) && stay.leaving != sim::Leaving::resident;
    }
    /// Whether so small a part of the time is shown that hardly anything comes or leaves in it.
    bool isZoomed() const { return range_.length() < kZoomed * whole_; }
    /// The part of a stay that lies in the range, if the stay is shown.
    Interval partOf(const sim::Stay& stay) const;

  private:
    const BlockLook* look_;
    Interval range_;
    double whole_;  ///< the time that could be shown, cycles
    std::uint32_t planes_;
    double perCycle_;
    float height_;
    float spacing_;
    float rowHeight_;
    float half_;
};

}  // namespace whorl::scene
