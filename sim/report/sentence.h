// What an access did, as a sentence: "read B[3][0], line 5: miss in L1 and L2; evicts A[0][8], clean". Where the value
// is known, "read B[3][0] = 7, line 5: …".
#pragma once

#include <string>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/replay/snapshot.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The sentence for one access. Blocks are named by the place of their first byte.
std::string sentenceFor(const Step& step, const Trace& trace, const MachineConfig& machine);

/// What most of some accesses, at least one, are made by: "line 6: sum += A(i, k) * B(k, j);". Where no line is known,
/// what they touch: "accesses to A, B and C". Of very many, the first ones.
std::string sentenceForMany(Range accesses, const Trace& trace);

/// One of the things that a miss or a write led to, in the words of the sentence.
struct StepFact {
    /// In the order of cause and effect. A `handover`: another CPU writes back what this one asks for. What a
    /// write-through sends on is a `writeback`, too.
    enum class Kind : std::uint8_t { miss, handover, invalidation, fill, eviction, writeback };
    Kind kind = Kind::miss;
    std::uint8_t number = 1;  ///< counted from 1, the same for all facts of a kind that an access has
    /// Whose block it is: of a miss and a fill, the nearest; else the one that evicts, writes or loses it.
    std::uint8_t level = 0;
    std::uint8_t cache = 0;
    BlockAddress block;
    /// Of a fill, the level that the block comes from; of a handover or write-back, the one that takes it: the number
    /// of levels for memory.
    std::size_t other = 0;
    std::string words;  ///< "evicts A[0][8], dirty"
};

/// What the misses of an access led to, its writes where they go through, and the copies that other CPUs lose by them,
/// by block of the access, in the order of the kinds. Empty for other hits.
std::vector<StepFact> factsOf(const Step& step, const Trace& trace, const MachineConfig& machine);

/// The level that served an access, or the number of levels when it was memory. For an access that straddles blocks,
/// the farthest.
std::size_t servedBy(const Step& step, const MachineConfig& machine);

}  // namespace whorl::sim
