// What must hold whatever a program does: laws on what the caches hold, and on the list of what happened. Each gives an
// empty text when it holds, else a sentence that says where it does not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/reference/happening.h"
#include "sim/reference/machine.h"
#include "sim/trace/access.h"

namespace whorl::reference {

/// A block in a cache.
struct Copy {
    std::size_t level = 0;
    std::size_t cache = 0;
    std::uint64_t block = 0;  ///< in the level's blocks
    bool dirty = false;
    bool owned = false;

    bool operator==(const Copy&) const = default;
};

/// "block 5 in L0.1, owned, dirty".
std::string wordsFor(const Copy& copy);

/// All that a machine holds, level by level, cache by cache, by block.
std::vector<Copy> copiesIn(const Machine& machine);

/// Coherence: a block that one cache may write to, or has written to, is in no cache outside that one's own path; the
/// whole unit in which two caches compete counts. Holds between accesses; asks nothing of machines without a protocol.
/// (An exclusive level hands on what was written to, to a CPU that is not the only reader: there, only who may write
/// matters.)
std::string oneWriterOrManyReaders(const sim::MachineConfig& machine, std::span<const Copy> copies);

/// What the nearer caches behind an inclusive one hold is in that one too.
std::string inclusion(const sim::MachineConfig& machine, std::span<const Copy> copies);

/// What an exclusive cache holds is in no cache of the next nearer level behind it. (Where that one is exclusive too, a
/// block can come to both, by way of two CPUs; nothing is asked of those.)
std::string exclusion(const sim::MachineConfig& machine, std::span<const Copy> copies);

/// A set holds no more than its ways.
std::string capacity(const sim::MachineConfig& machine, std::span<const Copy> copies);

/// The first three and `capacity`: the first that is broken.
std::string brokenLaw(const sim::MachineConfig& machine, std::span<const Copy> copies);

/// What came to each cache less what left it is what it holds.
std::string residency(const sim::MachineConfig& machine, std::span<const Happening> all, std::span<const Copy> copies);

/// The first level is asked for each block that the accesses touch, and each farther level by the CPU only after a
/// miss; not for machines that tell fewer hits by convention.
std::string requests(const sim::MachineConfig& machine, std::span<const sim::Access> accesses,
                     std::span<const Happening> all);

/// How often a level missed.
std::uint64_t missesAt(std::size_t level, std::span<const Happening> all);

}  // namespace whorl::reference
