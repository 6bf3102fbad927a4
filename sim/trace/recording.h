// Timed events of the memory system on which a trace was captured, as contained in Chiron's trace files. A trace with a
// recording can be displayed as recorded, without simulating it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace whorl::sim {

struct RecordedEvent {
    enum class Kind : std::uint8_t {
        load,        ///< a block is loaded into a cache
        replace,     ///< `other` is evicted for it
        invalidate,  ///< a block is invalidated
        protect,     ///< a cache gains write permission for a block
        wait,        ///< an access completes after stalling for `cycles`
    };
    Kind kind = Kind::wait;
    std::uint8_t level = 0;    ///< 0 is nearest the CPU
    std::uint8_t cache = 0;    ///< wait: the CPU
    bool privately = false;    ///< load: exclusively. replace, invalidate: the block was dirty. wait: a write
    Tick access;               ///< the access that caused it
    std::uint64_t cycles = 0;  ///< since the start of the program; wait: the duration of the stall
    ByteAddress address;       ///< the address accessed; invalidate: the block
    ByteAddress other;         ///< replace: the evicted block

    bool operator==(const RecordedEvent&) const = default;
};

struct Recording {
    std::array<std::uint32_t, 2> blockSize{};  ///< block sizes of L1 and L2, in bytes
    std::array<std::uint32_t, 2> caches{};     ///< number of L1 and L2 caches
    std::vector<RecordedEvent> events;         ///< in the order of the file
    /// The start of the first access and the end of the last CPU, in cycles; both 0 if unknown, in which case the range
    /// of the events counts.
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

}  // namespace whorl::sim
