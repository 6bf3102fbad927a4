// A change of the memory layout as a programmer would make it in the source: shift, align or pad an array or object, or
// spread its elements.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace whorl::sim {

struct LayoutChange {
    enum class Kind : std::uint8_t {
        shift,   ///< moves by `bytes`, up or down
        align,   ///< moves up to the next multiple of `bytes`, a power of two
        pad,     ///< reserves the memory behind it up to the next multiple of `bytes`, a power of two
        spread,  ///< places its elements `bytes` apart
    };
    Kind kind = Kind::align;
    std::string thing;          ///< a region or object by name or by an address in it ("0x1040"); or a class
    bool ofClass = false;       ///< `thing` is a class, all of whose instances are changed
    std::int64_t bytes = 0;     ///< negative only for a shift
    std::uint64_t element = 0;  ///< spread: element size; 0: the region's own, or 4-byte words for an object

    bool operator==(const LayoutChange&) const = default;
};

/// The maximum of LayoutChange::bytes.
inline constexpr std::int64_t kMaxChangeBytes = std::int64_t{1} << 40;

/// Parses "shift:NAME:BYTES", "align:NAME:BYTES", "pad:NAME:BYTES", "spread:NAME:BYTES" or "spread:NAME:BYTES:ELEMENT";
/// NAME may be "class:NAME", and bytes may be written as "4K".
Expected<LayoutChange> parseLayoutChange(std::string_view text);

/// Fails if the numbers of a change are invalid.
Expected<void> checkedChange(const LayoutChange& change);

/// The change in the form that parseLayoutChange reads.
std::string asText(const LayoutChange& change);

/// "B aligned to 64", for the names of traces.
std::string inWords(const LayoutChange& change);

}  // namespace whorl::sim
