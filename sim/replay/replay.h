// The one way to play the accesses of a trace on a machine. What they do is seen by an observer, which gets them in
// their order, many at a time, with as much of their events as it wants, and does nothing but observe: the loop, the
// cursor, the size of the batches, progress and cancellation are replay's.
//
// After the analysis_tool_t of DynamoRIO's drcachesim, where every analysis stands under one loop.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/cache/event.h"
#include "sim/replay/simulator.h"
#include "sim/trace/access.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Accesses that were played, with what they did.
struct Batch {
    Tick first;  ///< of the first access
    std::span<const PackedAccess> accesses;
    const EventList& events;  ///< each with the place of its access in the batch
    const Simulator& after;   ///< the machine, as the last of them left it

    /// Calls f(Tick, const PackedAccess&, std::span<const Event>) for each access with its events. Not where hits are
    /// kept apart.
    template <class F>
    void forEach(F&& f) const {
        const Event* e = events.begin();
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            const Event* const begin = e;
            while (e != events.end() && e->access == i) ++e;
            f(Tick{first.value + i}, accesses[i], std::span(begin, e));
        }
    }
};

class Observer {
  public:
    /// How much an observer gets.
    enum class Wants : std::uint8_t {
        hitsApart,  ///< all events but simple hits, of which only the places come (EventList::separateHits)
        events,     ///< all events
        oneByOne,   ///< all events, and each access in a batch of its own: the machine is as that access left it
        live,       ///< likewise, and each event through `hear`, before the machine changes
    };

    virtual ~Observer() = default;
    virtual Wants wants() const = 0;
    /// The next accesses. What the batch refers to is valid until it returns.
    virtual void take(const Batch& batch) = 0;
    /// Where the next batch has to end at the latest; asked before each.
    virtual Tick nextStop() const { return Tick{~std::uint64_t{0}}; }
    /// An event of the access that is being played.
    virtual void hear(const Event&) {}
};

/// Plays the accesses of a range of a trace, up to its end at most, on a machine that is where the range begins.
/// Progress advances by the accesses played. False when it was cancelled: the machine is then somewhere within.
bool replay(const Trace& trace, Simulator& machine, Range range, Observer& observer, Progress& progress);

/// The same without an observer: the fastest way there is.
bool replay(const Trace& trace, Simulator& machine, Range range, Progress& progress);

/// An observer that does no more than call f(const Batch&).
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
