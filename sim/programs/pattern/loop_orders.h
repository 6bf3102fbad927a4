// Other orders of the loops of a pattern: interchanged, and in blocks. Whether one is better is not known here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/programs/pattern/pattern.h"

namespace whorl::sim {

struct LoopOrder {
    std::string words;       ///< "the loops over i and j the other way round", "the loops over i and j in blocks of 16"
    std::uint32_t line = 0;  ///< of the outermost of these loops
    std::string text;        ///< the whole pattern with it, in one line
};

/// The most orders of a pattern.
inline constexpr std::size_t kMaxLoopOrders = 32;

/// The other orders of two or three loops of a pattern that lie directly in each other, which compute the same (see
/// permutableNest()): first all permutations, then blocks of 8 to 64 turns. Where there are too many, those of the
/// nests at the end of the text are left out.
std::vector<LoopOrder> loopOrders(const Pattern& pattern);

}  // namespace whorl::sim
