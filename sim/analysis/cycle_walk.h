// Goes through a run and tells, for each CPU from its first cycle to its last, what it spends its cycles on. The one
// place that decides that: costs over time, their table and the critical path listen to it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/analysis/cycle_classes.h"
#include "sim/replay/clock.h"
#include "sim/replay/replay.h"
#include "sim/replay/run.h"

namespace whorl::sim {

/// A CPU spends [from, to) on something.
struct Spent {
    std::uint32_t cpu = 0;
    std::size_t what = 0;  ///< of CycleClasses
    Cycles from = 0;
    Cycles to = 0;
    Tick tick;                             ///< the access that the CPU makes then, or next
    const PackedAccess* access = nullptr;  ///< that access; null where it waits, is idle, or none is known
};

class CycleSink {
  public:
    virtual ~CycleSink() = default;
    /// Of each CPU in the order of time, without gaps; never empty.
    virtual void spend(const Spent& spent) = 0;
    /// A CPU has waited; before what it does afterwards is told.
    virtual void waited(const Wait&) {}
    /// An access begins.
    virtual void begin(Tick, Cycles) {}
};

class CycleWalk final : public Observer {
  public:
    /// Starts at a state of the run: its beginning, or, if the trace has no times of its own, any. Run and sink must
    /// outlive it.
    CycleWalk(const Run& run, Run::Resumed& from, CycleSink& sink);

    Wants wants() const override { return Wants::events; }
    void take(const Batch& batch) override;
    /// The CPUs have finished: what is left until `end` is idle.
    void finish(Cycles end);

    const Clock& clock() const { return clock_; }

  private:
    void take(Tick tick, const PackedAccess& access, std::span<const Event> events);
    void split(std::span<const Event> events);
    void serve(std::size_t level);
    void pass(const Wait& wait, Tick tick, const PackedAccess* access);
    void spend(std::uint32_t cpu, std::size_t what, Cycles until, Tick tick, const PackedAccess* access);
    std::size_t classOf(WaitFor what) const;

    const MachineConfig& machine_;
    CycleClasses classes_;
    MissKindReader kinds_;
    Clock clock_;
    CycleSink& sink_;
    std::vector<Cycles> told_;    ///< by CPU: until when
    std::vector<bool> hasBegun_;  ///< by CPU: it has made an access
    std::vector<Cycles> pieces_;  ///< of the access, by class
    Cycles request_ = 0;          ///< of its current request: the cycles so far
    bool isByCoherence_ = false;  ///< … it missed because of another CPU's write
};

}  // namespace whorl::sim
