// What a CPU can spend its cycles on: the classes of costs over time. Every cycle of every CPU is in exactly one of
// them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/machine/machine_config.h"

namespace whorl::sim {

/// The classes of a machine, as indices below size(), in the order in which they are listed and stacked:
/// - work: computation between accesses, as far as the trace has timing;
/// - a class for each level, the nearest first, and one for memory: the access cycles of requests that it served,
///   look-ups on the way included. What the nearest level serves is the usual speed of the CPU, not a stall;
/// - coherence: upgrades, and requests that missed at some level because of another CPU's write;
/// - overhead: page walks, page faults and write-backs, where an access waits for them;
/// - locks: from requesting a lock to getting it, with the accesses made meanwhile; barriers: from arriving to leaving;
/// - other waits: for events, semaphores and other threads;
/// - idle: the CPU's thread has not begun, or has ended.
class CycleClasses {
  public:
    explicit CycleClasses(const MachineConfig& machine);

    std::size_t size() const { return idle() + 1; }
    static constexpr std::size_t work() { return 0; }
    /// `level` = levels() is memory.
    static constexpr std::size_t served(std::size_t level) { return level + 1; }
    std::size_t levels() const { return levels_; }
    std::size_t coherence() const { return levels_ + 2; }
    std::size_t overhead() const { return levels_ + 3; }
    std::size_t locks() const { return levels_ + 4; }
    std::size_t barriers() const { return levels_ + 5; }
    std::size_t otherWaits() const { return levels_ + 6; }
    std::size_t idle() const { return levels_ + 7; }

    /// Whether the class is waiting for another CPU: at locks, at barriers or otherwise.
    bool isWait(std::size_t c) const { return c >= locks() && c <= otherWaits(); }
    /// Whether the machine can have cycles in a class.
    bool isPossible(std::size_t c) const;
    /// "L2", "memory", "coherence", "at locks".
    std::string words(std::size_t c) const;
    /// The key of a class in JSON and CSV: "L2_cycles", "lock_cycles".
    std::string key(std::size_t c) const;

    bool operator==(const CycleClasses&) const = default;

  private:
    std::size_t levels_;
    std::vector<std::string> names_;  ///< names of the levels
    bool isCoherent_;
    bool hasOverhead_;
    bool hasOthers_;
};

}  // namespace whorl::sim
