// Paints cells into a raster: each as a box of its colour, the cells that were never touched, boundaries, and the
// outline of any range of memory.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "render/scene/cells/cell_colours.h"
#include "render/scene/cells/cell_flow.h"
#include "render/scene/cells/cell_values.h"
#include "render/scene/cells/memory_cells.h"

namespace whorl::scene {

/// The part of a picture where cells are, and the part of their content that is seen there.
struct CellWindow {
    PixelBox area;         ///< of the picture
    glm::ivec2 scroll{0};  ///< the content's pixel at the area's upper left corner

    PixelBox content() const { return {scroll, scroll + area.high - area.low}; }
    glm::ivec2 toPicture(glm::ivec2 content) const { return content - scroll + area.low; }
    PixelBox toPicture(const PixelBox& box) const { return {toPicture(box.low), toPicture(box.high)}; }
    glm::ivec2 toContent(glm::ivec2 picture) const { return picture - area.low + scroll; }
};

/// Colours of values from 0 to `most`, looked up quickly.
class ColourTable {
  public:
    ColourTable(Ground ground, CellRamp ramp, float most, bool logarithmic);
    Rgba of(float value) const;

  private:
    static constexpr std::size_t kSteps = 256;
    std::array<Rgba, kSteps> colours_;
    float most_;
    bool logarithmic_;
};

/// Every cell that exists, in the colour of untouched ones.
void paintUntouched(Raster& raster, const CellWindow& window, const CellFlow& flow, const CellGroups& groups,
                    MemoryCurve curve, Rgba colour);

using EntryColour = std::function<Ink(const CellValues::Entry&)>;

/// Every cell that has a value. `values` are folded as the flow is.
void paintValues(Raster& raster, const CellWindow& window, const CellFlow& flow, const CellValues& values,
                 const EntryColour& colourOf);

/// Around every cell that has a value a rim of one pixel, half as strong; to be painted before the cells. Single cells
/// of a pixel or two would not be seen.
void paintHalos(Raster& raster, const CellWindow& window, const CellFlow& flow, const CellValues& values,
                const EntryColour& colourOf);

/// Lines between cells wherever an address is a multiple of `bytes`, where there is room for them; for the linear
/// curve. False if they would lie too close.
bool paintBoundaries(Raster& raster, const CellWindow& window, const CellFlow& flow, const MemoryCells& cells,
                     std::uint64_t bytes, int thick, Rgba colour);

/// The outline of the cells that [first, last] touches. Returns the boxes of whole rows in it that are seen, for a
/// name.
std::vector<PixelBox> paintOutline(Raster& raster, const CellWindow& window, const CellFlow& flow,
                                   const MemoryCells& cells, sim::ByteAddress first, sim::ByteAddress last, int thick,
                                   Rgba colour);

}  // namespace whorl::scene
