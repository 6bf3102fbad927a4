// What several caches hold of one block, merged into one lane of a BlockView where there is no room for a lane each.
#pragma once

#include <cstdint>
#include <vector>

#include "render/scene/colour.h"
#include "sim/analysis/history.h"

namespace whorl::scene {

class LaneMerge {
  public:
    /// A stretch of time, cycles [from, to), in which one cache holds the block.
    struct Part {
        double from = 0;
        double to = 0;
        Rgba colour;
        std::uint32_t stay = sim::Stay::kNone;
    };
    /// A stretch in which the same colours are there.
    struct Stretch {
        double from = 0;
        double to = 0;
        std::vector<Rgba> colours;              ///< each once, in the order in which parts with them were added first
        std::uint32_t stay = sim::Stay::kNone;  ///< that of the only part in it; none: there are several
        bool operator==(const Stretch&) const = default;
    };

    void add(const Part& part) { parts_.push_back(part); }
    /// The stretches that any part covers, ascending and apart from each other. Empty after that.
    std::vector<Stretch> take();

  private:
    std::vector<Part> parts_;
};

}  // namespace whorl::scene
