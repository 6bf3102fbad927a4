// Paints cells into a raster: each as a box of its colour, the cells that were never touched, boundaries, and the
// outline of any range of memory.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "render/scene/cells/cell_flow.h"
#include "render/scene/cells/cell_measures.h"
#include "render/scene/cells/memory_cells.h"
#include "render/scene/palette.h"

namespace whorl::scene {

/// The part of a picture where cells are, and the part of their content that is seen there.
struct CellWindow {
    PixelBox area;         ///< the place of the cells in the picture
    glm::ivec2 scroll{0};  ///< the content's pixel at the area's upper left corner

    PixelBox content() const { return {scroll, scroll + area.high - area.low}; }
    glm::ivec2 toPicture(glm::ivec2 content) const { return content - scroll + area.low; }
    PixelBox toPicture(const PixelBox& box) const { return {toPicture(box.low), toPicture(box.high)}; }
    glm::ivec2 toContent(glm::ivec2 picture) const { return picture - area.low + scroll; }
};

/// Colours of values from `least` to `most`, looked up quickly.
class ColourTable {
  public:
    ColourTable(Ground ground, CellRamp ramp, float most, bool logarithmic, float least = 0);
    Rgba of(float value) const;

  private:
    static constexpr std::size_t kSteps = 256;
    std::array<Rgba, kSteps> colours_;
    float most_;
    bool logarithmic_;
    float least_;
};

/// Paints every cell that exists in the colour of untouched ones.
void paintUntouched(Raster& raster, const CellWindow& window, const CellFlow& flow, const CellGroups& groups,
                    MemoryCurve curve, Rgba colour);

using EntryColour = std::function<Ink(const CellValues::Entry&)>;

/// Paints every cell that has a value. `values` must have the fold of the flow.
void paintValues(Raster& raster, const CellWindow& window, const CellFlow& flow, const CellValues& values,
                 const EntryColour& colourOf);

/// Paints a rim of one pixel, half as strong as the cell, around every cell that has a value: single cells of a pixel
/// or two would be invisible. Call before painting the cells.
void paintHalos(Raster& raster, const CellWindow& window, const CellFlow& flow, const CellValues& values,
                const EntryColour& colourOf);

/// Whether lines at the multiples of `bytes` are far enough apart to leave the cells visible, and the curve is linear.
bool hasBoundaries(const CellFlow& flow, const MemoryShape& shape, std::uint64_t bytes);

/// Paints lines between cells at the multiples of `bytes`, if hasBoundaries().
void paintBoundaries(Raster& raster, const CellWindow& window, const CellFlow& flow, const MemoryCells& cells,
                     std::uint64_t bytes, int thick, Rgba colour);

/// Paints the outline of the cells that [first, last] touches. Returns the visible boxes of its whole rows, where a
/// name can stand.
std::vector<PixelBox> paintOutline(Raster& raster, const CellWindow& window, const CellFlow& flow,
                                   const MemoryCells& cells, sim::ByteAddress first, sim::ByteAddress last, int thick,
                                   Rgba colour);

}  // namespace whorl::scene
