// Merges the stays of one block in several caches into one lane of a BlockView without room for a lane per cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
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
    /// A stretch of time with the same set of colours.
    struct Span {
        double from = 0;
        double to = 0;
        std::vector<Rgba> colours;              ///< each once, in the order in which parts with them were added first
        std::uint32_t stay = sim::Stay::kNone;  ///< the stay of the only part; none: several parts
        bool operator==(const Span&) const = default;
    };

    void add(const Part& part) {
        if (part.to > part.from) parts_.push_back(part);
    }
    /// Calls each(const Stretch&) for the stretches that any part covers, ascending and apart from each other. Empty
    /// after that. One stretch at a time: a block may have a million stays.
    template <class F>
    void take(F&& each) {
        begin();
        Span last;
        Span next;
        while (advance(next)) {
            const bool goesOn = last.to == next.from && last.stay == next.stay && last.colours == next.colours;
            if (goesOn) {
                last.to = next.to;
                continue;
            }
            if (last.to > last.from) each(last);
            std::swap(last, next);
        }
        if (last.to > last.from) each(last);
        parts_.clear();
    }

  private:
    void begin();
    bool advance(Span& next);

    std::vector<Part> parts_;
    // State of take().
    std::vector<Rgba> colours_;      ///< in the order in which they were added first
    std::vector<std::size_t> here_;  ///< the parts at `now_`, few at a time: at most one of each cache
    std::size_t next_ = 0;           ///< the first part that has not begun
    double now_ = 0;
};

}  // namespace whorl::scene
