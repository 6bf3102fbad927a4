// A piecewise mapping of the addresses of a trace to another memory layout.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/access.h"
#include "sim/trace/layout/element_order.h"

namespace whorl::sim {

/// A sequence of steps. Each divides the whole address space into pieces, which keep their order and do not overlap
/// afterwards. Without steps it is the identity.
class AddressMap {
  public:
    /// The addresses from `from` up to the next piece.
    struct Piece {
        std::uint64_t from = 0;
        std::uint64_t to = 0;       ///< the new address of `from`
        std::uint64_t element = 0;  ///< bytes; 0: the piece moves as a whole
        std::uint64_t stride = 0;   ///< bytes from one element to the next after the move
        /// Of what is in the piece; null: as it was. A piece that has one has elements.
        std::shared_ptr<const ElementOrder> order = nullptr;
        bool operator==(const Piece&) const = default;
    };
    /// Sorted by `from`; the first piece starts at 0.
    using Step = std::vector<Piece>;

    /// Appends a step, unless it is the identity.
    void add(Step step) {
        if (step != Step(1)) steps_.push_back(std::move(step));
    }
    const std::vector<Step>& steps() const { return steps_; }
    bool empty() const { return steps_.empty(); }

    ByteAddress of(ByteAddress address) const;
    /// Maps accesses in place: each moves as a whole with its first byte.
    void apply(std::span<PackedAccess> accesses) const;

  private:
    std::vector<Step> steps_;
};

/// The piece of a step that holds an address.
const AddressMap::Piece& pieceAt(const AddressMap::Step& step, std::uint64_t address);

/// The address after a step.
std::uint64_t moved(const AddressMap::Step& step, std::uint64_t address);

}  // namespace whorl::sim
