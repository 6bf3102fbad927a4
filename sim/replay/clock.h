// The clocks of the CPUs while a trace is played on a machine: an access begins when its CPU has finished its own work
// and everything it waits for has happened, and lasts as long as its cost.
//
// The waits of a CPU follow from the timing of the trace, or else from its synchronization log: a CPU that takes a lock
// waits until it was unlocked, and one that leaves a barrier until the last CPU has arrived. When two CPUs change
// memory one after the other (SyncKind::follow), they are ordered, but neither waits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/trace/sync_log.h"
#include "sim/trace/timing.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The kind of thing that a CPU waits for; `other`: an event, a semaphore, another thread, or something unknown.
enum class WaitFor : std::uint8_t { lock, barrier, other };

/// A wait of a CPU.
struct Wait {
    std::uint8_t cpu = 0;
    std::uint8_t by = 0;  ///< the CPU that ended the wait, at `to`
    WaitFor what = WaitFor::other;
    bool spun = false;  ///< the CPU made accesses while it waited
    Cycles from = 0;
    Cycles to = 0;
    bool operator==(const Wait&) const = default;
};

/// Determines from a trace's synchronization log, while the trace is played, the waits of its threads at locks,
/// barriers and the like: which CPU ended each wait, and when.
class SyncWaits {
  public:
    /// The log must outlive this. `isTimed`: the clocks are those of a trace with timing, so that the CPU that leaves a
    /// barrier first opened it; otherwise the last one to arrive did.
    SyncWaits(const SyncLog& log, bool isTimed);

    /// Whether the next entry precedes an access.
    bool isDue(Tick access) const { return hasNext_ && next_.at <= access; }
    const Sync& next() const { return next_; }
    /// The end of a wait: its time, and the CPU that caused it.
    struct Release {
        Cycles at = 0;
        std::uint8_t by = 0;
    };
    /// Takes the next entry; its CPU has finished its preceding accesses at `now`. Returns the release that ended its
    /// wait, if it waited for another CPU.
    std::optional<Release> take(Cycles now);

    /// A wait in progress: for a lock from wanting it until having it, for a barrier from arriving until leaving.
    struct Doing {
        WaitFor what = WaitFor::other;
        Cycles since = 0;
        bool tried = false;  ///< the CPU has made an access while waiting
    };
    std::optional<Doing>& doing(std::uint32_t cpu) { return doing_[cpu]; }

  private:
    struct Object {
        std::optional<Release> unlocked;  ///< lock: its last unlock
        std::vector<Release> happened;    ///< events, posts, or arrivals; an arrival has the latest time so far
        std::uint32_t taken = 0;          ///< semaphore: number taken
    };
    void advance();
    std::optional<Release> releaseOf(Object& object, Cycles now);
    std::optional<Release> opened(const Object& object, std::uint32_t arrivals, Cycles now);

    SyncCursor cursor_;
    SyncNeeds needs_;
    bool isTimed_;
    bool hasNext_ = false;
    Sync next_;
    std::size_t waits_ = 0;  ///< number of entries of needs_.waits already used
    std::vector<Object> objects_;
    std::array<std::optional<Doing>, kMaxCpus> doing_;
    /// By barrier and number of arrivals: the CPU that opened it, for a trace with timing.
    std::map<std::pair<std::uint32_t, std::uint32_t>, Release> opened_;
};

class Clock {
  public:
    /// The trace must outlive the clock.
    Clock(const Trace& trace, std::uint32_t cpus);
    /// Starts in the middle of a trace that has no times of its own (Trace::hasTimes), with the clocks at `now`, by
    /// CPU.
    Clock(const Trace& trace, std::vector<Cycles> now);

    /// Takes the next access, in trace order and without gaps; returns its start. The access ends, and its CPU
    /// continues, `cost` cycles later.
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
    /// The end of a CPU's last access.
    Cycles now(std::uint32_t cpu) const { return now_[cpu]; }
    /// The end of the last access of all CPUs.
    Cycles elapsed() const { return *std::max_element(now_.begin(), now_.end()); }

    /// The waits of all CPUs that ended between the last access taken and the one before it; those of one CPU are in
    /// order.
    std::span<const Wait> waits() const { return waits_; }
    /// The wait of a CPU for a lock or barrier that is in progress after the access taken last; null if the trace has
    /// no log.
    std::optional<SyncWaits::Doing>* doing(std::uint32_t cpu) { return syncs_ ? &syncs_->doing(cpu) : nullptr; }

  private:
    Cycles delayed(std::uint32_t cpu, Cycles now, const Delay& delay);
    void passSyncs(Tick tick);
    void waitUntimed(const Sync& sync);
    void findSpinning(const Sync& sync);

    const Timing* timing_;
    std::vector<Cycles> now_;  ///< by CPU
    DelayList::Cursor next_;
    std::vector<std::uint64_t> awaited_;    ///< accesses for whose ends others wait, ascending
    std::vector<SyncWaits::Release> ends_;  ///< by awaited access: its end, if known
    std::size_t nextAwaited_ = 0;
    std::optional<SyncWaits> syncs_;
    // For a trace with timing, by CPU: the end of its last wait, and the event for which it last waited.
    std::vector<Cycles> woken_;
    std::vector<SyncWaits::Release> event_;
    std::vector<Wait> waits_;
};

}  // namespace whorl::sim
