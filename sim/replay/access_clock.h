// When an access of a run happens if each takes as long as the cycles that its CPU waits for it, and the reverse: for a
// playhead that goes by cycles. Accesses of several CPUs follow each other, as the playhead shows them.
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
    /// The run must be complete. The accesses asked about last are kept, so an object is for one thread.
    explicit AccessClock(std::shared_ptr<const Run> run);

    /// The access cycles of the first t accesses; of one in motion, its share.
    double cyclesAt(double t);
    /// The reverse: after how many accesses so many access cycles have passed. Accesses that cost nothing are over at
    /// once.
    double accessesAt(double cycles);
    /// Where a playhead at t is when as many cycles have passed as so many accesses take on average.
    double later(double t, double accesses);

  private:
    void read(std::uint64_t bucket);

    std::shared_ptr<const Run> run_;
    Overview overview_;
    std::uint64_t size_;
    double perAccess_;  ///< cycles
    std::uint64_t first_ = 0;
    std::vector<Cycles> starts_;  ///< of the accesses of one bucket of the overview, from `first_` on, and the end
};

/// The access cycles of all CPUs at the time of a snapshot: of the access in motion, its share.
double accessCycles(const Snapshot& snapshot);

}  // namespace whorl::sim
