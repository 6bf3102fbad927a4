// Tells the events of simulated accesses as a recording has them: with times, and by the addresses that were asked for.
#pragma once

#include <cstddef>
#include <optional>

#include "sim/cache/cost.h"
#include "sim/cache/event.h"
#include "sim/replay/simulator.h"
#include "sim/trace/access.h"
#include "sim/trace/recording.h"

namespace whorl::sim {

/// For the events of one access, which the simulator has just played. Events are taken in their order.
class EventNarrator {
  public:
    /// `start` is when the access began; all three must outlive the recorder.
    EventNarrator(const Simulator& after, const Access& access, const EventList& events, Tick tick, Cycles start)
        : after_(after), access_(access), events_(events), tick_(tick), start_(start) {}

    /// The next event as a recording tells it; nothing when it does not: hits, misses, write-backs and the like.
    std::optional<RecordedEvent> take(std::size_t event);
    /// What the access waited in all, once every event is taken; nothing when it did not wait.
    std::optional<RecordedEvent> wait() const;
    /// What was waited up to the events that were taken.
    Cycles waited() const { return waited_; }

  private:
    /// The first byte of a block that the access asks for; the block's own, if it asks for none.
    ByteAddress askedFor(const Event& e) const;
    ByteAddress addressOf(const Event& e) const;
    ByteAddress replacing(std::size_t eviction) const;
    bool isPrivate(const Event& fill) const;

    const Simulator& after_;
    const Access& access_;
    const EventList& events_;
    Tick tick_;
    Cycles start_;
    Cycles waited_ = 0;
};

}  // namespace whorl::sim
