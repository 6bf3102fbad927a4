// The picture of a BlockView: x is the cache (the plane of its CPUs), y the block, z the time.
//
// Source: H. A. Goosen et al., "Chiron: Interactive 3D visualization of parallel program memory performance".
#pragma once

#include <cstdint>
#include <optional>

#include "render/scene/space/block_view.h"
#include "render/scene/space/space_scene.h"

namespace whorl::scene {

/// The rows after a part has been zoomed by a factor (above 1: in) about a share of all, which stays in its place;
/// `rows` of all there are, of which a few are always shown. None: all.
std::optional<RowSpan> zoomedRows(const std::optional<RowSpan>& rows, double pivot, double factor, std::uint32_t all);
/// The same about the middle of what is shown, where it is not known how many rows there are: of many.
std::optional<RowSpan> zoomedRows(const std::optional<RowSpan>& rows, double factor);
/// The rows after what is shown has been moved down by so many shares of all.
std::optional<RowSpan> movedRows(const std::optional<RowSpan>& rows, double by);

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
