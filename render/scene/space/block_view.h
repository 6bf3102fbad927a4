// A BlockView: how long each block stayed in each cache of one level. x is the cache (its CPUs' plane), y the block, z
// the time.
//
// Source: H. A. Goosen et al., "Chiron: Interactive 3D visualization of parallel program memory performance".
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/space/space_look.h"
#include "render/scene/space/space_scene.h"
#include "sim/analysis/history.h"

namespace whorl::scene {

enum class BlockOrder : std::uint8_t {
    cost,     ///< the most expensive on top
    address,  ///< the highest on top
};

/// Which block lies in which row. Never changes; the level must live as long.
class BlockView {
  public:
    /// As many of the most expensive blocks as have no more stays than this together, but at least kFewestBlocks, have
    /// rows.
    static constexpr std::size_t kMostStays = 100'000;
    static constexpr std::size_t kFewestBlocks = 50;

    BlockView(const sim::HistoryLevel& level, sim::Cycles begin, sim::Cycles end, BlockOrder order,
              std::size_t mostStays = kMostStays);
    BlockView(const sim::History& history, std::size_t level, BlockOrder order, std::size_t mostStays = kMostStays)
        : BlockView(history.levels[level], history.begin, history.end, order, mostStays) {}

    const sim::HistoryLevel& level() const { return *level_; }
    BlockOrder order() const { return order_; }
    sim::Cycles begin() const { return begin_; }
    sim::Cycles end() const { return end_; }
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
    /// The changes of a stay: [first, second) of HistoryLevel::changes.
    std::pair<std::uint32_t, std::uint32_t> changesOf(std::uint32_t stay) const;

  private:
    const sim::HistoryLevel* level_;
    sim::Cycles begin_;
    sim::Cycles end_;
    BlockOrder order_;
    std::vector<std::uint32_t> blocks_;     ///< by row
    std::vector<std::uint32_t> rowOf_;      ///< by block
    std::vector<std::uint32_t> firstStay_;  ///< by row, then cache
    std::vector<std::uint32_t> lastStay_;   ///< one past it, likewise
};

/// A stretch of time, cycles: [from, to).
struct Interval {
    sim::Cycles from = 0;
    sim::Cycles to = 0;
    bool operator==(const Interval&) const = default;
};

/// How a BlockView is looked at.
struct BlockLook : SpaceLook {
    enum class Draw : std::uint8_t {
        temperature,  ///< a point when a block comes and one when it leaves
        lines,
        faces,      ///< tilted by 45° for what was invalidated, by -45° for the rest: seen from above or below
        boxes,      ///< lit
        automatic,  ///< points, lines or boxes, as large as they are in the picture
    };
    enum class Colour : std::uint8_t {
        cpu,      ///< whose access brought the block in
        holding,  ///< shared, exclusive, modified: as it changes over time
        object,   ///< what that access was to: objectColours
    };

    Draw draw = Draw::automatic;
    Colour colour = Colour::cpu;
    bool coherence = true;                     ///< show what was invalidated
    bool replacement = true;                   ///< … what was replaced
    bool other = true;                         ///< … what stayed or left otherwise
    std::uint64_t caches = ~std::uint64_t{0};  ///< a bit for each cache whose plane is shown
    std::optional<Interval> range;             ///< the time that the axis spans; none: all
    std::optional<Interval> lens;              ///< in it stays are boxes, or faces if that is how all are drawn
    std::optional<sim::Cycles> playhead;
    /// Stays that stand out, as boxes or faces, while the others are lines or points: indices, ascending.
    std::shared_ptr<const std::vector<std::uint32_t>> highlights;
    std::optional<std::uint32_t> picked;  ///< a stay: outlined
    /// By History::objects.
    std::shared_ptr<const std::vector<Rgba>> objectColours;
    /// What a block is called: index into HistoryLevel::blocks. None: by its address.
    std::function<std::string(std::uint32_t)> nameOf;
};

/// The world's box around a BlockView.
Extent extentOf(const BlockView& view, const BlockLook& look);
/// A camera that looks from the same side, with the whole view and its names in the picture.
SpaceCamera homeCamera(const BlockView& view, const BlockLook& look, SpaceCamera from = blockCamera());
/// A camera that shows the lens as large as it goes, from the same side.
SpaceCamera lensCamera(const BlockView& view, const BlockLook& look);
/// The picture. A function of its arguments alone.
SpaceScene blockScene(const BlockView& view, const BlockLook& look);
/// The stay under a pixel, or up to four pixels beside it: index into HistoryLevel::stays.
std::optional<std::uint32_t> pickStay(const BlockView& view, const BlockLook& look, glm::vec2 pixel);
/// The moment under a pixel, on the plane of time through the target: for setting the lens or the playhead by hand.
sim::Cycles timeAt(const BlockView& view, const BlockLook& look, glm::vec2 pixel);

}  // namespace whorl::scene
