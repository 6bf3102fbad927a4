// Objects in other memory for as long as they live: all blocks of a variable in one place, as if they came from a pool
// of their own, or as if the memory for the largest had been reserved at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/trace/access.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/region.h"

namespace whorl::sim {

/// The new addresses of objects. Other memory stays.
class Relocation {
  public:
    struct Move {
        std::uint64_t to = 0;  ///< the new base
        /// What a variable that has been reserved need not do: copy the bytes of this object to the next one, from that
        /// tick on; and those of the one before, so many, to this one, until that tick.
        Tick copiedFrom{~std::uint64_t{0}};
        Tick filledUntil{0};
        std::uint64_t filled = 0;
    };

    /// `moves`: those of the objects, in their order.
    Relocation(std::vector<Object> objects, std::vector<Move> moves);

    /// Maps the addresses of consecutive accesses in place, of which the first is that of a tick. Each access moves as
    /// a whole, by its first byte. Accesses that only copy stay within the first bytes of the new place, as no access
    /// can be left out.
    void apply(std::span<PackedAccess> accesses, Tick first) const;
    /// These objects and those of an earlier relocation.
    Relocation with(const Relocation& earlier) const;

  private:
    std::vector<Object> objects_;
    std::vector<Move> moves_;  ///< by object
    ObjectIndex index_;
    std::uint64_t lowest_ = ~std::uint64_t{0};  ///< address of an object
    std::uint64_t highest_ = 0;
};

/// Moves the objects of the variable that a change of kind pool or reserve names behind all other memory. They become
/// one object, and a region of the variable's name, of rows where all blocks have the same size. Fails if the variable
/// has no objects. `trace` is the trace in error messages.
Expected<std::shared_ptr<const Relocation>> relocated(const LayoutChange& change, std::vector<Region>& regions,
                                                      std::vector<Object>& objects, const std::string& trace);

}  // namespace whorl::sim
