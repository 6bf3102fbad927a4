// The CPUs that run a parallel program, their memory, and the machine it is: the program is simulated while it runs, so
// that what an access costs decides what happens next. The CPU whose next access begins first makes it; of several, the
// first. An access begins a cycle, and the work that was asked for, after the one before, and lasts as long as it
// waits.
//
// So the clocks are those of sim/replay/clock.h, played over the trace on the same machine.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/programs/parallel/sync.h"
#include "sim/programs/recorder.h"
#include "sim/replay/simulator.h"

namespace whorl::sim {

/// Owns the trace until it is finished. Throws Cancelled when the person cancels: see `recorded`.
class Team {
  public:
    /// `expected`: how many accesses there will be, as far as that is known.
    Team(std::string traceName, const MachineConfig& machine, const Listing& listing, std::uint64_t expected,
         Progress& progress);

    /// Room for a region behind those before it, at a multiple of `align` bytes: where it begins. `region` comes
    /// without its base.
    ByteAddress allocate(Region region, std::uint64_t align) { return recorder_.allocate(std::move(region), align); }
    /// An object is born: from now on `size` bytes at `base` go by that name.
    void name(std::string object, std::string className, ByteAddress base, std::uint64_t size);
    /// The next moment has a name.
    void mark(std::string text) { recorder_.builder().mark(std::move(text)); }
    /// Off: what happens from now on takes no time, is not counted and not shown; but the caches see it.
    void tracing(bool on);

    /// What the next CPU runs, from the first on. The task is dropped with the team.
    void start(Task<> task);
    /// Lets all of them run until they are through. False when they wait for each other, which would be a fault.
    bool run();
    /// Stops a CPU until all others are through; for one of them at a time.
    static Awaited others() { return Awaited({.kind = CpuRequest::Kind::join}); }

    const MachineConfig& machine() const { return simulator_.machine(); }
    /// When a CPU was through with its last access.
    Cycles now(std::uint32_t cpu) const { return members_[cpu].now; }
    Trace finish() { return recorder_.finish(); }

  private:
    Member* nextToRun();
    void resume(Member& member);
    bool serve(Member& member);
    void access(Member& member, Op op, bool modify);
    bool acquire(Member& member);
    void release(Member& member);
    void wakeJoining();

    Recorder recorder_;
    Simulator simulator_;
    EventList events_;
    std::deque<Member> members_;  ///< stay where they are
    std::vector<Task<>> tasks_;
    Member* joining_ = nullptr;
    bool tracing_ = true;
};

}  // namespace whorl::sim
