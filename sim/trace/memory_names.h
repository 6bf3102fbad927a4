// Resolves the name of memory in a trace: a region, an element of an array, a byte of a region or an object.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

struct NamedMemory {
    enum class Kind : std::uint8_t {
        region,   ///< "B": the whole region
        element,  ///< "B[3][0]", or a field of one, "nodes[3].next"
        byte,     ///< "heap+0x40": a byte of a region or an object
        object,   ///< "node 7": the whole object
    };
    Kind kind = Kind::region;
    ByteAddress from;
    std::uint64_t bytes = 1;
    std::uint32_t region = 0;        ///< the region named, or that of the named part; not for an object
    const Object* object = nullptr;  ///< the object named, or that of the named part; null for a region
};

/// Resolves "B", "B[3][0]", "heap+0x40", "node 7" or "node 7+8", "nodes[3].next", and all other forms that
/// Trace::placeOf writes, and ranges such as "B[3][0…3]" or "heap+0x40…0x4f", where ".." may replace "…". Region names
/// are case-insensitive. "ArrayC" means "Global.ArrayC" if no other name ends with it. A name refers to an object that
/// lives at `now`, else to a region, else to any other object; the whole text may be a name, even one with brackets.
/// Nothing if no region or object has that name; an error if it lacks the part.
std::optional<Expected<NamedMemory>> memoryNamed(std::string_view words, const Trace& trace,
                                                 std::optional<Tick> now = {});

/// The last component of a place: "ArrayC[4]" for "Global.ArrayC[4]". "orders[12].note" stays whole, since each order
/// has a note, and so does a name of several words.
std::string shortPlace(const std::string& place);

/// Parses "64" or "0x40"; nothing for any other text, or a number beyond 64 bits.
std::optional<std::uint64_t> numberNamed(std::string_view text);

}  // namespace whorl::sim
