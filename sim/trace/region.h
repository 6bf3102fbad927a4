// A region: a named range of memory (an array, an object, the stack). It determines the colour of its blocks and their
// place in the memory ring.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/types.h"

namespace whorl::sim {

enum class RegionOrigin : std::uint8_t {
    declared,  ///< named by the trace or the program
    inferred,  ///< inferred from the gaps between touched addresses
};

struct Region {
    std::string name;
    ByteAddress base;
    std::uint64_t size = 0;         ///< bytes
    std::uint32_t elementSize = 1;  ///< bytes
    std::uint64_t rows = 0;         ///< 0: not an array of known shape
    std::uint64_t columns = 0;      ///< 0 with rows > 0: one-dimensional
    RegionOrigin origin = RegionOrigin::declared;

    ByteAddress end() const { return ByteAddress{base.value + size}; }
    bool contains(ByteAddress a) const { return a.value - base.value < size; }

    /// A readable name for an address within the region: "B[3][0]", "a[17]", "heap+0x40". A byte inside an element gets
    /// the element's name.
    std::string placeOf(ByteAddress a) const;
};

/// A piece of memory with a lifetime and a class, as allocated and freed by the program.
struct Object {
    std::string name;
    std::string className;
    ByteAddress base;
    std::uint64_t size = 0;        ///< bytes
    Tick born;                     ///< tick of the first access while it is alive
    Tick died{~std::uint64_t{0}};  ///< tick of the first access after its lifetime

    bool contains(ByteAddress a, Tick t) const { return a.value - base.value < size && born <= t && t < died; }
};

}  // namespace whorl::sim
