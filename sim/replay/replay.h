// The one loop that plays the accesses of a trace on a machine. An observer receives them in order, in batches, with
// the events that it requests, and only observes: replay() controls the loop, the cursor, the batch size, progress and
// cancellation.
//
// After the analysis_tool_t of DynamoRIO's drcachesim, where every analysis runs under one loop.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "sim/base/jobs.h"
#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/cache/event.h"
#include "sim/replay/simulator.h"
#include "sim/trace/access.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A batch of played accesses with their effects.
struct Batch {
    Tick first;  ///< tick of the first access
    std::span<const PackedAccess> accesses;
    const EventList& events;   ///< each with its access's index in the batch
    const MachineSums& after;  ///< what the machine has counted after the last access
    /// The machine. It is in the state after the last access if `oneByOne` or `live` was requested, and may have played
    /// on otherwise, so that only what never changes can be read from it.
    const Simulator& machine;

    /// Calls f(Tick, const PackedAccess&, std::span<const Event>) for each access with its events. Not valid with
    /// Wants::hitsApart.
    template <class F>
    void forEach(F&& f) const {
        forEachApart([](std::size_t) {}, std::forward<F>(f));
    }
    /// Like forEach(), but calls hit(std::size_t), with the index of the access, for each separate simple hit.
    template <class Hit, class F>
    void forEachApart(Hit&& hit, F&& f) const {
        const std::span<const std::uint32_t> hits = events.hits();
        const Event* e = events.begin();
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            if (!hits.empty() && hits[i] != EventList::kNoHit) {
                hit(i);
                continue;
            }
            const Event* const begin = e;
            while (e != events.end() && e->access == i) ++e;
            f(Tick{first.value + i}, accesses[i], std::span(begin, e));
        }
    }

    /// The event of a separate simple hit.
    Event hitAt(std::size_t access) const {
        const Cache& nearest = machine.hierarchy().cache(0, 0);
        const BlockAddress block = nearest.blockOf(accesses[access].address());
        const SetIndex set = nearest.setOf(block);
        return Event{.kind = EventKind::hit,
                     .write = accesses[access].isWrite(),
                     .demand = true,
                     .set = set,
                     .way = WayIndex{events.hits()[access] - set.value * nearest.ways()},
                     .access = static_cast<std::uint32_t>(access),
                     .block = block};
    }
};

class Observer {
  public:
    /// What an observer receives.
    enum class Wants : std::uint8_t {
        hitsApart,  ///< all events except simple hits, of which only the indices are given (EventList::separateHits)
        events,     ///< all events
        oneByOne,   ///< all events, and one access per batch: the machine is in the state after that access
        live,       ///< like oneByOne, and each event is also passed to `hear` before the machine changes
    };

    virtual ~Observer() = default;
    virtual Wants wants() const = 0;
    /// Takes the next accesses. References in the batch are valid until it returns.
    virtual void take(const Batch& batch) = 0;
    /// The latest tick at which the batch that begins at a tick must end. Called in the thread that plays, which may be
    /// ahead of `take`.
    virtual Tick nextStop(Tick) const { return Tick{~std::uint64_t{0}}; }
    /// Receives the machine after each batch, and its events, in the thread that plays, before `take` and before the
    /// machine plays on.
    virtual void watch(const Simulator&, const EventList&) {}
    /// Receives an event of the access being played.
    virtual void hear(const Event&) {}
};

/// Plays the accesses of a range, clamped to the trace's end, on a machine that is at the start of the range. Progress
/// advances by the accesses played. Returns false when cancelled: the machine is then somewhere within the range.
///
/// With threads, a long range is decoded and played in a thread of its own while the observer takes the batches in this
/// one. The observer gets the same batches.
bool replay(const Trace& trace, Simulator& machine, Range range, Observer& observer, Progress& progress,
            const ThreadRunner& threads = {});

/// Plays the accesses of a range without an observer: the fastest replay. With threads, a long range is decoded in a
/// thread of its own.
bool replay(const Trace& trace, Simulator& machine, Range range, Progress& progress, const ThreadRunner& threads = {});

/// An observer that only calls f(const Batch&).
template <class F>
class CallingObserver final : public Observer {
  public:
    CallingObserver(Wants wants, F f) : wants_(wants), f_(std::move(f)) {}
    Wants wants() const override { return wants_; }
    void take(const Batch& batch) override { f_(batch); }

  private:
    Wants wants_;
    F f_;
};

}  // namespace whorl::sim
