// A change of where things lie in memory, as a programmer would make it in the source: to shift, align or pad an array
// or an object, or to spread its elements.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace whorl::sim {

struct LayoutChange {
    enum class Kind : std::uint8_t {
        shift,   ///< by so many bytes, up or down
        align,   ///< up to the next multiple of so many bytes, a power of two
        pad,     ///< nothing else lies before the next multiple of so many bytes, a power of two, behind it
        spread,  ///< from one element to the next there are so many bytes
    };
    Kind kind = Kind::align;
    std::string thing;          ///< a region or an object by its name, or by an address in it ("0x1040"); or a class
    bool ofClass = false;       ///< `thing` is a class: each of its instances is changed
    std::int64_t bytes = 0;     ///< below 0 only for a shift
    std::uint64_t element = 0;  ///< spread: bytes of an element; 0: its own, or of an object a word of 4 bytes

    bool operator==(const LayoutChange&) const = default;
};

/// The most bytes that a change may tell of.
inline constexpr std::int64_t kMaxChangeBytes = std::int64_t{1} << 40;

/// Reads "shift:NAME:BYTES", "align:NAME:BYTES", "pad:NAME:BYTES", "spread:NAME:BYTES" or "spread:NAME:BYTES:ELEMENT";
/// NAME may be "class:NAME", and bytes may be written as "4K".
Expected<LayoutChange> parseLayoutChange(std::string_view text);

/// An error when its numbers make no sense.
Expected<void> checkedChange(const LayoutChange& change);

/// The change as parseLayoutChange reads it.
std::string asText(const LayoutChange& change);

/// "B aligned to 64", for the names of traces.
std::string inWords(const LayoutChange& change);

}  // namespace whorl::sim
