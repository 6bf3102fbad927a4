// The figures of a measurement, one after the other, each under the key and the words that comparisons use for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace whorl::sim
