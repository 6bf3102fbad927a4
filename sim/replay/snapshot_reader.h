// Returns snapshots of a run. Keeps the last one, so that consecutive snapshots are cheap; this caching does not affect
// the results. For one thread.
#pragma once

#include <memory>
#include <optional>

#include "sim/replay/run.h"
#include "sim/replay/snapshot.h"

namespace whorl::sim {

class SnapshotReader {
  public:
    explicit SnapshotReader(std::shared_ptr<const Run> run) : run_(run), use_(std::move(run)) {}

    const Run& run() const { return *run_; }

    /// The snapshot at time t (clamped to what is built). The reference is valid until the next call.
    const Snapshot& at(double t, const Lookback& lookback);

  private:
    bool canGoOn(Tick to, const Lookback& lookback) const;
    void startAt(Tick from);
    void playTo(Tick to, const Lookback& lookback);
    void playFar(Tick to, const Lookback& lookback, Tick end);
    void playNear(Tick to, bool flows);
    void trim(Tick at, const Lookback& lookback);

    std::shared_ptr<const Run> run_;
    std::optional<Snapshot> snapshot_;
    Tick flowsFrom_;  ///< the tick at which the sum of flows begins
    Tick flowsTo_;
    std::optional<MissKindReader> kinds_;
    UseReader use_;
};

}  // namespace whorl::sim
