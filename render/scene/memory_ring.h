// The outer ring: the home of every block, region by region clockwise from 12 o'clock in address order. Within a region
// blocks run outward first, then along the arc, so that contiguous data is a wedge.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

#include "sim/trace/trace.h"
#include "sim/types.h"

namespace whorl::scene {

/// The blocks of memory that the ring shows, numbered region by region. Depends on the trace and the block size alone.
class Homes {
  public:
    /// `block` is the size in bytes of the blocks that move between memory and the last level. A declared region shows
    /// all of its blocks unless there are more than kMostWhole, any other those that the trace touches. A block that
    /// two regions share is the first's.
    Homes(const sim::Trace& trace, std::uint64_t block);

    static constexpr std::uint64_t kMostWhole = std::uint64_t{1} << 22;

    struct Span {
        std::size_t region = 0;   ///< index into Trace::regions()
        std::uint32_t first = 0;  ///< its first home
        std::uint32_t count = 0;
    };

    std::uint64_t blockSize() const { return block_; }
    std::uint32_t count() const { return static_cast<std::uint32_t>(addresses_.size()); }
    const std::vector<Span>& spans() const { return spans_; }
    sim::ByteAddress address(std::uint32_t home) const { return addresses_[home]; }

    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    /// The home of the block that holds an address; kNone when the ring does not show it.
    std::uint32_t of(sim::ByteAddress address) const;
    /// The index into spans() of a home.
    std::size_t spanOf(std::uint32_t home) const;

  private:
    std::uint64_t block_;
    std::vector<sim::ByteAddress> addresses_;  ///< of every home, ascending
    std::vector<Span> spans_;
};

/// Where the homes lie between two radii. When there are too many for the room, `group` neighbours share a place.
struct MemoryRing {
    struct Arc {
        float from = 0;  ///< angles, clockwise from +x
        float to = 0;
        std::uint32_t firstHome = 0;
        std::uint32_t homes = 0;
        std::uint32_t group = 1;  ///< homes a place
        std::uint32_t firstPlace = 0;
        std::uint32_t places = 0;
    };

    float inner = 0;
    float outer = 0;
    std::uint32_t rows = 1;
    std::vector<Arc> arcs;          ///< one a span of the homes
    std::vector<glm::vec2> places;  ///< relative to the centre
    float room = 0;                 ///< the smallest distance between neighbouring places, pixels
    float radius = 1;               ///< of a glyph

    /// The place of a home that lies in the arc with index `arc`.
    std::uint32_t placeOf(std::size_t arc, std::uint32_t home) const {
        return arcs[arc].firstPlace + (home - arcs[arc].firstHome) / arcs[arc].group;
    }
};

MemoryRing layMemory(float inner, float outer, const Homes& homes, const sim::Trace& trace);

}  // namespace whorl::scene
