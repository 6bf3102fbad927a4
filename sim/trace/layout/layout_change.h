// A change of the memory layout as a programmer would make it in the source: shift, align or pad an array or object,
// spread or transpose its elements, or split them into their fields.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace whorl::sim {

struct LayoutChange {
    enum class Kind : std::uint8_t {
        shift,      ///< moves by `bytes`, up or down
        align,      ///< moves up to the next multiple of `bytes`, a power of two
        pad,        ///< reserves the memory behind it up to the next multiple of `bytes`, a power of two
        spread,     ///< places its elements `bytes` apart
        transpose,  ///< stores it by columns: (i, j) moves to where (j, i) would be with rows and columns swapped
        split,      ///< an array of structures becomes an array for each of their fields
    };
    Kind kind = Kind::align;
    std::string thing;     ///< a region or object by name or by an address in it ("0x1040"); or a class
    bool ofClass = false;  ///< `thing` is a class, all of whose instances are changed
    /// Negative only for a shift. transpose: the number of columns; 0: the region's own. split: the size of all fields;
    /// 0: by the type of the elements.
    std::int64_t bytes = 0;
    /// spread, transpose, split: element size; 0: the region's own, or 4-byte words for an object.
    std::uint64_t element = 0;

    bool operator==(const LayoutChange&) const = default;
};

/// The verb of each kind, in texts.
inline constexpr std::array<const char*, 6> kChangeVerbs = {"shift", "align", "pad", "spread", "transpose", "split"};

/// The maximum of LayoutChange::bytes.
inline constexpr std::int64_t kMaxChangeBytes = std::int64_t{1} << 40;

/// Whether the thing stays in place and only its content is reordered.
constexpr bool reorders(LayoutChange::Kind kind) {
    return kind == LayoutChange::Kind::transpose || kind == LayoutChange::Kind::split;
}

/// Parses "shift:NAME:BYTES", "align:NAME:BYTES", "pad:NAME:BYTES", "spread:NAME:BYTES" or "spread:NAME:BYTES:ELEMENT";
/// NAME may be "class:NAME", and bytes may be written as "4K". Also "transpose:NAME", "transpose:NAME:COLUMNS" or
/// "transpose:NAME:COLUMNS:ELEMENT", and "split:NAME", "split:NAME:FIELD" or "split:NAME:FIELD:ELEMENT".
Expected<LayoutChange> parseLayoutChange(std::string_view text);

/// Fails if the numbers of a change are invalid.
Expected<void> checkedChange(const LayoutChange& change);

/// The change in the form that parseLayoutChange reads.
std::string asText(const LayoutChange& change);

/// "B aligned to 64", for the names of traces.
std::string inWords(const LayoutChange& change);

}  // namespace whorl::sim
