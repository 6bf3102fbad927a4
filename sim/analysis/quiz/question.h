// A question about an access, for students: hit or miss at a level, in which set, and which block is evicted for it. It
// holds everything that is known before the access, and the answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/analysis/explain.h"
#include "sim/base/types.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/run.h"
#include "sim/replay/totals/miss_kind.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// A block in the set in question.
struct SetLine {
    BlockAddress block;
    WayIndex way;
    std::optional<Tick> filled;         ///< the access that filled it; none if that was long ago
    std::optional<Tick> used;           ///< the last access that used it; none if that was long ago
    std::optional<ByteAddress> usedAt;  ///< the address of the last use by a CPU
};

struct Question {
    Tick tick;
    Access access;  ///< touches one block
    std::size_t level = 0;
    std::uint32_t cache = 0;  ///< index within the level
    BlockAddress block;       ///< the accessed block, in blocks of the level
    LevelExplanation fields;  ///< its address, in tag, set and offset
    std::uint32_t ways = 1;
    Policy policy = Policy::lru;
    std::vector<SetLine> before;  ///< the set, in the order of eviction: the last one is evicted next
    std::vector<SetLine> after;

    // The answers.
    bool hit = false;
    std::optional<MissKind> kind;        ///< kind of the miss
    bool fills = false;                  ///< the level takes the block in
    std::optional<BlockAddress> victim;  ///< block evicted from the set to make room for it
    std::size_t servedBy = 0;            ///< the level that has the block; the number of levels for memory

    /// Whether a student can know the victim.
    bool asksForVictim() const { return rowOf(policy).isForeseen; }
};

/// Whether an access touches one block of the nearest level, and so of each, and counts.
bool canBeAsked(const Access& access, const MachineConfig& machine);

/// The question about an access; the run must be built up to it. None if the access cannot be asked about, or does not
/// reach the level. Costs a short replay.
std::optional<Question> questionAt(const Run& run, std::size_t level, Tick tick);

}  // namespace whorl::sim
