// What a text names in the memory of a trace: a region, an element of an array, a place in a region or an object.
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
        region,   ///< "B": all of it
        element,  ///< "B[3][0]", or a field of one, "nodes[3].next"
        byte,     ///< "heap+0x40", of a region or an object
        object,   ///< "node 7": all of it
    };
    Kind kind = Kind::region;
    ByteAddress from;
    std::uint64_t bytes = 1;
    std::uint32_t region = 0;        ///< that it is, or is in; not of an object
    const Object* object = nullptr;  ///< that it is, or is in; null of a region
};

/// Resolves "B", "B[3][0]", "heap+0x40", "node 7" or "node 7+8", "nodes[3].next", all that Trace::placeOf writes, and
/// several at once, "B[3][0…3]" or "heap+0x40…0x4f", where ".." may stand for "…";
/// regions also in other letters, upper or lower; "ArrayC" is "Global.ArrayC" where nothing else ends so. A name refers
/// to an object that lives at `now`, else to a region, else to any other object; the whole text may be a name, even one
/// with brackets. Nothing if no region or object has that name; an error if what has it lacks that part.
std::optional<Expected<NamedMemory>> memoryNamed(std::string_view words, const Trace& trace,
                                                 std::optional<Tick> now = {});

/// "ArrayC[4]" of "Global.ArrayC[4]": the place without what it is a part of; but "orders[12].note" stays whole, since
/// each order has a note. So does a name of several words.
std::string shortPlace(const std::string& place);

/// Parses "64" or "0x40"; nothing for any other text, or a number beyond 64 bits.
std::optional<std::uint64_t> numberNamed(std::string_view text);

}  // namespace whorl::sim
