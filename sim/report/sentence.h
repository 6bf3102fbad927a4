// What an access did, as a sentence: "read B[3][0], line 5: miss in L1 and L2; evicts A[0][8], clean". Where the value
// is known, "read B[3][0] = 7, line 5: …".
#pragma once

#include <string>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/replay/snapshot.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// What was read or written: "1 015 340", "0.5".
std::string valueInText(double value);

/// The sentence for one access. Blocks are named by the place of their first byte.
std::string sentenceFor(const Step& step, const Trace& trace, const MachineConfig& machine);

/// The line that makes most accesses of a range, which must not be empty: "line 6: sum += A(i, k) * B(k, j);". Where no
/// line is known, what the accesses touch: "accesses to A, B and C". Of very many accesses only the first count.
std::string sentenceForMany(Range accesses, const Trace& trace);

/// One of the things that a miss or a write led to, in the words of the sentence.
struct StepFact {
    /// In the order of cause and effect. A `handover`: another CPU writes back what this one asks for. What a
    /// write-through sends on is a `writeback`, too.
    enum class Kind : std::uint8_t { miss, handover, invalidation, fill, eviction, writeback };
    Kind kind = Kind::miss;
    std::uint8_t number = 1;  ///< number of its kind among the kinds of the access, from 1
    /// The cache with the block: for a miss or a fill the nearest; else the one that evicts, writes or loses it.
    std::uint8_t level = 0;
    std::uint8_t cache = 0;
    BlockAddress block;
    /// For a fill, the level that the block comes from; for a handover or write-back, the level that takes it. The
    /// number of levels for memory.
    std::size_t other = 0;
    std::string words;  ///< "evicts A[0][8], dirty"
};

/// The effects of an access's misses, its write-throughs, and the copies that other CPUs lose by either; by block of
/// the access, then in the order of the kinds. Empty for other hits.
std::vector<StepFact> factsOf(const Step& step, const Trace& trace, const MachineConfig& machine);

/// The level that served an access, or the number of levels when it was memory. For an access that straddles blocks,
/// the farthest.
std::size_t servedBy(const Step& step, const MachineConfig& machine);

}  // namespace whorl::sim
