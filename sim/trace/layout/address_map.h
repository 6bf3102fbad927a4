// Where each address of a trace comes to be when things are laid out in memory in another way.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// A list of steps, one after the other. Each cuts all of memory into pieces, which keep their order and do not come to
/// overlap. Empty: every address stays.
class AddressMap {
  public:
    /// Memory from `from` up to the next piece.
    struct Piece {
        std::uint64_t from = 0;
        std::uint64_t to = 0;       ///< where that comes to be
        std::uint64_t element = 0;  ///< bytes; 0: the piece is moved as a whole
        std::uint64_t stride = 0;   ///< bytes from an element to the next, where they come to be
        bool operator==(const Piece&) const = default;
    };
    /// By `from`; the first is from 0 on.
    using Step = std::vector<Piece>;

    /// A step that moves nothing is left out.
    void add(Step step) {
        if (step != Step(1)) steps_.push_back(std::move(step));
    }
    const std::vector<Step>& steps() const { return steps_; }
    bool empty() const { return steps_.empty(); }

    ByteAddress of(ByteAddress address) const;
    /// Moves accesses: each goes, whole, where its first byte goes.
    void apply(std::span<PackedAccess> accesses) const;

  private:
    std::vector<Step> steps_;
};

/// The piece of a step that holds an address.
const AddressMap::Piece& pieceAt(const AddressMap::Step& step, std::uint64_t address);

/// Where a step takes an address.
std::uint64_t moved(const AddressMap::Step& step, std::uint64_t address);

}  // namespace whorl::sim
