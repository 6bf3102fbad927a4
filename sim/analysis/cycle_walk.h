// What CPUs spend their cycles on: the classes of costs over time, and the walk through a run that reports the class of
// every cycle of every CPU, from its first to its last. Only the walk decides that: costs over time, their table and
// the critical path listen to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/replay/clock.h"
#include "sim/replay/replay.h"
#include "sim/replay/run.h"

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
