// What must hold for every program: laws on the contents of the caches, and on the list of events. Each returns an
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

/// Coherence: a block that one cache owns or has dirty is in no cache outside that one's own path; the whole unit for
/// which two caches compete counts. Holds between accesses; requires nothing of machines without a protocol. (An
/// exclusive level hands a dirty block to a CPU that is not the only reader: there, only ownership matters.)
std::string oneWriterOrManyReaders(const sim::MachineConfig& machine, std::span<const Copy> copies);

/// What the nearer caches behind an inclusive one hold is in that one too.
std::string inclusion(const sim::MachineConfig& machine, std::span<const Copy> copies);

/// What an exclusive cache holds is in no cache of the next nearer level behind it. (Where that one is exclusive too, a
/// block can be filled in both, by way of two CPUs; nothing is required of those.)
std::string exclusion(const sim::MachineConfig& machine, std::span<const Copy> copies);

/// A set holds no more blocks than its ways.
std::string capacity(const sim::MachineConfig& machine, std::span<const Copy> copies);

/// The page of every block is in memory, if that is bounded.
std::string residentPages(const sim::MachineConfig& machine, std::span<const Page> frames,
                          std::span<const Copy> copies);

/// The first three and `capacity`: the first violation.
std::string brokenLaw(const sim::MachineConfig& machine, std::span<const Copy> copies);

/// Each cache holds its fills less what was evicted or invalidated.
std::string residency(const sim::MachineConfig& machine, std::span<const Happening> all, std::span<const Copy> copies);

/// The first level gets a request for each block that the accesses touch, and each farther level from the CPU only
/// after a miss; not for machines that report fewer hits, or fetch
/// fewer blocks, by convention.
std::string requests(const sim::MachineConfig& machine, std::span<const sim::Access> accesses,
                     std::span<const Happening> all);

/// The number of misses of a level.
std::uint64_t missesAt(std::size_t level, std::span<const Happening> all);

}  // namespace whorl::reference
