// Converts between accesses and access cycles of a run, as if each access took the cycles that its CPU waits for it:
// for a playhead that moves by cycles. Accesses of several CPUs follow each other, as the playhead shows them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/replay/run.h"
#include "sim/replay/snapshot.h"
#include "sim/replay/totals/overview.h"

namespace whorl::sim {

class AccessClock {
  public:
    /// The run must be complete. An object caches the accesses last used, so it is for one thread.
    explicit AccessClock(std::shared_ptr<const Run> run);

    /// The access cycles of the first t accesses; an access in progress contributes its share.
    double cyclesAt(double t);
    /// The number of accesses after which `cycles` access cycles have passed, the inverse of cyclesAt(). Accesses that
    /// cost nothing end at once.
    double accessesAt(double cycles);
    /// The position of a playhead at t after the cycles that `accesses` accesses take on average.
    double later(double t, double accesses);

  private:
    void read(std::uint64_t bucket);

    std::shared_ptr<const Run> run_;
    Overview overview_;
    std::uint64_t size_;
    double perAccess_;  ///< cycles per access, on average
    std::uint64_t first_ = 0;
    std::vector<Cycles> starts_;  ///< in cycles: starts of one bucket's accesses, from `first_` on, and the end
};

/// The access cycles of all CPUs at the time of a snapshot; the access in progress contributes its share.
double accessCycles(const Snapshot& snapshot);

}  // namespace whorl::sim
