// The rows of a BlockView, which shows how long each block stayed in each cache of one level: which block lies in which
// row, and its stays. How it is drawn: block_scene.h.
//
// Source: H. A. Goosen et al., "Chiron: Interactive 3D visualization of parallel program memory performance".
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/scene/space/space_scene.h"
#include "sim/analysis/history.h"

namespace whorl::scene {

/// A range of time, cycles with a fraction: [from, to).
struct Interval {
    double from = 0;
    double to = 0;

    double length() const { return to - from; }
    bool operator==(const Interval&) const = default;
};

enum class BlockOrder : std::uint8_t {
    cost,     ///< the most expensive on top
    address,  ///< the highest on top
};

/// Which block lies in which row. Immutable; the level must outlive it.
class BlockView {
  public:
    /// The most expensive blocks get rows, until their stays together exceed this; but at least kFewestBlocks of them.
    static constexpr std::size_t kMaxStays = 100'000;
    static constexpr std::size_t kFewestBlocks = 50;

    BlockView(const sim::HistoryLevel& level, sim::Cycles begin, sim::Cycles end, BlockOrder order,
              std::size_t mostStays = kMaxStays);
    /// Shows only blocks with a stay in `during`; `mostStays` limits the number of stays in that time.
    BlockView(const sim::HistoryLevel& level, sim::Cycles begin, sim::Cycles end, BlockOrder order,
              const Interval& during, std::size_t mostStays = kMaxStays);
    /// The rows of some blocks, given as indices into HistoryLevel::blocks in any order.
    BlockView(const sim::HistoryLevel& level, sim::Cycles begin, sim::Cycles end, BlockOrder order,
              std::vector<std::uint32_t> blocks, std::size_t mostStays = kMaxStays);
    BlockView(const sim::History& history, std::size_t level, BlockOrder order, std::size_t mostStays = kMaxStays)
        : BlockView(history.levels[level], history.begin, history.end, order, mostStays) {}

    const sim::HistoryLevel& level() const { return *level_; }
    BlockOrder order() const { return order_; }
    sim::Cycles begin() const { return begin_; }
    sim::Cycles end() const { return end_; }
    /// Whether every block has a row.
    bool hasAll() const { return blocks_.size() == level_->blocks.size(); }
    std::uint32_t rows() const { return static_cast<std::uint32_t>(blocks_.size()); }
    std::uint32_t planes() const { return level_->caches; }
    /// The block of a row, counted from the bottom: index into HistoryLevel::blocks.
    std::uint32_t blockOf(std::uint32_t row) const { return blocks_[row]; }
    /// The row of a block; none: it has no row.
    std::optional<std::uint32_t> rowOf(std::uint32_t block) const;
    /// The stays of a row in a cache: [first, second) of HistoryLevel::stays.
    std::pair<std::uint32_t, std::uint32_t> staysOf(std::uint32_t row, std::uint32_t cache) const {
        const std::size_t i = std::size_t{row} * level_->caches + cache;
        return {firstStay_[i], lastStay_[i]};
    }

  private:
    /// The blocks of the rows, from the bottom.
    struct Chosen {
        std::vector<std::uint32_t> blocks;
    };
    BlockView(const sim::HistoryLevel& level, sim::Cycles begin, sim::Cycles end, BlockOrder order, Chosen blocks);

    static Chosen of(const sim::HistoryLevel& level, std::vector<std::uint32_t> blocks, BlockOrder order,
                     std::size_t mostStays);
    static Chosen during(const sim::HistoryLevel& level, BlockOrder order, const Interval& during,
                         std::size_t mostStays);

    const sim::HistoryLevel* level_;
    sim::Cycles begin_;
    sim::Cycles end_;
    BlockOrder order_;
    std::vector<std::uint32_t> blocks_;     ///< by row
    std::vector<std::uint32_t> rowOf_;      ///< by block
    std::vector<std::uint32_t> firstStay_;  ///< by row, then cache
    std::vector<std::uint32_t> lastStay_;   ///< by row, then cache: one past the last stay
};

/// A part of the rows of a BlockView, as shares of all of them, counted from the top: 0 ≤ from < to ≤ 1.
struct RowSpan {
    double from = 0;
    double to = 1;

    double length() const { return to - from; }
    bool operator==(const RowSpan&) const = default;
};

/// How a BlockView is looked at.
struct BlockLook : SpaceLook {
    enum class Draw : std::uint8_t {
        points,  ///< a point where a block is filled and one where it leaves
        lines,
        faces,      ///< tilted by 45° for invalidated stays, by -45° for the rest: distinct from above and below
        boxes,      ///< lit
        automatic,  ///< boxes or lines, by their size in the picture; what is too small is folded (FoldGrid)
    };
    /// How what is not highlighted is drawn beside what is.
    enum class Others : std::uint8_t {
        lines,
        points,
        alike,  ///< as if nothing was highlighted, but dimmed
    };
    enum class Colour : std::uint8_t {
        cpu,          ///< the CPU whose access brought the block in
        state,        ///< the coherence state, as it changes over time: shared, exclusive, modified
        objectClass,  ///< the class of the object of that access, in objectColours
    };

    Draw draw = Draw::automatic;
    Others others = Others::lines;
    Colour colour = Colour::cpu;
    bool coherence = true;                     ///< show what was invalidated
    bool replacement = true;                   ///< show what was replaced
    bool other = true;                         ///< show what stayed, or left otherwise
    std::uint64_t caches = ~std::uint64_t{0};  ///< a bit for each cache whose plane is shown
    std::optional<Interval> range;             ///< the time that the axis spans; none: all of it
    std::optional<RowSpan> rows;               ///< the rows that are shown; none: all
    std::optional<Interval> chosen;            ///< the selected range: stays are dimmed outside of it
    std::optional<Interval> lens;  ///< stays in this time are drawn as boxes, or as faces if `draw` is faces
    std::optional<double> playhead;
    /// Stays drawn as boxes or faces, at least kHighlightPixels high and long, while all others are as `others` says:
    /// indices, ascending.
    std::shared_ptr<const std::vector<std::uint32_t>> highlights;
    static constexpr float kHighlightPixels = 3;
    std::string highlightsInWords;        ///< the highlights in words; empty: no text
    std::optional<std::uint32_t> picked;  ///< a stay that is outlined
    std::string flag;                     ///< name of the picked stay; empty: none
    /// Colours by index into History::objects.
    std::shared_ptr<const std::vector<Rgba>> objectColours;
    /// The colour of a stay of no such object, as of one that began before the history. None: that of a node.
    std::function<Rgba(const sim::Stay&)> earlierColour;
    /// What the colours of classes mean.
    struct ClassKey {
        std::string name;
        Rgba colour;
    };
    std::vector<ClassKey> classes;
    /// The name of a block, an index into HistoryLevel::blocks. None: its address.
    std::function<std::string(std::uint32_t)> nameOf;
    /// Width of the names of blocks, pixels; 0: unknown. Views that show the same rows in another way should get the
    /// same value.
    float namesWidth = 0;
    /// The text in the bar of a stay, an index into HistoryLevel::stays, if it has room. None: no texts.
    std::function<std::string(std::uint32_t)> textOf;
};

// Where rows, planes and times of a BlockView lie in its world. Plain arithmetic.
//
// Seen face on, each row has a lane for each plane, so that none hides another. As the camera turns away from that, the
// lanes grow together until each is as high as the row: the depth then separates the planes.

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
