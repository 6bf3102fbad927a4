// The CPUs that run a parallel program, their memory, and the machine: the program is simulated while it runs, so that
// the cost of an access determines what happens next. The CPU whose next access starts first goes first; ties go to the
// lowest CPU. An access starts one cycle plus the requested work after the end of the previous one, and lasts as long
// as it stalls.
//
// The clocks therefore equal those of sim/replay/clock.h when the trace is played on the same machine.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/programs/access_recorder.h"
#include "sim/programs/parallel/shared.h"
#include "sim/replay/simulator.h"

namespace whorl::sim {

/// Owns the trace until it is finished. Throws Cancelled on cancellation: see `runRecorded`.
class Team final : private SyncNotes {
  public:
    /// `expected`: an estimate of the number of accesses, for progress.
    Team(std::string traceName, const MachineConfig& machine, const Listing& listing, std::uint64_t expected,
         Progress& progress);

    /// Allocates memory for a region after the preceding ones, at a multiple of `align` bytes. `region` has no base
    /// yet; returns the base.
    ByteAddress allocate(Region region, std::uint64_t align) { return recorder_.allocate(std::move(region), align); }
    /// Creates an object: `size` bytes at `base` have that name from now on.
    void name(std::string object, std::string className, ByteAddress base, std::uint64_t size);
    /// Names the current point in time.
    void mark(std::string text) { recorder_.builder().mark(std::move(text)); }
    /// Off: accesses from now on are simulated but take no time, and are neither counted nor displayed.
    void tracing(bool on);

    /// Assigns a task to the next CPU, starting with CPU 0. The team owns the task.
    void start(Task<> task);
    /// Runs all tasks to completion. False on deadlock, which would be a bug.
    bool run();
    /// Suspends a CPU until all others have finished; only one CPU may wait at a time.
    static Awaited others() { return Awaited({.kind = CpuRequest::Kind::join}); }

    const MachineConfig& machine() const { return simulator_.machine(); }
    /// The end of a CPU's last access.
    Cycles now(std::uint32_t cpu) const { return members_[cpu].now; }
    /// The trace, including the operations on locks and barriers.
    Trace finish();

  private:
    Member* nextToRun();
    void resume(Member& member);
    bool serve(Member& member);
    void access(Member& member, Op op, bool modify);
    bool acquire(Member& member);
    void release(Member& member);
    void wakeJoining();
    void note(std::uint8_t cpu, SyncKind kind, std::uint32_t& object) override;

    AccessRecorder recorder_;
    Simulator simulator_;
    EventList events_;
    std::deque<Member> members_;  ///< a deque, so that pointers stay valid
    std::vector<Task<>> tasks_;
    Member* joining_ = nullptr;
    bool tracing_ = true;
    SyncLog syncs_;
    std::uint32_t objects_ = 0;  ///< locks and barriers that have been used
};

}  // namespace whorl::sim
