// All cells in a small picture in the corner of a zoomed one, with the part of them that is seen: a zoom keeps its
// context.
#pragma once

#include <optional>
#include <vector>

#include "render/scene/cells/cell_painting.h"
#include "render/scene/cells/cell_scene.h"

namespace whorl::scene {

class CellInset {
  public:
    /// Lies in the lower right corner of `area`. `groups` without titles; `order` as for CellFlow.
    CellInset(const CellGroups& groups, const std::vector<std::uint32_t>& order, const PixelBox& area);

    /// Whether a picture with this area has room for one.
    static bool fits(const PixelBox& area);
    /// The place of the inset in the picture, pixels.
    const PixelBox& box() const { return box_; }
    /// The first cell of those shown at a pixel of the picture.
    std::optional<CellPlace> at(glm::ivec2 p) const;

    /// Paints the inset over a picture with cells placed by `flow` and seen through `window`.
    void paint(FlatScene& scene, FoldedValues& values, const EntryColour& colourOf, MemoryCurve curve,
               const CellFlow& flow, const CellWindow& window) const;

  private:
    CellWindow window() const;
    void markSeen(Raster& raster, const CellFlow& flow, const CellWindow& window, Rgba colour) const;

    CellGroups groups_;
    PixelBox box_;
    CellFlow flow_;
};

}  // namespace whorl::scene
