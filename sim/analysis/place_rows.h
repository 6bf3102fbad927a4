// What lived in a place, and which source lines used it: the accesses of its history summed up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/analysis/place_history.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

struct PlaceRow {
    std::string name;
    Tick first;  ///< its first access
    Tick last;
    std::uint64_t accesses = 0;         ///< accesses that count; for a cell of a cache: requests
    std::uint64_t writes = 0;           ///< writes among them
    std::vector<std::uint64_t> served;  ///< accesses by the level that served them; [levels]: memory
    Cycles penalty = 0;

    bool operator==(const PlaceRow&) const = default;
};

/// A row for each object, and for each region outside of objects, by first access. The name is that of what holds the
/// first byte of the access in the place, or of the block in a cell of a cache.
std::vector<PlaceRow> rowsByName(const PlaceHistory& history, const Trace& trace);
/// A row for each word of `bytes` of a place in memory, by first access: an access belongs to the word of its first
/// byte in the place. None for a cell of a cache.
std::vector<PlaceRow> rowsByWord(const PlaceHistory& history, const Trace& trace, std::uint64_t bytes);
/// A row for each source line, or instruction where the line is not known, by first access.
std::vector<PlaceRow> rowsByLine(const PlaceHistory& history, const Trace& trace);

/// The byte by which an access to a place is named: see rowsByName.
ByteAddress namingByte(const PlaceHistory& history, const PlaceAccess& access);

}  // namespace whorl::sim
