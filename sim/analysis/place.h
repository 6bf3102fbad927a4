// A place that has a history: some memory, or a cell of a cache; and how a text names it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

struct Place {
    enum class Kind : std::uint8_t { memory, cache };

    Kind kind = Kind::memory;
    // memory
    ByteAddress from;
    std::uint64_t bytes = 1;  ///< at least one; not beyond the end of the address space
    // cache
    std::uint8_t level = 0;
    std::uint8_t cache = 0;  ///< index within the level
    SetIndex set;
    WayIndex way;

    /// The last byte of memory.
    ByteAddress last() const { return ByteAddress{from.value + (bytes - 1)}; }
    bool operator==(const Place&) const = default;
};

/// Whether any of these bytes lie in a place, or may come into it.
bool holds(const Place& place, ByteAddress from, std::uint64_t bytes, const MachineConfig& machine);

/// Resolves a part of memory as memoryNamed does ("B", "B[3][4]", "heap+0x40"), an address ("0x1040", "4160"; one byte
/// unless a number of bytes follows, "0x1040+64"), or a cell of a cache ("L1:3:0", set and way; "L1@2:3:0", in the
/// cache that CPU 2 uses). Any other text gives an error that explains what is wrong.
Expected<Place> placeNamed(std::string_view words, const Trace& trace, const MachineConfig& machine);

/// The name of a place that placeNamed resolves to it again: the shortest that the trace offers.
std::string nameOf(const Place& place, const Trace& trace, const MachineConfig& machine);

/// The name of a place for people: "B[3][4]", "A[1][0] … A[1][3]", "L1 of CPU 2, set 0, way 3". Memory has its name at
/// tick `at`.
std::string inWords(const Place& place, const Trace& trace, const MachineConfig& machine, Tick at);
/// "L1", or "L1 of CPU 2" where there are several.
std::string cacheInWords(const MachineConfig& machine, std::size_t level, std::uint32_t cache);

}  // namespace whorl::sim
