// One place through time: every access to it, and every block that lived there; what lived in it, and which source
// lines used it. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/analysis/history.h"
#include "sim/analysis/place.h"
#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/replay/run.h"
#include "sim/trace/access.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Memory: an access any of whose bytes lie in the place. A cell of a cache: a request that hits there, or whose block
/// is filled there; also a block that comes otherwise, by a prefetch of the level or from the nearer level to an
/// exclusive one.
struct PlaceAccess {
    Tick tick;
    ByteAddress address;  ///< address of the access
    BlockAddress block;   ///< a cell of a cache: the block in it
    /// The cycles of the access beyond one look-up in the nearest level. A cell of a cache: counted at the access's
    /// first own request in the place; 0 at its other requests.
    Cycles penalty = 0;
    SiteId site;
    std::uint32_t size = 1;  ///< bytes of the access
    std::uint8_t cpu = 0;
    /// The level that served the last request of the access, the number of levels for memory. A request that is no
    /// demand: the level that the block came from.
    std::uint8_t served = 0;
    bool write = false;      ///< memory: the access; a cell of a cache: the request
    bool hit = false;        ///< memory: the nearest level had all blocks; a cell of a cache: the block was there
    bool demand = true;      ///< a cell of a cache: a request by the CPU itself, not a write-back or prefetch
    bool counts = true;      ///< by convention the write half of a modify may not count as an access
    bool tlbMiss = false;    ///< the access missed in the TLB
    bool pageFault = false;  ///< the access caused a page fault

    bool operator==(const PlaceAccess&) const = default;
};

/// The time of a block in a cache. Memory: a block that overlaps the place; a cell of a cache: the block in the cell.
struct PlaceStay {
    BlockAddress block;       ///< in blocks of the level
    Tick in = Stay::kNever;   ///< the access that filled it; never: before the range
    Tick out = Stay::kNever;  ///< the access during which it left; never: not in the range
    std::uint8_t level = 0;
    std::uint8_t cache = 0;

    bool operator==(const PlaceStay&) const = default;
};

struct PlaceHistory {
    /// The maximum number of accesses, and of stays.
    static constexpr std::size_t kMax = std::size_t{1} << 22;

    Place place;
    Range range;
    std::size_t levels = 1;
    std::uint64_t blockBytes = 1;       ///< a cell of a cache: block size of its level
    std::vector<PlaceAccess> accesses;  ///< by time; recorded ones only
    std::vector<PlaceStay> stays;       ///< by the time they began
    std::uint64_t leftOut = 0;          ///< accesses omitted for lack of room: the last ones
    std::uint64_t staysLeftOut = 0;     ///< stays omitted for lack of room: the last ones
};

/// Plays a range of a run, which must be built that far. Progress is in accesses. Null when cancelled.
std::shared_ptr<const PlaceHistory> placeHistoryOf(const Run& run, const Place& place, Range range, Progress& progress,
                                                   std::size_t most = PlaceHistory::kMax);

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
