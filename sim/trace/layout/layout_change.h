// A change of the memory layout as a programmer would make it in the source: shift, align or pad an array or object,
// spread or transpose its elements, store them in tiles, or split them into their fields. Also the memory ranges of a
// trace that a change names.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/trace/region.h"

namespace whorl::sim {

struct LayoutChange {
    enum class Kind : std::uint8_t {
        shift,      ///< moves by `bytes`, up or down
        align,      ///< moves up to the next multiple of `bytes`, a power of two
        pad,        ///< reserves the memory behind it up to the next multiple of `bytes`, a power of two
        spread,     ///< places its elements `bytes` apart
        transpose,  ///< stores it by columns: (i, j) moves to where (j, i) would be with rows and columns swapped
        split,      ///< an array of structures becomes an array for each of their fields
        block,      ///< stores a two-dimensional array in square tiles of `bytes` rows, each contiguous
        pool,       ///< stores all blocks of a variable in memory of their own, one behind the other
        reserve,    ///< reserves the memory of the largest block of a variable at once, so that it never moves
    };
    Kind kind = Kind::align;
    /// A region or object by name or by an address in it ("0x1040"); or a class. pool, reserve: a variable (see
    /// Owners).
    std::string thing;
    bool ofClass = false;  ///< `thing` is a class, all of whose instances are changed
    /// Negative only for a shift. transpose: the number of columns; 0: the region's own. split: the size of all fields;
    /// 0: by the type of the elements. block: the rows of a tile.
    std::int64_t bytes = 0;
    /// spread, transpose, split: element size; 0: the region's own, or 4-byte words for an object.
    std::uint64_t element = 0;

    bool operator==(const LayoutChange&) const = default;
};

/// The verb of each kind, in texts.
inline constexpr std::array<const char*, 9> kChangeVerbs = {"shift", "align", "pad",  "spread", "transpose",
                                                            "split", "block", "pool", "reserve"};

/// The maximum of LayoutChange::bytes.
inline constexpr std::int64_t kMaxChangeBytes = std::int64_t{1} << 40;

/// Whether the thing stays in place and only its content is reordered.
constexpr bool reorders(LayoutChange::Kind kind) {
    return kind == LayoutChange::Kind::transpose || kind == LayoutChange::Kind::split ||
           kind == LayoutChange::Kind::block;
}

/// Whether a change moves the blocks of a variable to another place, where they are a region of its name.
constexpr bool relocates(LayoutChange::Kind kind) {
    return kind == LayoutChange::Kind::pool || kind == LayoutChange::Kind::reserve;
}

/// Whether a change must give LayoutChange::bytes: else the shape or the type of the thing may tell it.
constexpr bool needsNumber(LayoutChange::Kind kind) {
    return kind == LayoutChange::Kind::block || (!reorders(kind) && !relocates(kind));
}

/// Parses "shift:NAME:BYTES", "align:NAME:BYTES", "pad:NAME:BYTES", "spread:NAME:BYTES" or "spread:NAME:BYTES:ELEMENT";
/// NAME may be "class:NAME", and bytes may be written as "4K". Also "transpose:NAME", "transpose:NAME:COLUMNS" or
/// "transpose:NAME:COLUMNS:ELEMENT", "split:NAME", "split:NAME:FIELD" or "split:NAME:FIELD:ELEMENT",
/// "block:NAME:ROWS", "pool:NAME" and "reserve:NAME".
Expected<LayoutChange> parseLayoutChange(std::string_view text);

/// Fails if the numbers of a change are invalid.
Expected<void> checkedChange(const LayoutChange& change);

/// The change in the form that parseLayoutChange reads.
std::string asText(const LayoutChange& change);

/// "B aligned to 64", for the names of traces.
std::string inWords(const LayoutChange& change);

/// A non-empty address range [from, to).
struct Extent {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    auto operator<=>(const Extent&) const = default;
};
/// The extent of a region or an object, without the last byte of the address space, which stays in place.
template <class Thing>
Extent extentOf(const Thing& thing) {
    const std::uint64_t last = thing.base.value + (thing.size - 1);
    return {thing.base.value, std::max(last, last + 1)};
}

struct Targets {
    std::vector<Extent> extents;  ///< ascending, without duplicates; exactly one unless a class was named
    std::vector<bool> objects;    ///< by object: whether it is named
    bool isRegion = false;        ///< the extent is a region, which includes what lies in it
    std::uint64_t element = 0;    ///< element size in bytes; 0: unknown
    std::uint64_t rows = 0;       ///< rows of a region of known shape
    std::uint64_t columns = 0;
    std::shared_ptr<const ElementType> type = nullptr;  ///< type of the elements; null: unknown
};

/// The things that a change names. Fails if nothing has that name, or if it is ambiguous. `trace` is the trace in error
/// messages.
Expected<Targets> targetsOf(const LayoutChange& change, const std::vector<Region>& regions,
                            const std::vector<Object>& objects, const std::string& trace);

}  // namespace whorl::sim
