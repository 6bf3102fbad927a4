// The figures of a measurement, one after the other, each under the key and the words that comparisons use for it; and
// traffic: the data that the levels of a hierarchy, and memory, hand each other.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cache/counters.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/measures.h"

namespace whorl::sim {

struct Figure {
    std::string key;    ///< in JSON: "L1_misses"
    std::string words;  ///< in a table; figures that are a part of the one above are indented
    std::uint64_t value = 0;
};

struct FiguresWanted {
    bool elapsed = false;  ///< elapsed cycles, if they are known
    bool traffic = false;  ///< also the accesses, those of each level with its evictions, write-backs and
                           ///< write-throughs, and blocks and bytes between the levels and from and to memory
};

/// Access cycles of all CPUs; misses of each level, of all kinds and by kind, and those by sharing together; blocks
/// read from and written to memory; TLB misses; page faults. Only kinds that the machine can have. The measures must
/// have a ledger.
std::vector<Figure> figuresOf(const Measures& measures, FiguresWanted wanted);

/// What a level, or memory, sends to the next nearer level and gets from it.
struct Traffic {
    std::uint64_t reads = 0;   ///< blocks of the nearer level that it sent
    std::uint64_t writes = 0;  ///< blocks that came to it, or parts of them
    std::uint64_t readBytes = 0;
    std::uint64_t writtenBytes = 0;

    std::uint64_t bytes() const { return readBytes + writtenBytes; }
    bool operator==(const Traffic&) const = default;
};

/// The traffic of a level from the second one on, or of memory (the number of levels). A write-back, or a block that an
/// exclusive level receives, is a whole block of the nearer level; a write-through counts the bytes that were written.
/// Without a cache, memory sends and takes words.
Traffic trafficOf(const Counters& counters, const MachineConfig& machine, std::size_t level);

/// A part of traffic: its key in CSV and JSON, after the level's name, and its name, before that of the level.
struct TrafficRow {
    std::string_view key;
    std::string_view words;
    std::uint64_t Traffic::*value;
    /// "bytes written to L2".
    std::string wordsFor(const MachineConfig& machine, std::size_t level) const;
};
inline constexpr std::array<TrafficRow, 4> kTrafficRows = {{
    {"reads", "reads from", &Traffic::reads},
    {"writes", "writes to", &Traffic::writes},
    {"read_bytes", "bytes read from", &Traffic::readBytes},
    {"written_bytes", "bytes written to", &Traffic::writtenBytes},
}};

}  // namespace whorl::sim
