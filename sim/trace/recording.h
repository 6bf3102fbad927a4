// What a memory system said of itself while a trace was taken: events with times, as Chiron's trace files tell them. A
// trace that has a recording can be shown as it was, without being simulated again.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace whorl::sim {

struct RecordedEvent {
    enum class Kind : std::uint8_t {
        load,        ///< a block comes into a cache
        replace,     ///< `other` leaves it for that
        invalidate,  ///< a block is taken away from a cache
        protect,     ///< a cache gains the right to write to a block
        wait,        ///< an access is complete; `cycles` were waited
    };
    Kind kind = Kind::wait;
    std::uint8_t level = 0;    ///< 0 is nearest the CPU
    std::uint8_t cache = 0;    ///< wait: the CPU
    bool privately = false;    ///< load: for this cache alone. replace, invalidate: the block was dirty. wait: a write
    Tick access;               ///< the access of the trace that it belongs to
    std::uint64_t cycles = 0;  ///< since the start of the program; wait: waited
    ByteAddress address;       ///< what the access asked for; invalidate: the block
    ByteAddress other;         ///< replace: the block that leaves

    bool operator==(const RecordedEvent&) const = default;
};

struct Recording {
    std::array<std::uint32_t, 2> blockSize{};  ///< of L1 and L2, bytes
    std::array<std::uint32_t, 2> caches{};     ///< how many
    std::vector<RecordedEvent> events;         ///< in the order of the file
    /// When the first access began and when all CPUs were through, in cycles; both 0: not told, so that it is from the
    /// first event to the last.
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

}  // namespace whorl::sim
