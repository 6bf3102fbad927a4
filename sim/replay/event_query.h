// What can be looked for in a run.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/types.h"

namespace whorl::sim {

enum class Way : std::uint8_t { forward, backward };

struct EventQuery {
    enum class Kind : std::uint8_t {
        miss,      ///< a miss: in a level, of a region, or any in the nearest level
        eviction,  ///< a block leaves a cache, for whatever reason: a level's, an address', or any
        conflict,  ///< something of one region makes something of another leave
        transfer,  ///< a CPU takes from another, or reads what the other had to itself
        mark,      ///< a mark of the trace; the access after it
    };

    Kind kind = Kind::miss;
    std::optional<std::uint8_t> level;    ///< any, if not given (of misses: the nearest)
    std::optional<std::uint32_t> region;  ///< of a miss: whose; of a conflict: the culprit
    std::optional<std::uint32_t> victim;  ///< of a conflict: whose block leaves
    std::optional<ByteAddress> address;   ///< of an eviction: a byte of the block
};

}  // namespace whorl::sim
