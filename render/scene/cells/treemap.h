// Memory as a treemap: a box for each region, as large as its bytes, and in it one for each allocation, the rest as
// one. In the places where several allocations lived, the largest stands for them.
//
// Source: M. Bruls, K. Huizing, J. J. van Wijk, "Squarified Treemaps", 2000.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "render/scene/cells/cell_scene.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

/// Divides a box by sizes, which are positive and descend, into boxes that are as square as can be. They cover it.
std::vector<PixelBox> squarified(std::span<const double> sizes, const PixelBox& box);

class Treemap {
  public:
    struct Box {
        std::string name;
        sim::ByteAddress from;
        std::uint64_t bytes = 0;
        PixelBox box;
        bool isDivided = false;  ///< a region with allocations in it, so that its title alone is seen
        bool hasTitle = true;    ///< with room for it
        bool isPart = false;     ///< an allocation
        bool isRest = false;     ///< what no allocation of its region holds; `from` and `bytes` are of the region
    };

    /// `title`: the height of a region's title, pixels.
    Treemap(const sim::Trace& trace, const PixelBox& area, int title);

    /// Regions, each before its allocations.
    const std::vector<Box>& boxes() const { return boxes_; }
    /// The innermost box at a pixel; null outside.
    const Box* at(glm::ivec2 p) const;

  private:
    void divide(const sim::Trace& trace, std::size_t region, int title);

    std::vector<Box> boxes_;
};

struct TreemapPicture {
    const Treemap& map;
    std::vector<float> values;  ///< of each box; below 0: none
    EntryColour colourOf;
    std::vector<CellOutline> marks;
};
FlatScene treemapScene(const TreemapPicture& picture, const CellLook& look);

}  // namespace whorl::scene
