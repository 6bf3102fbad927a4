// The picture of a BlockView: x is the cache (the plane of its CPUs), y the block, z the time.
//
// Source: H. A. Goosen et al., "Chiron: Interactive 3D visualization of parallel program memory performance".
#pragma once

#include <cstdint>
#include <optional>

#include "render/scene/space/block_view.h"
#include "render/scene/space/space_scene.h"

namespace whorl::scene {

/// The rows after zooming by a factor (above 1: in) about `pivot`, a share of all rows that stays in its place. `rows`:
/// the rows before; none: all. `all`: the number of rows, a few of which always stay in view.
std::optional<RowSpan> zoomedRows(const std::optional<RowSpan>& rows, double pivot, double factor, std::uint32_t all);
/// The rows after zooming about the middle of the shown rows, if the number of rows is unknown: assumes many.
std::optional<RowSpan> zoomedRows(const std::optional<RowSpan>& rows, double factor);
/// The rows after the view has moved down by `by`, a share of all rows.
std::optional<RowSpan> movedRows(const std::optional<RowSpan>& rows, double by);

/// The box around a BlockView in the world.
Extent extentOf(const BlockView& view, const BlockLook& look);
/// A camera that looks from the same side, with the whole view and its names in the picture.
SpaceCamera homeCamera(const BlockView& view, const BlockLook& look, SpaceCamera from = blockCamera());
/// The cycles along `pixels` to the right in a view that is seen face on: negative from behind, where time runs to the
/// left.
double cyclesAcross(const BlockView& view, const BlockLook& look, float pixels);
/// The width of the names of blocks, for BlockLook::namesWidth, pixels: measured on a sample of the rows.
float widthOfNames(const BlockView& view, const BlockLook& look);
/// The share of all rows under a pixel, from the top, where the view is seen face on.
double rowShareAt(const BlockView& view, const BlockLook& look, glm::vec2 pixel);
/// The share of all rows along `pixels` downward in a view that is seen face on.
double rowsAcross(const BlockView& view, const BlockLook& look, float pixels);
/// The picture: a pure function of its arguments.
SpaceScene blockScene(const BlockView& view, const BlockLook& look);
/// Moves the playhead of the scene that blockScene() gave for a view and a look to the look's.
void movePlayhead(SpaceScene& scene, const BlockView& view, const BlockLook& look);

}  // namespace whorl::scene
