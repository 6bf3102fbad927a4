// The clocks of the CPUs while a trace is played on a machine: an access begins when its CPU has finished its own work
// and the access that it waits for has ended, and takes as long as its cost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/trace/timing.h"

namespace whorl::sim {

class Clock {
  public:
    /// `timing` must outlive it.
    Clock(const Timing& timing, std::uint32_t cpus);
    /// Starts in the middle of a trace that has no timing of its own: the clocks are at `now`, by CPU.
    Clock(const Timing& timing, std::vector<Cycles> now)
        : timing_(&timing), now_(std::move(now)), next_(timing.delays) {}

    /// Takes the next access, in trace order and without gaps; returns when it begins. It ends, and its CPU continues,
    /// `cost` cycles later.
    Cycles take(Tick tick, std::uint32_t cpu, Cycles cost) {
        Cycles& now = now_[cpu];
        now += timing_->each;
        if (next_.isAt(tick)) [[unlikely]] {
            now = delayed(now, *next_);
            ++next_;
        }
        const Cycles start = now;
        now += cost;
        if (nextAwaited_ < awaited_.size() && awaited_[nextAwaited_] == tick.value) [[unlikely]] {
            ends_[nextAwaited_++] = now;
        }
        return start;
    }
    /// When a CPU has finished its last access.
    Cycles now(std::uint32_t cpu) const { return now_[cpu]; }
    /// When all CPUs have.
    Cycles elapsed() const { return *std::max_element(now_.begin(), now_.end()); }

  private:
    Cycles delayed(Cycles now, const Delay& delay) const;

    const Timing* timing_;
    std::vector<Cycles> now_;  ///< by CPU
    DelayList::Cursor next_;
    std::vector<std::uint64_t> awaited_;  ///< the accesses whose ends others wait for, ascending
    std::vector<Cycles> ends_;            ///< their ends, as far as known
    std::size_t nextAwaited_ = 0;
};

}  // namespace whorl::sim
