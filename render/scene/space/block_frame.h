// Where rows, planes and times of a BlockView lie in its world. Plain arithmetic.
//
// Seen face on, each row has a lane for each plane, so that none hides another. As the camera turns away from that, the
// lanes grow together until each is as high as the row: the depth then separates the planes.
#pragma once

#include <utility>

#include "render/scene/space/block_view.h"

namespace whorl::scene {

class BlockFrame {
  public:
    BlockFrame(const BlockView& view, const BlockLook& look);

    /// Whether there is no room for the names of CPUs on the right.
    static bool isNarrow(const BlockLook& look) { return look.size.x < 44 * look.textSize; }

    static constexpr float kLength = 2;     ///< length of the shown time range, along z
    static constexpr double kZoomed = 0.3;  ///< share of the time, see isZoomed()

    /// The time range that is shown, at least one cycle.
    double from() const { return range_.from; }
    double to() const { return range_.to; }
    const Interval& range() const { return range_; }
    float height() const { return height_; }        ///< height of all shown rows, along y
    float spacing() const { return spacing_; }      ///< distance between planes, along x
    float rowHeight() const { return rowHeight_; }  ///< distance from row to row
    float half() const { return half_; }            ///< half the thickness of a stay, along x
    float halfHigh() const { return halfHigh_; }    ///< half the height of a stay, along y

    /// The rows that are shown: [first, second).
    std::pair<std::uint32_t, std::uint32_t> rows() const { return {firstRow_, endRow_}; }
    bool showsRow(std::uint32_t row) const { return firstRow_ <= row && row < endRow_; }
    std::uint32_t rowsShown() const { return endRow_ - firstRow_; }

    /// Whether the view is seen face on, with each row divided into lanes.
    bool isFlat() const { return flatness_ == 1; }
    /// Whether the view is flat and its lanes would be too thin to see: one lane then holds the stays of all planes.
    bool merges() const { return merges_; }
    std::uint32_t lanes() const { return lanes_; }  ///< lanes of a row: one per shown plane, or 1
    float laneHeight() const { return laneHeight_; }

    /// The plane of the first CPU is the farthest for an eye that looks along x.
    float xOf(std::uint32_t cache) const {
        return ((static_cast<float>(planes_) - 1) / 2 - static_cast<float>(cache)) * spacing_;
    }
    /// The middle of a row, and that of a plane's lane in it.
    float yOf(std::uint32_t row) const {
        return (static_cast<float>(row) - static_cast<float>(firstRow_) + 0.5F) * rowHeight_ - height_ / 2;
    }
    float yOf(std::uint32_t row, std::uint32_t cache) const { return yOf(row) + laneOf(cache); }
    /// The row at a height, which may be one that is not shown, or none.
    double rowAt(double y) const {
        return static_cast<double>(firstRow_) + (y + double{height_} / 2) / double{rowHeight_};
    }
    /// For times within the range.
    float zOf(double at) const { return static_cast<float>((at - range_.from) * perCycle_ - kLength / 2.0); }
    double zPerCycle() const { return perCycle_; }
    Extent extent() const;
    /// The extent with room for ticks and names beside it, for toClip() of the camera.
    Extent around() const;

    bool showsCache(std::uint32_t cache) const { return cache >= 64 || (look_->caches >> cache & 1) != 0; }
    /// Whether stays of this kind are shown and the stay overlaps the range.
    bool shows(const sim::Stay& stay) const;
    /// Whether the beginning, or the end, of a stay lies in the range.
    bool comesInside(const sim::Stay& stay) const { return static_cast<double>(stay.from) >= range_.from; }
    bool leavesInside(const sim::Stay& stay) const { return static_cast<double>(stay.to) <= range_.to; }
    /// Whether a stay ends in the range with a departure, not with the history.
    bool departsInside(const sim::Stay& stay) const {
        return leavesInside(stay) && stay.leaving != sim::Leaving::resident;
    }
    /// Whether the range is so short a part of the time that hardly any block comes or leaves in it.
    bool isZoomed() const { return range_.length() < kZoomed * whole_; }
    /// The part of a stay that lies in the range, if the stay is shown.
    Interval partOf(const sim::Stay& stay) const;

  private:
    void divideRows(const BlockView& view);
    float laneOf(std::uint32_t cache) const;

    const BlockLook* look_;
    Interval range_;
    double whole_;  ///< the time that could be shown, cycles
    std::uint32_t planes_;
    double perCycle_;
    float height_;
    float spacing_;
    std::uint32_t firstRow_ = 0;
    std::uint32_t endRow_ = 0;
    float rowHeight_ = 1;
    float half_ = 0;
    float halfHigh_ = 0;
    float flatness_ = 0;  ///< 1 face on, 0 from aside
    bool merges_ = false;
    std::uint32_t lanes_ = 1;
    float laneHeight_ = 0;
};

}  // namespace whorl::scene
