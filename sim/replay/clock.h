// The clocks of the CPUs while a trace is played on a machine: an access begins when its CPU has finished its own work
// and what it waits for has happened, and takes as long as its cost.
//
// What a CPU waits for is known from the timing of the trace, or else from where its threads waited for each other when
// it was recorded: who takes a lock waits until it was unlocked, who leaves a barrier until the last has arrived. That
// two CPUs changed memory one after the other (SyncKind::follow) orders them, but nobody waited.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/replay/sync_waits.h"
#include "sim/trace/timing.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class Clock {
  public:
    /// The trace must outlive it.
    Clock(const Trace& trace, std::uint32_t cpus);
    /// Starts in the middle of a trace that has no times of its own (Trace::hasTimes): the clocks are at `now`, by CPU.
    Clock(const Trace& trace, std::vector<Cycles> now);

    /// Takes the next access, in trace order and without gaps; returns when it begins. It ends, and its CPU continues,
    /// `cost` cycles later.
    Cycles take(Tick tick, std::uint32_t cpu, Cycles cost) {
        waits_.clear();
        if (syncs_ && syncs_->isDue(tick)) [[unlikely]]
            passSyncs(tick);
        Cycles& now = now_[cpu];
        now += timing_->each;
        if (next_.isAt(tick)) [[unlikely]] {
            now = delayed(cpu, now, *next_);
            ++next_;
        }
        const Cycles start = now;
        now += cost;
        if (nextAwaited_ < awaited_.size() && awaited_[nextAwaited_] == tick.value) [[unlikely]] {
            ends_[nextAwaited_++] = {now, static_cast<std::uint8_t>(cpu)};
        }
        return start;
    }
    /// When a CPU has finished its last access.
    Cycles now(std::uint32_t cpu) const { return now_[cpu]; }
    /// When all CPUs have.
    Cycles elapsed() const { return *std::max_element(now_.begin(), now_.end()); }

    /// The waits, of any CPU, that ended between the last access taken and the one before it, those of a CPU in order.
    std::span<const Wait> waits() const { return waits_; }
    /// What a CPU is doing with a lock or barrier, after the access taken last; null if the trace does not tell.
    std::optional<SyncWaits::Doing>* doing(std::uint32_t cpu) { return syncs_ ? &syncs_->doing(cpu) : nullptr; }

  private:
    Cycles delayed(std::uint32_t cpu, Cycles now, const Delay& delay);
    void passSyncs(Tick tick);
    void waitUntimed(const Sync& sync);
    void findSpinning(const Sync& sync);

    const Timing* timing_;
    std::vector<Cycles> now_;  ///< by CPU
    DelayList::Cursor next_;
    std::vector<std::uint64_t> awaited_;    ///< the accesses whose ends others wait for, ascending
    std::vector<SyncWaits::Release> ends_;  ///< their ends, as far as known
    std::size_t nextAwaited_ = 0;
    std::optional<SyncWaits> syncs_;
    // Where the timing tells how long CPUs waited, by CPU: when its last wait ended, and when the event happened that
    // it waited for last.
    std::vector<Cycles> woken_;
    std::vector<SyncWaits::Release> event_;
    std::vector<Wait> waits_;
};

}  // namespace whorl::sim
