// The picture of a BlockView: x is the cache (the plane of its CPUs), y the block, z the time.
//
// Source: H. A. Goosen et al., "Chiron: Interactive 3D visualization of parallel program memory performance".
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/space/block_view.h"
#include "render/scene/space/space_look.h"
#include "render/scene/space/space_scene.h"

namespace whorl::scene {

/// A part of the rows of a BlockView, as shares of all of them, counted from the top: 0 ≤ from < to ≤ 1.
struct RowSpan {
    double from = 0;
    double to = 1;

    double length() const { return to - from; }
    bool operator==(const RowSpan&) const = default;
};
/// The rows after a part has been zoomed by a factor (above 1: in) about a share of all, which stays in its place;
/// `rows` of all there are, of which a few are always shown. None: all.
std::optional<RowSpan> zoomedRows(const std::optional<RowSpan>& rows, double pivot, double factor, std::uint32_t all);
/// The same about the middle of what is shown, where it is not known how many rows there are: of many.
std::optional<RowSpan> zoomedRows(const std::optional<RowSpan>& rows, double factor);
/// The rows after what is shown has been moved down by so many shares of all.
std::optional<RowSpan> movedRows(const std::optional<RowSpan>& rows, double by);

/// How a BlockView is looked at.
struct BlockLook : SpaceLook {
    enum class Draw : std::uint8_t {
        points,  ///< a point where a block is filled and one where it leaves
        lines,
        faces,      ///< tilted by 45° for what was invalidated, by -45° for the rest: told apart from above or below
        boxes,      ///< lit
        automatic,  ///< boxes or lines, by their size in the picture; what is too small is folded (FoldGrid)
    };
    enum class Colour : std::uint8_t {
        cpu,          ///< whose access brought the block in
        state,        ///< the coherence state, as it changes over time: shared, exclusive, modified
        objectClass,  ///< the class of the object of that access, in objectColours
    };

    Draw draw = Draw::automatic;
    Colour colour = Colour::cpu;
    bool coherence = true;                     ///< show what was invalidated
    bool replacement = true;                   ///< show what was replaced
    bool other = true;                         ///< show what stayed, or left otherwise
    std::uint64_t caches = ~std::uint64_t{0};  ///< a bit for each cache whose plane is shown
    std::optional<Interval> range;             ///< the time that the axis spans; none: all of it
    std::optional<RowSpan> rows;               ///< the rows that are shown; none: all
    std::optional<Interval> chosen;            ///< the selected range: stays are dimmed outside of it
    std::optional<Interval> lens;              ///< within it stays are drawn as boxes, or faces if `draw` says so
    std::optional<double> playhead;
    /// Stays drawn as boxes or faces, at least kLitPixels high and long, while all others are lines or points: indices,
    /// ascending.
    std::shared_ptr<const std::vector<std::uint32_t>> highlights;
    static constexpr float kLitPixels = 3;
    std::string lit;                      ///< what they are, in words; empty: not said
    std::optional<std::uint32_t> picked;  ///< a stay that is outlined
    std::string flag;                     ///< its name; empty: none
    /// By History::objects.
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
    /// How wide the names are, pixels; 0: not known. What shows the same rows in another way should be told the same.
    float namesWidth = 0;
    /// What a stay, an index into HistoryLevel::stays, says of itself where its bar has room for it. None: nothing.
    std::function<std::string(std::uint32_t)> textOf;
};

/// The box around a BlockView in the world.
Extent extentOf(const BlockView& view, const BlockLook& look);
/// A camera that looks from the same side, with the whole view and its names in the picture.
SpaceCamera homeCamera(const BlockView& view, const BlockLook& look, SpaceCamera from = blockCamera());
/// The cycles along so many pixels to the right, where the view is seen face on: negative from behind, where time runs
/// to the left.
double cyclesAcross(const BlockView& view, const BlockLook& look, float pixels);
/// How wide the names of blocks are, for BlockLook::namesWidth: measured over rows from all of them.
float widthOfNames(const BlockView& view, const BlockLook& look);
/// The share of all rows under a pixel, from the top, where the view is seen face on.
double rowShareAt(const BlockView& view, const BlockLook& look, glm::vec2 pixel);
/// The share of all rows along so many pixels downward, likewise.
double rowsAcross(const BlockView& view, const BlockLook& look, float pixels);
/// The picture: a pure function of its arguments.
SpaceScene blockScene(const BlockView& view, const BlockLook& look);

}  // namespace whorl::scene
