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
    std::optional<Interval> chosen;            ///< the selected range: stays are dimmed outside of it
    std::optional<Interval> lens;              ///< within it stays are drawn as boxes, or faces if `draw` says so
    std::optional<double> playhead;
    /// Stays drawn as boxes or faces while all others are lines or points: indices, ascending.
    std::shared_ptr<const std::vector<std::uint32_t>> highlights;
    std::optional<std::uint32_t> picked;  ///< a stay that is outlined
    /// By History::objects.
    std::shared_ptr<const std::vector<Rgba>> objectColours;
    /// The name of a block, an index into HistoryLevel::blocks. None: its address.
    std::function<std::string(std::uint32_t)> nameOf;
};

/// The box around a BlockView in the world.
Extent extentOf(const BlockView& view, const BlockLook& look);
/// A camera that looks from the same side, with the whole view and its names in the picture.
SpaceCamera homeCamera(const BlockView& view, const BlockLook& look, SpaceCamera from = blockCamera());
/// The cycles along so many pixels to the right, where the view is seen face on: negative from behind, where time runs
/// to the left.
double cyclesAcross(const BlockView& view, const BlockLook& look, float pixels);
/// The picture: a pure function of its arguments.
SpaceScene blockScene(const BlockView& view, const BlockLook& look);

}  // namespace whorl::scene
