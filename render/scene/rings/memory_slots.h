// Memory slots: the blocks of main memory that the outer ring shows, numbered region by region in address order. They
// depend on the trace and the block size alone.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

class MemorySlots {
  public:
    /// `block` is the size in bytes of the blocks that move between memory and the last level. A declared region has a
    /// slot for each of its blocks, unless there are more than kMaxWhole; any other for those that the trace touches.
    /// A block in two regions belongs to the first.
    MemorySlots(const sim::Trace& trace, std::uint64_t block);

    static constexpr std::uint64_t kMaxWhole = std::uint64_t{1} << 22;

    /// The slots of a region.
    struct Span {
        std::size_t region = 0;   ///< index into Trace::regions()
        std::uint32_t first = 0;  ///< its first slot
        std::uint32_t count = 0;
    };

    std::uint64_t blockSize() const { return block_; }
    std::uint32_t count() const { return static_cast<std::uint32_t>(addresses_.size()); }
    const std::vector<Span>& spans() const { return spans_; }
    sim::ByteAddress address(std::uint32_t slot) const { return addresses_[slot]; }

    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    /// The slot of the block that holds an address; kNone when the ring does not show it.
    std::uint32_t of(sim::ByteAddress address) const;
    /// The index into spans() of the span that holds a slot.
    std::size_t spanOf(std::uint32_t slot) const;

  private:
    std::uint64_t block_;
    std::vector<sim::ByteAddress> addresses_;  ///< addresses of the blocks, by slot, ascending
    std::vector<Span> spans_;
};

}  // namespace whorl::scene
