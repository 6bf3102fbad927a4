// Walks through a run and reports what each CPU spends its cycles on, from its first cycle to its last. Only the walk
// decides that: costs over time, their table and the critical path listen to it.
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
    std::size_t what = 0;  ///< class, as in CycleClasses
    Cycles from = 0;
    Cycles to = 0;
    Tick tick;                             ///< the access that the CPU makes then, or next
    const PackedAccess* access = nullptr;  ///< the access at `tick`; null: a wait, idle, or none is known
};

class CycleSink {
  public:
    virtual ~CycleSink() = default;
    /// Called for each CPU in the order of time, without gaps; the time is never empty.
    virtual void spend(const Spent& spent) = 0;
    /// A CPU has waited. Called before the time that it spends afterwards is reported.
    virtual void waited(const Wait&) {}
    /// An access begins.
    virtual void begin(Tick, Cycles) {}
};

class CycleWalk final : public Observer {
  public:
    /// Starts at a state of the run: at its beginning, or, if the trace has no times of its own, anywhere. The run and
    /// the sink must outlive the walk.
    CycleWalk(const Run& run, Run::Resumed& from, CycleSink& sink);

    Wants wants() const override { return Wants::events; }
    void take(const Batch& batch) override;
    /// All CPUs have finished: the time left until `end` is idle.
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
    std::vector<Cycles> told_;    ///< by CPU: the cycle up to which its time is reported
    std::vector<bool> hasBegun_;  ///< by CPU: it has made an access
    std::vector<Cycles> pieces_;  ///< cycles of the current access, by class
    Cycles request_ = 0;          ///< cycles of the current request so far
    bool isByCoherence_ = false;  ///< the current request missed because of another CPU's write
};

}  // namespace whorl::sim
