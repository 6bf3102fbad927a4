// Explains the path of an access: the translation of its page, its address as each level splits it, and the kind of
// each miss; and whether a write that invalidates another CPU's block shares words with what that CPU touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "sim/cache/event.h"
#include "sim/cache/hierarchy.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/snapshot.h"
#include "sim/replay/totals/miss_kind.h"

namespace whorl::sim {

/// The virtual page of an access, and how it was translated.
struct PageExplanation {
    std::uint64_t page = 0;    ///< page number
    std::uint64_t offset = 0;  ///< offset of the byte within the page
    unsigned offsetBits = 0;
    std::optional<std::uint32_t> frame;  ///< frame that holds it; none: memory is not bounded or lacks it
    bool walked = false;                 ///< the translation was not in the TLB
    bool faulted = false;                ///< the page was not in memory
    std::string words;                   ///< what happened, as a clause
};

struct LevelExplanation {
    std::string name;
    std::uint64_t tag = 0;
    std::uint64_t set = 0;
    std::uint64_t offset = 0;  ///< offset of the byte within its block
    std::uint64_t sets = 0;    ///< number of sets; the set is the block number modulo this
    unsigned setBits = 0;      ///< number of bits that select the set, if `sets` is a power of two; else 0
    unsigned offsetBits = 0;
    bool asked = false;            ///< the access reached this level
    bool hit = false;              ///< … and hit with all its blocks
    std::optional<MissKind> kind;  ///< kind of the first miss there
    std::string words;             ///< what happened here, as a clause
};

/// The translation for the last access before this state; for an access that touches several pages, that of the first.
/// None on a machine without a TLB and bounded memory, where nothing is translated.
std::optional<PageExplanation> explainPage(const Step& step, const Hierarchy& after);

/// One entry per level, the nearest first. For an access that touches several blocks, the address is that of the first.
std::vector<LevelExplanation> explainAccess(const Step& step, const MachineConfig& machine);

/// "a conflict miss: a fully associative cache of this size would have hit".
std::string missInWords(MissKind kind);

/// A number as `bits` binary digits, in groups of four from the right: "01 1010". Empty for 0 bits.
std::string binaryDigits(std::uint64_t value, unsigned bits);

/// What CPUs share at an invalidation.
enum class Sharing : std::uint8_t {
    unknown,       ///< the CPUs that lost the block did not touch it in the examined steps
    ofTheBytes,    ///< they had touched bytes that were written
    ofOtherBytes,  ///< they had touched only other bytes of the block: they share nothing but its placement
};

/// What the CPUs share at an invalidation in one of the steps, judged by the accesses of the steps before it. `block`:
/// the level's block size in bytes.
Sharing sharingAt(const MachineConfig& machine, const std::deque<Step>& steps, std::size_t step,
                  const Event& invalidation, std::uint64_t block);

}  // namespace whorl::sim
